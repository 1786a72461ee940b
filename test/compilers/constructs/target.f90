! 5.0: `target`
! test: omp/target
program construct
  use omp_lib
  implicit none
  integer :: a(8) = 0, i
!$omp target map(tofrom: a)
  do i = 1, 8
    a(i) = i
  end do
!$omp end target
  if (a(8) /= 8) stop 1
  if (omp_get_max_threads() < 1) stop 1
end program
