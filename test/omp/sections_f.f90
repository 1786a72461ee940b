! sections, single, master and workshare.
program sections_f
  use omp_lib
  implicit none
  integer :: runs(4), singles, masters, i
  real(8) :: a(100), b(100)

  runs = 0; singles = 0; masters = 0
  a = 1
  b = 0
  !$omp parallel private(i)
  do i = 1, 20
    !$omp sections
    runs(1) = runs(1) + 1
    !$omp section
    runs(2) = runs(2) + 1
    !$omp section
    runs(3) = runs(3) + 1
    !$omp section
    runs(4) = runs(4) + 1
    !$omp end sections
    !$omp single
    singles = singles + 1
    !$omp end single
    !$omp master
    masters = masters + 1
    !$omp end master
    !$omp barrier
  end do
  !$omp workshare
  b = a + 1
  a = 2 * b
  !$omp end workshare
  !$omp end parallel
  if (any(runs /= 20)) error stop 'sections'
  if (singles /= 20) error stop 'single'
  if (masters /= 20) error stop 'master'
  if (any(b /= 2) .or. any(a /= 4)) error stop 'workshare'
end program
