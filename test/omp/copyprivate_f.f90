! single copyprivate of scalars, an array and a logical.
program copyprivate_f
  implicit none
  integer :: number, round, wrong
  real(8) :: array(30)
  logical :: flag

  wrong = 0
  !$omp parallel private(number, array, flag, round) reduction(+:wrong)
  do round = 1, 50
    number = 0
    array = 0
    flag = .false.
    !$omp single
    number = round
    array = round / 2d0
    flag = .true.
    !$omp end single copyprivate(number, array, flag)
    if (number /= round .or. any(array /= round / 2d0) .or. .not. flag) wrong = wrong + 1
  end do
  !$omp end parallel
  if (wrong /= 0) error stop 'copyprivate'
end program
