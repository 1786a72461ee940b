! 6.0: `num_threads(strict : n)`, `message`, `severity`
! test: omp/kmpc_num_threads
program construct
  use omp_lib
  implicit none
  integer :: threads = 0
!$omp parallel num_threads(strict: 2) severity(warning) message("fewer threads")
!$omp single
  threads = omp_get_num_threads()
!$omp end single
!$omp end parallel
  if (threads /= 2) stop 1
end program
