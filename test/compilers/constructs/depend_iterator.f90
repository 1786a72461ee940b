! 5.0: `depend` with `iterator`
program construct
  use omp_lib
  implicit none
  integer :: a(4) = 0, i, sum = 0
!$omp parallel num_threads(4)
!$omp single
  do i = 1, 4
!$omp task depend(out: a(i)) firstprivate(i)
    a(i) = i
!$omp end task
  end do
!$omp task depend(iterator(j = 1 : 4), in: a(j))
  sum = a(1) + a(2) + a(3) + a(4)
!$omp end task
!$omp end single
!$omp end parallel
  if (sum /= 10) stop 1
end program
