! sweep: particles move through a cube in eight octants of directions; ranks hold columns of cells.
!
! Why    A cell needs what flows out of the cells before it, so a wavefront runs over the ranks (the
!        method of Koch, Baker and Alcouffe): a rank waits until its upstream neighbours have done a
!        part of their cells. Waiting here is not a fault of the balance, but in the nature of it.
! Work   Cells and angles of one energy group, one iteration for each group; schedule(runtime).
! Check  A group's flux is summed over octants and angles in one order, so its bits depend neither on
!        ranks nor threads: the checksum mixes all bits of all fluxes. With --check rank 0 computes
!        them again, serially and over the whole cube. app.hpp has the arguments and the output.
program sweep
  use mpi
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  implicit none
  integer, parameter :: angles = 6, groups = 24, chunk = 8
  integer, parameter :: wrong_answer = 4  ! an exit status, as in micro/identity.hpp
  real(real64), parameter :: scatter = 0.3_real64
  real(real64) :: mu(angles), eta(angles), xi(angles)  ! cosines to x, y and z
  integer :: n = 24, steps = 4, rank, ranks, grid, threads, level, error
  integer :: counts(2) = 0, mine(2), y(2), z(2)  ! first and last cell of this rank
  real(real64) :: uneven = 1, start, seconds
  integer(int64) :: total, whole
  logical :: check = .false.
  character(len=4096) :: runtime = ''
  real(real64), allocatable :: flux(:, :, :, :)  ! x, y, z, group

  interface
    function bench_identify(file) bind(c) result(team)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: file(*)
      integer(c_int) :: team
    end function
  end interface

  call read_arguments
  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  threads = bench_identify(trim(runtime)//c_null_char)
  call take_part
  call make_angles
  allocate (flux(n, y(1):y(2), z(1):z(2), groups), source=0.0_real64)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  start = MPI_Wtime()
  call run(flux)
  seconds = MPI_Wtime() - start
  total = mixed(flux, y(1), z(1))
  call MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER8, MPI_BXOR, MPI_COMM_WORLD, error)
  if (rank == 0) then
    if (check) then
      whole = serial()
      if (whole /= total) then
        write (error_unit, '(a,z16.16,a,z16.16,a)') 'refused: sweep: checksum ', total, ' is not ', &
          whole, ' of the serial program'
        call MPI_Abort(MPI_COMM_WORLD, wrong_answer, error)
      end if
    end if
    write (*, '(a,i0,a,i0,a,i0,a,i0,a,i0,a,z16.16,a)') '{"kind":"app","app":"sweep","ranks":', ranks, &
      ',"threads":', threads, ',"size":', n, ',"steps":', steps, ',"ns":', int(seconds*1e9_real64, int64), &
      ',"checksum":"', total, '"}'
  end if
  call MPI_Finalize(error)

contains

  subroutine read_arguments
    character(len=4096) :: name, text
    integer :: i, status
    i = 1
    do while (i <= command_argument_count())
      call get_command_argument(i, name)
      if (name == '--check') then
        check = .true.
        i = i + 1
        cycle
      end if
      call get_command_argument(i + 1, text)
      status = 0
      select case (name)
      case ('--size'); call read_whole(name, text, 8, 1000, n)
      case ('--steps'); call read_whole(name, text, 1, 1000000, steps)
      case ('--runtime'); runtime = text
      case ('--uneven')
        read (text, *, iostat=status) uneven
        if (status /= 0 .or. .not. (uneven >= 1 .and. uneven <= 100)) &
          call reject('not a value for --uneven: ', text, 'a number from 1 to 100')
      case default; status = 1
      end select
      if (status /= 0 .or. i == command_argument_count()) &
        call reject('unknown argument, or one without its value: ', name, &
                    '--size N, --steps N, --uneven X, --runtime FILE, --check, each value after its name')
      i = i + 2
    end do
  end subroutine

  subroutine read_whole(name, text, least, most, value)
    character(len=*), intent(in) :: name, text
    integer, intent(in) :: least, most
    integer, intent(out) :: value
    character(len=64) :: accepted
    integer :: status
    write (accepted, '(a,i0,a,i0)') 'a whole number from ', least, ' to ', most
    status = verify(trim(text), '0123456789')
    if (status == 0) read (text, *, iostat=status) value
    if (status == 0) then
      if (value >= least .and. value <= most) return
    end if
    call reject('not a value for '//trim(name)//': ', text, accepted)
  end subroutine

  subroutine reject(why, what, accepted)
    character(len=*), intent(in) :: why, what, accepted
    write (error_unit, '(a)') why//"'"//trim(what)//"'; accepted: "//trim(accepted)
    stop 2, quiet=.true.
  end subroutine

  ! The columns of this rank. The first rows of ranks have `uneven` times as many cells as others.
  subroutine take_part
    integer :: all_work
    call MPI_Dims_create(ranks, 2, counts, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, counts, [.false., .false.], .false., grid, error)
    call MPI_Comm_rank(grid, rank, error)
    call MPI_Cart_coords(grid, rank, 2, mine, error)
    y = [bound(mine(1), counts(1), uneven) + 1, bound(mine(1) + 1, counts(1), uneven)]
    z = [bound(mine(2), counts(2), 1.0_real64) + 1, bound(mine(2) + 1, counts(2), 1.0_real64)]
    all_work = min(y(2) - y(1), z(2) - z(1)) + 1
    call MPI_Allreduce(MPI_IN_PLACE, all_work, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, error)
    if (all_work > 0) return
    call MPI_Finalize(error)
    call reject('not a value for --size: ', 'too small', 'a size at which each rank has work')
  end subroutine

  integer function bound(part, parts, weight)
    integer, intent(in) :: part, parts
    real(real64), intent(in) :: weight
    bound = 0
    if (part > 0) bound = nint(n*(weight + part - 1)/(weight + parts - 1))
  end function

  subroutine make_angles
    integer :: a
    do a = 1, angles
      mu(a) = (a - 0.5_real64)/angles
      eta(a) = sqrt(1 - mu(a)**2)*0.8_real64
      xi(a) = sqrt(1 - mu(a)**2)*0.6_real64
    end do
  end subroutine

  ! Particles that enter the flow in a cell: a source of its own, and those scattered in the last step.
  pure real(real64) function source_of(i, j, k, g, old)
    integer, intent(in) :: i, j, k, g
    real(real64), intent(in) :: old
    source_of = modulo(7*i + 11*j + 13*k + 17*g, 19)/19.0_real64 + scatter*old
  end function

  ! One cell and angle: what flows in through three faces is replaced by what flows out.
  pure subroutine pass(source, g, a, x_flow, y_flow, z_flow, sum)
    real(real64), intent(in) :: source
    integer, intent(in) :: g, a
    real(real64), intent(inout) :: x_flow, y_flow, z_flow, sum
    real(real64) :: flow
    flow = (source + mu(a)*x_flow + eta(a)*y_flow + xi(a)*z_flow)/(0.5_real64 + 0.1_real64*g + mu(a) + eta(a) + xi(a))
    x_flow = flow
    y_flow = flow
    z_flow = flow
    sum = sum + flow/(8*angles)
  end subroutine

  pure integer function turned(octant, dimension)  ! 1 or -1
    integer, intent(in) :: octant, dimension
    turned = merge(-1, 1, btest(octant, dimension))
  end function

  subroutine run(new)
    real(real64), intent(inout) :: new(:, y(1):, z(1):, :)
    real(real64), allocatable :: old(:, :, :, :)
    integer :: step, octant
    allocate (old, mold=new)
    do step = 1, steps
      old = new
      new = 0
      do octant = 0, 7
        call run_octant(octant, old, new)
      end do
    end do
  end subroutine

  ! Along x, `chunk` cells at a time: what flows out of them goes on to the next ranks.
  subroutine run_octant(octant, old, new)
    integer, intent(in) :: octant
    real(real64), intent(in) :: old(:, y(1):, z(1):, :)
    real(real64), intent(inout) :: new(:, y(1):, z(1):, :)
    real(real64), allocatable :: x_flow(:, :, :, :), y_flow(:, :, :, :), z_flow(:, :, :, :)
    integer :: from(2), to(2), d, part, first, g
    do d = 1, 2
      call MPI_Cart_shift(grid, d - 1, turned(octant, d), from(d), to(d), error)
    end do
    allocate (x_flow(angles, y(1):y(2), z(1):z(2), groups), source=0.0_real64)
    allocate (y_flow(angles, chunk, z(1):z(2), groups), z_flow(angles, chunk, y(1):y(2), groups))
    do part = 0, (n - 1)/chunk
      first = 1 + part*chunk
      y_flow = 0
      z_flow = 0
      call MPI_Recv(y_flow, size(y_flow), MPI_DOUBLE_PRECISION, from(1), 1, grid, MPI_STATUS_IGNORE, error)
      call MPI_Recv(z_flow, size(z_flow), MPI_DOUBLE_PRECISION, from(2), 2, grid, MPI_STATUS_IGNORE, error)
      !$omp parallel do schedule(runtime)
      do g = 1, groups
        call run_group(octant, first, g, old(:, :, :, g), new(:, :, :, g), &
                       x_flow(:, :, :, g), y_flow(:, :, :, g), z_flow(:, :, :, g))
      end do
      call MPI_Send(y_flow, size(y_flow), MPI_DOUBLE_PRECISION, to(1), 1, grid, error)
      call MPI_Send(z_flow, size(z_flow), MPI_DOUBLE_PRECISION, to(2), 2, grid, error)
    end do
  end subroutine

  subroutine run_group(octant, first, g, old, new, x_flow, y_flow, z_flow)
    integer, intent(in) :: octant, first, g
    real(real64), intent(in) :: old(:, y(1):, z(1):)
    real(real64), intent(inout) :: new(:, y(1):, z(1):)
    real(real64), intent(inout) :: x_flow(:, y(1):, z(1):), y_flow(:, :, z(1):), z_flow(:, :, y(1):)
    integer :: at, i, j, k, a
    real(real64) :: source
    do k = start_of(octant, 2, z), end_of(octant, 2, z), turned(octant, 2)
      do j = start_of(octant, 1, y), end_of(octant, 1, y), turned(octant, 1)
        do at = first, min(first + chunk - 1, n)
          i = merge(at, n + 1 - at, turned(octant, 0) == 1)
          source = source_of(i, j, k, g, old(i, j, k))
          do a = 1, angles
            call pass(source, g, a, x_flow(a, j, k), y_flow(a, at - first + 1, k), &
                      z_flow(a, at - first + 1, j), new(i, j, k))
          end do
        end do
      end do
    end do
  end subroutine

  pure integer function start_of(octant, dimension, part)
    integer, intent(in) :: octant, dimension, part(2)
    start_of = merge(part(1), part(2), turned(octant, dimension) == 1)
  end function

  pure integer function end_of(octant, dimension, part)
    integer, intent(in) :: octant, dimension, part(2)
    end_of = merge(part(2), part(1), turned(octant, dimension) == 1)
  end function

  ! All cells in one go: no chunks, no messages, no threads.
  integer(int64) function serial()
    real(real64), allocatable :: old(:, :, :, :), new(:, :, :, :)
    integer :: step, octant, g
    allocate (new(n, n, n, groups), source=0.0_real64)
    do step = 1, steps
      old = new
      new = 0
      do octant = 0, 7
        do g = 1, groups
          call serial_group(octant, g, old(:, :, :, g), new(:, :, :, g))
        end do
      end do
    end do
    serial = mixed(new, 1, 1)
  end function

  subroutine serial_group(octant, g, old, new)
    integer, intent(in) :: octant, g
    real(real64), intent(in) :: old(:, :, :)
    real(real64), intent(inout) :: new(:, :, :)
    real(real64) :: x_flow(n, n), y_flow(n, n), z_flow(n, n)
    integer :: a, i, j, k, cube(2)
    cube = [1, n]
    do a = 1, angles
      x_flow = 0
      y_flow = 0
      z_flow = 0
      do k = start_of(octant, 2, cube), end_of(octant, 2, cube), turned(octant, 2)
        do j = start_of(octant, 1, cube), end_of(octant, 1, cube), turned(octant, 1)
          do i = start_of(octant, 0, cube), end_of(octant, 0, cube), turned(octant, 0)
            call pass(source_of(i, j, k, g, old(i, j, k)), g, a, x_flow(j, k), y_flow(i, k), z_flow(i, j), &
                      new(i, j, k))
          end do
        end do
      end do
    end do
  end subroutine

  ! Shifts and exclusive or of each flux's bits and place; `j0`, `k0`: the first cell's place.
  integer(int64) function mixed(cells, j0, k0)
    real(real64), intent(in) :: cells(:, :, :, :)
    integer, intent(in) :: j0, k0
    integer(int64) :: bits
    integer :: i, j, k, g, place
    mixed = 0
    do g = 1, size(cells, 4)
      do k = 1, size(cells, 3)
        do j = 1, size(cells, 2)
          do i = 1, size(cells, 1)
            place = ((g*n + k + k0 - 2)*n + j + j0 - 2)*n + i
            bits = ishftc(transfer(cells(i, j, k, g), bits), modulo(place, 64))
            bits = ieor(bits, int(place, int64))
            bits = ieor(bits, ishft(bits, 13))
            bits = ieor(bits, ishft(bits, -7))
            mixed = ieor(mixed, ieor(bits, ishft(bits, 17)))
          end do
        end do
      end do
    end do
  end function
end program
