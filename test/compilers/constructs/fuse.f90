! 6.0: `stripe`, `fuse`
program construct
  use omp_lib
  implicit none
  integer :: i, j, sum = 0
!$omp stripe sizes(4)
  do i = 0, 15
    sum = sum + i
  end do
!$omp fuse
  do i = 0, 3
    sum = sum + i
  end do
  do j = 0, 3
    sum = sum + j
  end do
!$omp end fuse
  if (sum /= 132) stop 1
  if (omp_get_max_threads() < 1) stop 1
end program
