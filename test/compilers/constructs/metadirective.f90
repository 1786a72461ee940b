! 5.0: `metadirective`
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp metadirective when(user = {condition(.true.)}: parallel do reduction(+: sum)) default(nothing)
  do i = 1, 100
    sum = sum + i * omp_get_level()
  end do
  if (sum /= 5050) stop 1
end program
