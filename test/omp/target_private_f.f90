! test: uses gfortran>15
! test: peer gfortran>15 libgomp 16 leaves the data of a deferred region's array where they are
! A firstprivate allocatable array of a target region has data of its own, also where the region is deferred.
program target_private_f
  implicit none
  integer, allocatable :: field(:), none(:)
  integer :: turn, i

  allocate(field(-2:5))
  do turn = 1, 20
    field = [(i * i + i, i = -2, 5)]
    !$omp target firstprivate(field, none)
    call check(allocated(field) .and. .not. allocated(none), 'allocated')
    call check(lbound(field, 1) == -2 .and. ubound(field, 1) == 5, 'bounds')
    call check(sum(field) == 72, 'copied')
    field = 0
    !$omp end target
    call check(sum(field) == 72, 'after a target region')
  end do

  !$omp parallel
  !$omp single
  !$omp target firstprivate(field) nowait
  field = field + 1
  call check(sum(field) == 80, 'copied to a task')
  !$omp end target
  field = 0
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  call check(all(field == 0), 'after a task')
contains
  subroutine check(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (.not. right) error stop what
  end subroutine
end program target_private_f
