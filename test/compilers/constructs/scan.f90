! 5.0: `scan`
! test: omp/scan
program construct
  use omp_lib
  implicit none
  integer :: a(64), i, sum = 0
!$omp parallel do reduction(inscan, +: sum) num_threads(4)
  do i = 1, 64
    sum = sum + i
!$omp scan inclusive(sum)
    a(i) = sum
  end do
  if (any(a /= [(i * (i + 1) / 2, i = 1, 64)])) stop 1
end program
