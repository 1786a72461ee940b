! Tasks, taskwait and taskgroup.
! test: skip flang<21 it copies firstprivate values when a task runs, not when it is made
! test: variant calls VICINO_TASK_CALLS=all threads=2,7
! test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
program tasks_f
  implicit none
  integer :: i, total

  total = 0
  !$omp parallel
  !$omp single
  do i = 1, 100
    !$omp task firstprivate(i) shared(total)
    !$omp atomic
    total = total + i
    !$omp end task
  end do
  !$omp taskwait
  if (total /= 5050) error stop 'taskwait'
  !$omp taskgroup
  do i = 1, 100
    !$omp task firstprivate(i) shared(total)
    !$omp atomic
    total = total - i
    !$omp end task
  end do
  !$omp end taskgroup
  if (total /= 0) error stop 'taskgroup'
  !$omp end single
  !$omp end parallel
end program
