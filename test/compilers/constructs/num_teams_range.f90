! 5.1: `num_teams(lower : upper)`
! test: omp/teams
program construct
  use omp_lib
  implicit none
  integer :: sum = 0
!$omp teams num_teams(2 : 3)
!$omp parallel num_threads(1)
!$omp atomic
  sum = sum + 1
!$omp end parallel
!$omp end teams
  if (sum < 2 .or. sum > 3) stop 1
end program
