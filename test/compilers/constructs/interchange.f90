! 6.0: `interchange`, `reverse`
program construct
  use omp_lib
  implicit none
  integer :: i, j, sum = 0
!$omp interchange
  do i = 0, 3
    do j = 0, 3
      sum = sum + i
    end do
  end do
  if (sum /= 24) stop 1
  if (omp_get_max_threads() < 1) stop 1
end program
