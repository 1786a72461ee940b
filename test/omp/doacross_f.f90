! Doacross loops from Fortran: a step down, and two loops.
! test: skip flang ordered(n) is not implemented
program doacross_f
  implicit none
  integer, parameter :: n = 200, rows = 19, columns = 13
  integer(8) :: line(0:n + 1), i
  integer :: grid(0:rows, 0:columns), expected(0:rows, 0:columns), j, k

  line = 0
  !$omp parallel do ordered(1) schedule(dynamic, 1)
  do i = n, 1, -1
    !$omp ordered depend(sink : i + 1)
    line(i) = line(i + 1) + i
    !$omp ordered depend(source)
  end do
  if (line(1) /= n * (n + 1) / 2) stop 1

  expected = 1
  do j = 1, rows
    do k = 1, columns
      expected(j, k) = mod(expected(j - 1, k) + 3 * expected(j, k - 1), 1009)
    end do
  end do
  grid = 1
  !$omp parallel do ordered(2) schedule(static, 1)
  do j = 1, rows
    do k = 1, columns
      !$omp ordered depend(sink : j - 1, k) depend(sink : j, k - 1)
      grid(j, k) = mod(grid(j - 1, k) + 3 * grid(j, k - 1), 1009)
      !$omp ordered depend(source)
    end do
  end do
  if (any(grid /= expected)) stop 2
end program doacross_f
