! The allocate clause in Fortran.
! test: skip flang it has no allocate clause yet
program allocate_clauses_f
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type(omp_alloctrait) :: traits(2)
  integer(omp_allocator_handle_kind) :: from
  integer, target :: x
  integer :: wrong, total, i
  real(8) :: field(300)

  traits(1) = omp_alloctrait(omp_atk_alignment, 128)
  traits(2) = omp_alloctrait(omp_atk_pool_size, 1048576)
  from = omp_init_allocator(omp_default_mem_space, 2, traits)
  if (from == omp_null_allocator) error stop 'init'
  x = 42
  field = 1.5d0
  wrong = 0
  total = 0
  !$omp parallel firstprivate(x, field) allocate(from: x, field) reduction(+:wrong)
  if (x /= 42 .or. any(field /= 1.5d0)) wrong = wrong + 1
  if (mod(transfer(c_loc(x), 0_c_intptr_t), 128_c_intptr_t) /= 0) wrong = wrong + 1
  x = omp_get_thread_num()
  field = omp_get_thread_num()
  !$omp barrier
  if (x /= omp_get_thread_num() .or. any(field /= x)) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0) error stop 'parallel'
  !$omp parallel do reduction(+:total) allocate(total)
  do i = 1, 100
    total = total + i
  end do
  if (total /= 5050) error stop 'reduction'
  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp task firstprivate(x, i) allocate(from: x) shared(wrong)
    x = x + i
    if (x /= 42 + i) then
      !$omp atomic
      wrong = wrong + 1
    end if
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (wrong /= 0) error stop 'task'
  call omp_destroy_allocator(from)
end program allocate_clauses_f
