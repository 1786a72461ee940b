! Simple and nestable locks of Fortran's sizes, between neighbours that must stay untouched.
program locks_f
  use omp_lib
  use iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function sched_yield() bind(c)
      import :: c_int
    end function
  end interface
  integer, parameter :: guard = 123456789
  type :: guarded
    sequence
    integer :: before
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nest
    integer :: after
  end type
  type(guarded) :: g(8)
  integer, volatile :: counter
  integer :: i, depth, most, wrong, now, ignored

  most = omp_get_max_threads()
  do i = 1, 8
    g(i)%before = guard
    g(i)%after = guard
    call omp_init_lock(g(i)%lock)
    call omp_init_nest_lock(g(i)%nest)
  end do
  counter = 0
  wrong = 0
  !$omp parallel private(i, depth, now, ignored) reduction(+:wrong)
  do i = 1, 100
    call omp_set_lock(g(3)%lock)
    now = counter
    if (mod(now, 16) == 0) ignored = sched_yield()  ! lets in a thread that should wait
    counter = now + 1
    call omp_unset_lock(g(3)%lock)
    call omp_set_nest_lock(g(4)%nest)
    depth = omp_test_nest_lock(g(4)%nest)
    if (depth /= 2) wrong = wrong + 1
    call omp_unset_nest_lock(g(4)%nest)
    call omp_unset_nest_lock(g(4)%nest)
    if (omp_test_lock(g(5)%lock)) call omp_unset_lock(g(5)%lock)
  end do
  !$omp end parallel
  if (counter /= 100 * most) error stop 'lock'
  if (wrong /= 0) error stop 'nest lock'
  do i = 1, 8
    if (g(i)%before /= guard .or. g(i)%after /= guard) error stop 'a lock wrote beyond itself'
    call omp_destroy_lock(g(i)%lock)
    call omp_destroy_nest_lock(g(i)%nest)
  end do
end program
