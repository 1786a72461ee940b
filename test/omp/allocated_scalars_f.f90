! test: uses gfortran>14 -fopenmp-allocators threads=1,4
! Scalars that an allocator gives their memory: procedures that do not know where it came from free them, and allocate
! them anew.
program allocated_scalars_f
  use omp_lib
  implicit none
  type pair
    integer :: first = 3, second = 4
  end type pair
  integer :: turn, wrong

  wrong = 0
  !$omp parallel do reduction(+:wrong)
  do turn = 1, 200
    call one_turn(turn, wrong)
  end do
  if (wrong /= 0) error stop 1

contains

  subroutine one_turn(number, wrong)
    integer, intent(in) :: number
    integer, intent(inout) :: wrong
    integer, allocatable :: scalar
    type(pair), allocatable :: object
    character(:), allocatable :: text

    !$omp allocators allocate(allocator(omp_default_mem_alloc), align(64): scalar, object)
    allocate (scalar, object)
    if (mod(loc(scalar), 64) /= 0) wrong = wrong + 1
    scalar = number
    object%second = scalar
    call renew(scalar)
    if (scalar /= 7 .or. object%second /= number .or. object%first /= 3) wrong = wrong + 1
    call plain(scalar)
    if (scalar /= 8) wrong = wrong + 1
    !$omp allocate(text) allocator(omp_default_mem_alloc)
    allocate (character(3) :: text)
    text = 'a longer text'
    if (text /= 'a longer text') wrong = wrong + 1
  end subroutine one_turn

  subroutine renew(scalar)
    integer, allocatable, intent(inout) :: scalar

    deallocate (scalar)
    !$omp allocate(scalar) allocator(omp_default_mem_alloc)
    allocate (scalar)
    scalar = 7
  end subroutine renew

  subroutine plain(scalar)
    integer, allocatable, intent(inout) :: scalar

    deallocate (scalar)
    allocate (scalar)
    scalar = 8
  end subroutine plain
end program allocated_scalars_f
