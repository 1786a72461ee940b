! 6.0: `taskgraph`
program construct
  use omp_lib
  implicit none
  integer :: i, a = 0
!$omp parallel num_threads(2) private(i)
!$omp single
  do i = 1, 3
!$omp taskgraph
!$omp task depend(inout: a) shared(a)
    a = a + 1
!$omp end task
!$omp task depend(inout: a) shared(a)
    a = a * 2
!$omp end task
!$omp end taskgraph
  end do
!$omp end single
!$omp end parallel
  if (a /= 14) stop 1
end program
