! critical with names and without, and atomic.
program critical_f
  use omp_lib
  implicit none
  integer :: a, b, c, i, most
  real(8) :: d

  a = 0; b = 0; c = 0; d = 0
  most = omp_get_max_threads()
  !$omp parallel private(i)
  do i = 1, 200
    !$omp critical
    a = a + 1
    !$omp end critical
    !$omp critical (named)
    b = b + 1
    !$omp end critical (named)
    !$omp atomic
    c = c + 2
    !$omp atomic update
    d = d + 0.5d0
  end do
  !$omp end parallel
  if (a /= 200 * most) error stop 'critical'
  if (b /= 200 * most) error stop 'named critical'
  if (c /= 400 * most .or. d /= 100d0 * most) error stop 'atomic'
end program
