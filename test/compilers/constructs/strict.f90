! 5.1: `taskloop` with `strict`
! test: omp/taskloop_shapes
program construct
  use omp_lib
  implicit none
  integer :: a(100), i
!$omp parallel num_threads(2)
!$omp single
!$omp taskloop grainsize(strict: 8) shared(a)
  do i = 1, 100
    a(i) = i
  end do
!$omp end single
!$omp end parallel
  if (any(a /= [(i, i = 1, 100)])) stop 1
end program
