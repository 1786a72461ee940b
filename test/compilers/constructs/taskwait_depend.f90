! 5.0: `taskwait depend`
! test: omp/depend_waits
program construct
  use omp_lib
  implicit none
  integer :: a = 0
  logical :: right = .false.
!$omp parallel num_threads(2)
!$omp single
!$omp task depend(out: a) shared(a)
  a = 1
!$omp end task
!$omp taskwait depend(in: a)
  right = a == 1
!$omp end single
!$omp end parallel
  if (.not. right) stop 1
end program
