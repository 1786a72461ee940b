! 5.2: `metadirective` with `otherwise`
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp metadirective when(user = {condition(.false.)}: nothing) otherwise(parallel do reduction(+: sum))
  do i = 1, 100
    sum = sum + i * omp_get_level()
  end do
  if (sum /= 5050) stop 1
end program
