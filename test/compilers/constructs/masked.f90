! 5.1: `masked filter`
! test: omp/masked
program construct
  use omp_lib
  implicit none
  integer :: who = -1
!$omp parallel num_threads(2)
!$omp masked filter(omp_get_num_threads() - 1)
  who = omp_get_num_threads() - 1 - omp_get_thread_num()
!$omp end masked
!$omp end parallel
  if (who /= 0) stop 1
end program
