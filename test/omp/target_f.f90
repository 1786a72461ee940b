! test: skip flang<23 its target regions call libomptarget, which it does not link
! Target regions in Fortran: maps, allocatable arrays, target tasks and the routines on devices.
program target_f
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, total, step, step_after, private_one
  integer, allocatable :: list(:)
  real :: matrix(4, 5)
  logical :: on_host

  allocate (list(100))
  total = 0
  private_one = 3
  list = 1
  !$omp target map(tofrom: list, total) firstprivate(private_one)
    do i = 1, 100
      list(i) = list(i) + i
    end do
    total = sum(list) + private_one
    private_one = 0
  !$omp end target
  call check(total == 5153, 'map')
  call check(private_one == 3, 'firstprivate')
  call check(list(100) == 101, 'allocatable')

  matrix = 0
  !$omp target data map(tofrom: matrix)
    !$omp target
      matrix(2:3, :) = 1
    !$omp end target
    !$omp target update from(matrix)
    call check(sum(matrix) == 10, 'update')
  !$omp end target data

  !$omp target enter data map(to: list)
  !$omp target map(list)
    list = 7
  !$omp end target
  !$omp target exit data map(from: list)
  call check(all(list == 7), 'enter and exit data')

  step = 0
  !$omp parallel
  !$omp single
  do i = 1, 50
    !$omp target nowait depend(inout: step) map(tofrom: step)
      step = step + 1
    !$omp end target
    !$omp task depend(inout: step) shared(step)
      step = step + 1
    !$omp end task
  end do
  !$omp taskwait
  step_after = step
  !$omp end single
  !$omp end parallel
  call check(step_after == 100, 'target tasks')

  total = 0
  !$omp target map(tofrom: total)
    !$omp parallel do reduction(+: total)
    do i = 1, 100
      total = total + i
    end do
  !$omp end target
  call check(total == 5050, 'parallel loop in a target region')

  call check(omp_get_num_devices() == 0, 'omp_get_num_devices')
  call check(omp_get_initial_device() == 0, 'omp_get_initial_device')
  call check(omp_get_device_num() == 0, 'omp_get_device_num')
  on_host = .false.
  !$omp target map(from: on_host)
    on_host = omp_is_initial_device()
  !$omp end target
  call check(on_host, 'omp_is_initial_device')
  call omp_set_default_device(2)
  call check(omp_get_default_device() == 2, 'omp_set_default_device')
  deallocate (list)
  if (failures > 0) error stop 1

contains

  include 'check.inc'
end program
