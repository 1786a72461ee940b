! Nested regions, if and num_threads clauses, firstprivate and many shared variables.
program nested_f
  use omp_lib
  implicit none
  integer :: count, a1, a2, a3, a4, a5, a6, a7, a8, wrong, first

  call omp_set_max_active_levels(2)
  count = 0; wrong = 0; first = 11
  a1 = 1; a2 = 2; a3 = 3; a4 = 4; a5 = 5; a6 = 6; a7 = 7; a8 = 8
  !$omp parallel num_threads(3) firstprivate(first) reduction(+:wrong)
  if (first /= 11) wrong = wrong + 1
  first = omp_get_thread_num()
  !$omp parallel num_threads(2) shared(count, first)
  if (a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 == 36) then
    !$omp atomic
    count = count + (1 + first)
  end if
  !$omp end parallel
  !$omp parallel if (first < 0) reduction(+:wrong)
  if (omp_get_num_threads() /= 1 .or. omp_get_level() /= 2) wrong = wrong + 1
  !$omp end parallel
  !$omp end parallel
  if (count /= 12) error stop 'nested'
  if (wrong /= 0) error stop 'if or firstprivate'
end program
