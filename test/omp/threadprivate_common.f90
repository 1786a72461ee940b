! A threadprivate common block and a saved variable: persistence, copyin, single copyprivate.
program threadprivate_common
  use omp_lib
  implicit none
  integer :: number, i
  real(8) :: values(5)
  common /block/ number, values
  !$omp threadprivate(/block/)
  integer, save :: kept = 3
  !$omp threadprivate(kept)
  integer :: wrong, ran

  wrong = 0
  ran = 0
  number = 42
  values = 0.5d0
  !$omp parallel copyin(/block/) reduction(+:wrong, ran)
  ran = ran + 1
  if (number /= 42 .or. any(values /= 0.5d0) .or. kept /= 3) wrong = wrong + 1
  number = omp_get_thread_num()
  values(2) = number
  kept = -number
  !$omp end parallel
  if (wrong /= 0 .or. ran /= omp_get_max_threads()) error stop 'copyin'
  do i = 1, 20
    !$omp parallel reduction(+:wrong)
    if (number /= omp_get_thread_num() + i - 1) wrong = wrong + 1
    if (values(2) /= omp_get_thread_num() .or. kept /= -omp_get_thread_num()) wrong = wrong + 1
    number = number + 1
    !$omp end parallel
  end do
  if (wrong /= 0) error stop 'persistence'
  !$omp parallel reduction(+:wrong)
  !$omp single
  number = 99
  !$omp end single copyprivate(number)
  if (number /= 99) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0) error stop 'copyprivate'
end program
