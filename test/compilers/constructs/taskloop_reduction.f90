! 5.0: `taskloop reduction`
! test: omp/taskloop
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp parallel num_threads(2)
!$omp single
!$omp taskloop reduction(+: sum)
  do i = 1, 100
    sum = sum + i
  end do
!$omp end single
!$omp end parallel
  if (sum /= 5050) stop 1
end program
