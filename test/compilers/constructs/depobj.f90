! 5.0: `depobj`
! test: omp/depend_objects
program construct
  use omp_lib
  implicit none
  integer(omp_depend_kind) :: o
  integer :: a = 0
!$omp parallel num_threads(2)
!$omp single
!$omp depobj(o) depend(inout: a)
!$omp task depend(depobj: o) shared(a)
  a = 1
!$omp end task
!$omp task depend(depobj: o) shared(a)
  a = a * 5
!$omp end task
!$omp end single
!$omp end parallel
  if (a /= 5) stop 1
end program
