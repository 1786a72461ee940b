! The same routines in a program compiled with 8-byte default integers and logicals, which reach the
! runtime's second set of Fortran names.
! test: uses -fdefault-integer-8
! test: skip flang its omp_lib offers only the default kind it was built with
program api_8_f
  use omp_lib
  implicit none
  integer(8) :: most, chunk, threads, level, wrong
  integer(omp_sched_kind) :: kind

  most = omp_get_max_threads()
  threads = 3
  call omp_set_num_threads(threads)
  if (omp_get_max_threads() /= 3) error stop 'num_threads'
  chunk = 6
  call omp_set_schedule(omp_sched_dynamic, chunk)
  chunk = -1
  call omp_get_schedule(kind, chunk)
  if (kind /= omp_sched_dynamic .or. chunk /= 6) error stop 'schedule'
  call omp_set_dynamic(.false._8)
  if (omp_get_dynamic()) error stop 'dynamic'
  level = 2
  call omp_set_max_active_levels(level)
  if (omp_get_max_active_levels() /= 2) error stop 'max_active_levels'
  wrong = 0
  !$omp parallel reduction(+:wrong) private(level)
  level = 1
  if (omp_get_team_size(level) /= 3) wrong = wrong + 1
  if (omp_get_ancestor_thread_num(level) /= omp_get_thread_num()) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0) error stop 'ancestors'
  if (most < 1) error stop 'max_threads'
end program
