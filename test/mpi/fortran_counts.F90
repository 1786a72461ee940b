! Calls of each sort from Fortran, as often and with as many bytes as the table in mpi_test.py says.
#ifdef F08
#define TYPE_OF_REQUEST type(MPI_Request)
#define TYPE_OF_COMM type(MPI_Comm)
#define TYPE_OF_STATUS(name) type(MPI_Status) :: name
#define TYPE_OF_FILE type(MPI_File)
#else
#define TYPE_OF_REQUEST integer
#define TYPE_OF_COMM integer
#define TYPE_OF_STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define TYPE_OF_FILE integer
#endif
program counts
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: ierr, r, n, i
  integer :: a(4096), b(4096)
  double precision :: x(4), y(4)
  TYPE_OF_COMM :: copy
  TYPE_OF_REQUEST :: q(1)
  TYPE_OF_STATUS(s)
  TYPE_OF_FILE :: file
  character(len=256) :: name
  a = 1
  x = 1
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  ! Calls that follow each other closely, after which few are timed: pace.hpp.
  do i = 1, 200
    call MPI_Barrier(MPI_COMM_SELF, ierr)
  end do
  do i = 1, 3
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  do i = 1, 5
    call MPI_Allreduce(x, y, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  if (abs(y(2) - n) > 0) stop 3
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (abs(x(1) - n) > 0) stop 4
  call MPI_Bcast(a, 10, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (r == 0) then
    call MPI_Gather(MPI_IN_PLACE, 77, MPI_DATATYPE_NULL, b, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Gather(a, 3, MPI_INTEGER, b, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Alltoall(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call MPI_Sendrecv(a, 5, MPI_INTEGER, mod(r + 1, n), 1, b, 6, MPI_INTEGER, mod(r + n - 1, n), 1, &
                    MPI_COMM_WORLD, s, ierr)
  call MPI_Irecv(b, 3, MPI_INTEGER, r, 1, MPI_COMM_WORLD, q(1), ierr)
  call MPI_Send(a, 3, MPI_INTEGER, r, 1, MPI_COMM_WORLD, ierr)
  call MPI_Waitall(1, q, MPI_STATUSES_IGNORE, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Comm_free(copy, ierr)
  call get_command_argument(1, name)
  call MPI_File_open(MPI_COMM_WORLD, trim(name), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  if (ierr /= MPI_SUCCESS) stop 5
  call MPI_File_close(file, ierr)
#ifdef F08
  call MPI_Barrier(MPI_COMM_WORLD)   ! without ierror
  call MPI_Finalize()
#else
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
#endif
end program
