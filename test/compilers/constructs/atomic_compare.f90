! 5.1: `atomic compare`
! test: omp/atomic_compare
program construct
  use omp_lib
  implicit none
  integer :: i, first = 0
!$omp parallel do num_threads(4)
  do i = 1, 100
!$omp atomic compare
    if (first == 0) first = i
  end do
  if (first < 1 .or. first > 100) stop 1
end program
