! The format of omp_display_affinity in Fortran: its blanks are part of it, and only a text of no length stands for
! the format that is set.
program affinity_format_f
  use omp_lib
  implicit none
  character(len=40) :: text
  integer :: failed = 0

  call omp_set_affinity_format('fmt %n trailing   ')
  call check(omp_get_affinity_format(text) == 18, 'the blanks of the format')
  call check(omp_capture_affinity(text, '') == 17, 'the format that is set')
  call check(text == 'fmt 0 trailing', 'its text')
  call check(omp_capture_affinity(text, '   ') == 3, 'a format of blanks')
  call check(text == ' ', 'a text of blanks')
  call check(omp_capture_affinity(text, 'a %n  ') == 5, 'blanks behind a field')
  if (failed > 0) error stop 1
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    failed = failed + 1
    print *, 'wrong: ', what
  end subroutine
end program
