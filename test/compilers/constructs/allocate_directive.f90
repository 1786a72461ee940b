! 5.0: `allocate` directive
! test: omp/allocated_scalars
program construct
  use omp_lib
  implicit none
  integer, allocatable :: a(:)
  integer :: i
!$omp allocate(a) allocator(omp_default_mem_alloc)
  allocate(a(16))
!$omp parallel do num_threads(2)
  do i = 1, 16
    a(i) = i
  end do
  if (any(a /= [(i, i = 1, 16)])) stop 1
  deallocate(a)
end program
