! 4.5: `ordered depend(sink, source)`
! test: omp/doacross
program construct
  use omp_lib
  implicit none
  integer :: a(0:64), i
  a(0) = 1
!$omp parallel do ordered(1) num_threads(4) schedule(static, 1)
  do i = 1, 64
!$omp ordered depend(sink: i - 1)
    a(i) = a(i - 1) + 1
!$omp ordered depend(source)
  end do
  if (a(64) /= 65) stop 1
end program
