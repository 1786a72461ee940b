! Worksharing loops of each schedule, kind of index and direction run each iteration once.
! test: variant measured VICINO_STATIC=measured flang
! test: variant tuned VICINO_STATIC=tuned flang
program loops
  use omp_lib
  implicit none
  integer, parameter :: trip = 500
  integer :: seen(trip), i, failures
  integer(8) :: long
  integer(2) :: short

  failures = 0
  seen = 0
  !$omp parallel do schedule(static)
  do i = 1, trip
    call hit(i)
  end do
  !$omp end parallel do
  call check_once('static')
  !$omp parallel do schedule(static, 7)
  do i = trip, 1, -1
    call hit(i)
  end do
  !$omp end parallel do
  call check_once('static, 7')
  !$omp parallel do schedule(dynamic, 3)
  do long = -4999_8, -9_8, 10_8
    call hit(int((long + 5009) / 10))
  end do
  !$omp end parallel do
  call check_once('dynamic, 8-byte index')
  !$omp parallel do schedule(guided)
  do short = 1_2, 500_2
    call hit(int(short))
  end do
  !$omp end parallel do
  call check_once('guided, 2-byte index')
  call omp_set_schedule(omp_sched_dynamic, 4)
  !$omp parallel do schedule(runtime)
  do i = 1, trip
    call hit(i)
  end do
  !$omp end parallel do
  call check_once('runtime')
  !$omp parallel
  !$omp do schedule(dynamic)
  do i = 1, trip / 2
    call hit(i)
  end do
  !$omp end do nowait
  !$omp do schedule(guided, 2)
  do i = trip / 2 + 1, trip
    call hit(i)
  end do
  !$omp end do
  !$omp end parallel
  call check_once('nowait')
  !$omp parallel do schedule(auto)
  do i = 5, 4
    call hit(1)
  end do
  !$omp end parallel do
  if (any(seen /= 0)) call fail('a loop of no iterations ran')
  if (failures > 0) error stop 1

contains
  subroutine hit(index)
    integer, intent(in) :: index
    !$omp atomic
    seen(index) = seen(index) + 1
  end subroutine

  subroutine check_once(what)
    character(*), intent(in) :: what
    if (any(seen /= 1)) call fail(what)
    seen = 0
  end subroutine

  subroutine fail(what)
    character(*), intent(in) :: what
    write (0, *) 'wrong: ', what
    failures = failures + 1
  end subroutine
end program
