! 5.1: `scope`
! test: omp/scope
program construct
  use omp_lib
  implicit none
  integer :: sum = 0, threads = 0
!$omp parallel num_threads(4)
!$omp scope reduction(+: sum)
  sum = sum + 1
!$omp end scope
!$omp single
  threads = omp_get_num_threads()
!$omp end single
!$omp end parallel
  if (sum /= threads) stop 1
end program
