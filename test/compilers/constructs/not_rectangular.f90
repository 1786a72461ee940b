! 5.0: `collapse` of loops that are not rectangular
! test: omp/for_collapse
program construct
  use omp_lib
  implicit none
  integer :: i, j, sum = 0
!$omp parallel do collapse(2) reduction(+: sum) num_threads(4)
  do i = 1, 16
    do j = i, 16
      sum = sum + 1
    end do
  end do
  if (sum /= 136) stop 1
end program
