! 5.0: `teams` on the host
! test: omp/teams
program construct
  use omp_lib
  implicit none
  integer :: sum = 0
!$omp teams num_teams(3)
!$omp parallel num_threads(1)
!$omp atomic
  sum = sum + 1
!$omp end parallel
!$omp end teams
  if (sum < 1 .or. sum > 3) stop 1
end program
