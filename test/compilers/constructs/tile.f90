! 5.1: `tile`, `unroll`
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp tile sizes(4)
  do i = 1, 100
    sum = sum + i
  end do
!$omp unroll partial(4)
  do i = 1, 100
    sum = sum + i
  end do
  if (sum /= 10100) stop 1
  if (omp_get_max_threads() < 1) stop 1
end program
