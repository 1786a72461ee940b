! 6.0: `threadset(omp_pool)`
! test: omp/free_agents
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp parallel num_threads(2) private(i)
!$omp single
  do i = 1, 100
!$omp task threadset(omp_pool) shared(sum) firstprivate(i)
!$omp atomic
    sum = sum + i
!$omp end task
  end do
!$omp end single
!$omp end parallel
  if (sum /= 5050) stop 1
end program
