! region.f90: names for parts of a program, for Fortran; region.h says what they are for.
!
! A module of one compiler cannot be read by another, so this is its source, which a program includes once:
!
!     include 'vicino/region.f90'
!     program solver
!       use vicino_region
!       call vicino_region_begin('assemble')
!       call assemble(matrix)
!       call vicino_region_end('assemble')
!
! The folder that holds the folder `vicino` is given to the compiler by -I. Blanks at a name's end do not count.
module vicino_region
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char
  implicit none
  private
  public :: vicino_region_begin, vicino_region_end

  interface
    subroutine begin_in_c(name) bind(c, name='vicino_region_begin')
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine end_in_c(name) bind(c, name='vicino_region_end')
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
  end interface

contains

  ! The calling thread begins the part of this name, and ends it; each part ends on the thread on which it has begun.
  subroutine vicino_region_begin(name)
    character(kind=c_char, len=*), intent(in) :: name
    call begin_in_c(trim(name) // c_null_char)
  end subroutine

  subroutine vicino_region_end(name)
    character(kind=c_char, len=*), intent(in) :: name
    call end_in_c(trim(name) // c_null_char)
  end subroutine

end module
