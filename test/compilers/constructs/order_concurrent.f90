! 5.0: `order(concurrent)`
program construct
  use omp_lib
  implicit none
  integer :: a(64), i
!$omp parallel do order(concurrent) num_threads(4)
  do i = 1, 64
    a(i) = i
  end do
  if (any(a /= [(i, i = 1, 64)])) stop 1
end program
