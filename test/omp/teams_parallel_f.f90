! Teams from Fortran, as far as flang 19 has them.
program teams_parallel_f
  use omp_lib
  implicit none
  integer, parameter :: most = 4
  integer :: seen(most), limits(most)

  seen = 0
  !$omp teams num_teams(most) thread_limit(3)
  !$omp parallel
  if (omp_get_thread_num() == 0) then
    seen(omp_get_team_num() + 1) = omp_get_num_teams()
    limits(omp_get_team_num() + 1) = omp_get_thread_limit()
  end if
  !$omp end parallel
  !$omp end teams
  if (seen(1) < 1 .or. seen(1) > most) stop 1
  if (any(seen(1:seen(1)) /= seen(1))) stop 2
  if (any(limits(1:seen(1)) > 3)) stop 3

  if (omp_get_num_teams() /= 1 .or. omp_get_team_num() /= 0) stop 4
end program teams_parallel_f
