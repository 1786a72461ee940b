! 5.1: `depend(inoutset)`
! test: omp/depend_inoutset
program construct
  use omp_lib
  implicit none
  integer :: a = 0, b = 0, sum = 0
!$omp parallel num_threads(4)
!$omp single
!$omp task depend(inoutset: a) shared(b)
  b = 1
!$omp end task
!$omp task depend(in: a) shared(b, sum)
  sum = b + 1
!$omp end task
!$omp end single
!$omp end parallel
  if (sum /= 2 .or. a /= 0) stop 1
end program
