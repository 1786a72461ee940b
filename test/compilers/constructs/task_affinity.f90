! 5.0: `task affinity`
! test: omp/task_affinity
program construct
  use omp_lib
  implicit none
  integer :: a(4) = 0
!$omp parallel num_threads(2)
!$omp single
!$omp task affinity(a)
  a(2) = 1
!$omp end task
!$omp end single
!$omp end parallel
  if (a(2) /= 1) stop 1
end program
