! Teams, distribute and the routines on teams, from Fortran.
! test: skip flang<21 a reduction of teams is not implemented
program teams_f
  use omp_lib
  implicit none
  integer, parameter :: teams = 4, trip = 101
  integer :: i, wrong, runs, last
  integer :: seen(trip)
  logical :: fine

  fine = .true.
  wrong = 0
  runs = 0
  !$omp teams num_teams(teams) reduction(+ : wrong, runs)
  runs = runs + 1
  if (omp_get_num_teams() /= teams) wrong = wrong + 1
  if (omp_get_team_num() < 0 .or. omp_get_team_num() >= teams) wrong = wrong + 1
  !$omp end teams
  if (wrong /= 0 .or. runs /= teams) fine = .false.

  seen = 0
  !$omp teams distribute parallel do num_teams(teams) thread_limit(3)
  do i = trip, 1, -1
    seen(i) = seen(i) + 1
  end do
  !$omp end teams distribute parallel do
  if (any(seen /= 1)) fine = .false.

  runs = 0
  !$omp teams distribute num_teams(teams) reduction(+ : runs)
  do i = 1, trip, 2
    runs = runs + i
  end do
  !$omp end teams distribute
  if (runs /= 51 * 51) fine = .false.

  if (.not. fine) then
    print *, 'wrong'
    stop 1
  end if
end program teams_f
