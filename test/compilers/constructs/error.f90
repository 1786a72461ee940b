! 5.1: `error`
! test: omp/error_directive
program construct
  use omp_lib
  implicit none
!$omp error at(execution) severity(warning) message("a warning")
  if (omp_get_max_threads() < 1) stop 1
end program
