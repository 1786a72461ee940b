! critical with names and without, and atomic.
program critical_f
  use omp_lib
  use iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function sched_yield() bind(c)
      import :: c_int
    end function
  end interface
  integer, volatile :: a, b
  integer :: c, i, most, rounds, now, ignored
  real(8) :: d

  a = 0; b = 0; c = 0; d = 0
  most = omp_get_max_threads()
  rounds = 1 + 800 / most
  !$omp parallel private(i, now, ignored)
  do i = 1, rounds
    !$omp critical
    now = a
    if (mod(now, 16) == 0) ignored = sched_yield()  ! lets in a thread that should wait
    a = now + 1
    !$omp end critical
    !$omp critical (named)
    now = b
    if (mod(now, 16) == 0) ignored = sched_yield()
    b = now + 1
    !$omp end critical (named)
    !$omp atomic
    c = c + 2
    !$omp atomic update
    d = d + 0.5d0
  end do
  !$omp end parallel
  if (a /= rounds * most) error stop 'critical'
  if (b /= rounds * most) error stop 'named critical'
  if (c /= 2 * rounds * most .or. d /= 0.5d0 * rounds * most) error stop 'atomic'
end program
