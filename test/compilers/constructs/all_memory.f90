! 5.1: `omp_all_memory`
! test: omp/depend_memory
program construct
  use omp_lib
  implicit none
  integer :: a = 0, b = 0
!$omp parallel num_threads(4)
!$omp single
!$omp task depend(out: a) shared(a)
  a = 1
!$omp end task
!$omp task depend(inout: omp_all_memory) shared(a, b)
  b = a + 1
!$omp end task
!$omp end single
!$omp end parallel
  if (b /= 2) stop 1
end program
