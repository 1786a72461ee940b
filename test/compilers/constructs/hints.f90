! 5.0: `hint` of `critical` and `atomic`
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0, other = 0
!$omp parallel do num_threads(4)
  do i = 1, 100
!$omp atomic hint(omp_sync_hint_contended)
    sum = sum + i
!$omp critical (name) hint(omp_sync_hint_uncontended)
    other = other - i
!$omp end critical (name)
  end do
  if (sum + other /= 0) stop 1
end program
