! 5.0: `cancel`, `cancellation point`
! test: omp/cancel
program construct
  use omp_lib
  implicit none
  integer :: i, sum
  sum = 0
!$omp parallel do num_threads(4) reduction(+: sum)
  do i = 0, 7
!$omp cancel do if (i < 0)
!$omp cancellation point do
    sum = sum + i
  end do
  if (sum /= 28) stop 1
end program
