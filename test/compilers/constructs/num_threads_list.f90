! 6.0: `num_threads` with a list
! test: omp/kmpc_num_threads
program construct
  use omp_lib
  implicit none
  integer :: inner = 0
  call omp_set_max_active_levels(2)
!$omp parallel num_threads(2, 3)
!$omp parallel
!$omp single
!$omp atomic write
  inner = omp_get_num_threads()
!$omp end single
!$omp end parallel
!$omp end parallel
  if (inner /= 3) stop 1
end program
