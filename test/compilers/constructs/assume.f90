! 5.1: `assume`
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp assume no_openmp_routines
!$omp parallel do reduction(+: sum) num_threads(2)
  do i = 1, 100
    sum = sum + i
  end do
!$omp end assume
  if (sum /= 5050) stop 1
end program
