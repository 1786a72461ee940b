! The allocation routines in Fortran.
program allocators_f
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type(omp_alloctrait) :: traits(3)
  integer(omp_allocator_handle_kind) :: from
  integer :: wrong, i
  integer(c_int), pointer :: numbers(:)
  type(c_ptr) :: block

  traits(1) = omp_alloctrait(omp_atk_alignment, 128)
  traits(2) = omp_alloctrait(omp_atk_pool_size, 65536)
  traits(3) = omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)
  from = omp_init_allocator(omp_default_mem_space, 3, traits)
  if (from == omp_null_allocator) error stop 'init'
  if (c_associated(omp_alloc(70000_c_size_t, from))) error stop 'pool'
  block = omp_alloc(4000_c_size_t, from)
  if (.not. c_associated(block)) error stop 'alloc'
  if (mod(transfer(block, 0_c_intptr_t), 128_c_intptr_t) /= 0) error stop 'alignment'
  call c_f_pointer(block, numbers, [1000])
  numbers = [(i, i = 1, 1000)]
  block = omp_realloc(block, 8000_c_size_t, from, from)
  call c_f_pointer(block, numbers, [1000])
  if (sum(numbers) /= 500500) error stop 'realloc'
  call omp_free(block, from)
  block = omp_calloc(100_c_size_t, 4_c_size_t, from)
  call c_f_pointer(block, numbers, [100])
  if (any(numbers /= 0)) error stop 'calloc'
  call omp_free(block, omp_null_allocator)
  block = omp_aligned_calloc(1024_c_size_t, 100_c_size_t, 4_c_size_t, from)
  if (mod(transfer(block, 0_c_intptr_t), 1024_c_intptr_t) /= 0) error stop 'aligned'
  call omp_free(block, from)

  call omp_set_default_allocator(from)
  if (omp_get_default_allocator() /= from) error stop 'default'
  wrong = 0
  !$omp parallel reduction(+:wrong)
  if (omp_get_default_allocator() /= from) wrong = wrong + 1
  if (c_associated(omp_alloc(70000_c_size_t, omp_null_allocator))) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0) error stop 'default in a region'
  call omp_set_default_allocator(omp_default_mem_alloc)
  if (omp_get_default_allocator() /= omp_default_mem_alloc) error stop 'default again'
  call omp_destroy_allocator(from)
end program allocators_f
