! 5.0: `reduction(task, …)`, `in_reduction`
! test: omp/task_reduction
program construct
  use omp_lib
  implicit none
  integer :: i, sum = 0
!$omp parallel num_threads(2) reduction(task, +: sum) private(i)
!$omp single
  do i = 0, 7
!$omp task in_reduction(+: sum) firstprivate(i)
    sum = sum + i
!$omp end task
  end do
!$omp end single
!$omp end parallel
  if (sum /= 28) stop 1
end program
