! The routines of omp_lib, with arguments of the default kind.
program api_f
  use omp_lib
  implicit none
  integer :: most, chunk, wrong
  integer(omp_sched_kind) :: kind
  real(8) :: start

  most = omp_get_max_threads()
  wrong = 0
  start = omp_get_wtime()
  if (omp_in_parallel() .or. omp_get_num_threads() /= 1) error stop 'outside'
  if (omp_get_level() /= 0 .or. omp_get_ancestor_thread_num(0) /= 0) error stop 'level'
  if (omp_get_num_procs() < 1 .or. omp_get_thread_limit() < most) error stop 'limits'
  call omp_set_schedule(omp_sched_guided, 5)
  call omp_get_schedule(kind, chunk)
  if (kind /= omp_sched_guided .or. chunk /= 5) error stop 'schedule'
  call omp_set_dynamic(.false.)
  if (omp_get_dynamic()) error stop 'dynamic'
  call omp_set_max_active_levels(2)
  if (omp_get_max_active_levels() /= 2) error stop 'max_active_levels'
  !$omp parallel num_threads(2) reduction(+:wrong)
  if (omp_get_num_threads() /= 2 .or. .not. omp_in_parallel()) wrong = wrong + 1
  if (omp_get_team_size(1) /= 2) wrong = wrong + 1
  if (omp_get_ancestor_thread_num(1) /= omp_get_thread_num()) wrong = wrong + 1
  if (omp_in_final()) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0) error stop 'inside'
  call omp_set_num_threads(3)
  if (omp_get_max_threads() /= 3) error stop 'num_threads'
  if (omp_get_wtick() <= 0 .or. omp_get_wtime() < start) error stop 'time'
  if (omp_get_num_devices() /= 0 .or. .not. omp_is_initial_device()) error stop 'device'
  if (omp_get_num_places() < 0) error stop 'places'
end program
