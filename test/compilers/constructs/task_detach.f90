! 5.0: `task detach`
! test: omp/task_detach
program construct
  use omp_lib
  implicit none
  integer(omp_event_handle_kind) :: event
  integer :: done = 0
!$omp parallel num_threads(2)
!$omp single
!$omp task detach(event)
  done = 1
!$omp end task
  call omp_fulfill_event(event)
!$omp taskwait
!$omp end single
!$omp end parallel
  if (done /= 1) stop 1
end program
