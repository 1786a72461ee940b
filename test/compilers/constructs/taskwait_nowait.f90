! 5.1: `taskwait depend nowait`
! test: omp/taskwait_nowait
program construct
  use omp_lib
  implicit none
  integer :: a = 0, b = 0, sum = 0
!$omp parallel num_threads(4)
!$omp single
!$omp task depend(out: a) shared(a)
  a = 1
!$omp end task
!$omp taskwait depend(in: a) depend(out: b) nowait
!$omp task depend(in: b) shared(a, sum)
  sum = a + 1
!$omp end task
!$omp end single
!$omp end parallel
  if (sum /= 2) stop 1
end program
