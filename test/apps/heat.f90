! heat: conjugate gradients on the five-point Laplacian, with OpenMP worksharing and reductions.
!
! The right-hand side is made from a known solution, so the program checks its own answer: the error
! against that solution must be what the stopping rule allows. fortran_test.py reads the output.
program heat
  use omp_lib
  implicit none
  integer, parameter :: real64 = selected_real_kind(15), n = 120
  real(real64) :: known(0:n + 1, 0:n + 1), x(0:n + 1, 0:n + 1), b(n, n), r(n, n), q(n, n)
  real(real64) :: p(0:n + 1, 0:n + 1), rho, rho_old, alpha, limit
  integer :: i, j, steps, seen(0:1023), team

  known = 0; x = 0; p = 0; seen = 0; team = 0
  do j = 1, n
    do i = 1, n
      known(i, j) = sin(0.1_real64*i)*real(j*(n + 1 - j), real64)/n**2 + 0.01_real64*mod(i*j, 7)
    end do
  end do
  call laplacian(known, b)

  !$omp parallel do schedule(static)
  do j = 1, n
    r(:, j) = b(:, j)
    p(1:n, j) = b(:, j)
  end do
  rho = dot(r, r)
  limit = rho*1.0e-22_real64

  do steps = 1, 4*n
    if (rho <= limit) exit
    call laplacian(p, q)
    alpha = rho/dot(p(1:n, 1:n), q)
    !$omp parallel do schedule(dynamic, 3)
    do j = 1, n
      x(1:n, j) = x(1:n, j) + alpha*p(1:n, j)
      r(:, j) = r(:, j) - alpha*q(:, j)
    end do
    rho_old = rho
    rho = dot(r, r)
    !$omp parallel do schedule(guided)
    do j = 1, n
      p(1:n, j) = r(:, j) + (rho/rho_old)*p(1:n, j)
    end do
  end do

  !$omp parallel
  !$omp single
  team = omp_get_num_threads()
  !$omp end single
  !$omp critical
  seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
  !$omp end critical
  !$omp end parallel

  print '(a, i0)', 'team ', team
  print '(a, l1)', 'each thread once ', all(seen(0:team - 1) == 1) .and. sum(seen) == team
  print '(a, l1)', 'solved ', rho <= limit
  print '(a, l1)', 'right ', maxval(abs(x - known)) < 1.0e-7_real64

contains

  subroutine laplacian(from, into)
    real(real64), intent(in) :: from(0:n + 1, 0:n + 1)
    real(real64), intent(out) :: into(n, n)
    integer :: row, column
    !$omp parallel do collapse(2) schedule(static, 16)
    do column = 1, n
      do row = 1, n
        into(row, column) = 4*from(row, column) - from(row - 1, column) - from(row + 1, column) &
                            - from(row, column - 1) - from(row, column + 1)
      end do
    end do
  end subroutine

  real(real64) function dot(u, v)
    real(real64), intent(in) :: u(n, n), v(n, n)
    integer :: column
    dot = 0
    !$omp parallel do reduction(+:dot)
    do column = 1, n
      dot = dot + sum(u(:, column)*v(:, column))
    end do
  end function

end program heat
