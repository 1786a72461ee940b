! 5.0: `allocate` clause
! test: omp/allocate_clauses
program construct
  use omp_lib
  implicit none
  integer :: x = 5, sum = 0
!$omp parallel num_threads(2) firstprivate(x) allocate(omp_default_mem_alloc: x) reduction(+: sum)
  x = x + 1
  if (x /= 6) sum = sum + 1
!$omp end parallel
  if (sum /= 0) stop 1
end program
