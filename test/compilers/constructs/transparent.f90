! 6.0: `transparent`
! test: omp/kmpc_transparent
program construct
  use omp_lib
  implicit none
  integer :: a = 0, sum = 0
!$omp parallel num_threads(2)
!$omp single
!$omp task depend(inout: sum) transparent shared(a)
!$omp task depend(out: a) shared(a)
  a = 1
!$omp end task
!$omp end task
!$omp task depend(in: a) shared(a, sum)
  sum = a + 1
!$omp end task
!$omp end single
!$omp end parallel
  if (sum /= 2) stop 1
end program
