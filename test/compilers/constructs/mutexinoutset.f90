! 5.0: `depend(mutexinoutset)`
! test: omp/depend_exclusion
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp parallel num_threads(4) private(i)
!$omp single
  do i = 1, 1000
!$omp task depend(mutexinoutset: sum)
    sum = sum + 1
!$omp end task
  end do
!$omp end single
!$omp end parallel
  if (sum /= 1000) stop 1
end program
