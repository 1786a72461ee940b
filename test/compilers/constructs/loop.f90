! 5.0: `loop`
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp parallel num_threads(4)
!$omp loop reduction(+: sum)
  do i = 1, 100
    sum = sum + i
  end do
!$omp end parallel
  if (sum /= 5050) stop 1
end program
