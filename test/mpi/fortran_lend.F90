! Calls of Fortran programs that lend cores while they wait (VICINO_LEND): every answer is checked, and rank 0
! counts its regions of two threads or more while the others wait for it in the call that the argument names. It
! counts in the second half of the time: in the first one, others may still be lending in the barrier before.
! LARGE: mpi_f08 has large counts.
#ifdef F08
#define TYPE_OF_REQUEST type(MPI_Request)
#define TYPE_OF_COMM type(MPI_Comm)
#define TYPE_OF_MESSAGE type(MPI_Message)
#define TYPE_OF_FILE type(MPI_File)
#define TYPE_OF_WINDOW type(MPI_Win)
#define TYPE_OF_GROUP type(MPI_Group)
#define STATUS type(MPI_Status) :: s
#define STATUSES type(MPI_Status) :: all_s(3)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define TAG_IN(s, i) s(i)%MPI_TAG
#else
#define TYPE_OF_REQUEST integer
#define TYPE_OF_COMM integer
#define TYPE_OF_MESSAGE integer
#define TYPE_OF_FILE integer
#define TYPE_OF_WINDOW integer
#define TYPE_OF_GROUP integer
#define STATUS integer :: s(MPI_STATUS_SIZE)
#define STATUSES integer :: all_s(MPI_STATUS_SIZE, 3)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define TAG_IN(s, i) s(MPI_TAG, i)
#endif
module part
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: rank, ranks, ierr
  integer, asynchronous :: in_window(1024)
  TYPE_OF_WINDOW :: window
#ifdef LARGE
  integer(kind=MPI_COUNT_KIND), parameter :: one = 1
#endif

contains
  subroutine check(holds, line)
    logical, intent(in) :: holds
    integer, intent(in) :: line
    if (holds .and. ierr == MPI_SUCCESS) return
    write (0, *) 'rank', rank, 'wrong in line', line
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end subroutine check

  subroutine collectives()
    integer :: mine(1), total(1), gathered(8), twice(16), counts(8), displs(8), i
    mine = rank + 1
    counts = 1
    displs = [(i, i = 0, 7)]
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total(1) == ranks * (ranks + 1) / 2, __LINE__)
    total = mine
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total(1) == ranks * (ranks + 1) / 2, __LINE__)
    call MPI_Reduce(mine, total, 1, MPI_INTEGER, MPI_SUM, ranks - 1, MPI_COMM_WORLD, ierr)
    call check(rank /= ranks - 1 .or. total(1) == ranks * (ranks + 1) / 2, __LINE__)
    total = merge(42, 0, rank == 0)
    call MPI_Bcast(total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call check(total(1) == 42, __LINE__)
    gathered = 0
    call MPI_Allgather(mine, 1, MPI_INTEGER, gathered, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(gathered(1) == 1 .and. gathered(ranks) == ranks, __LINE__)
    call MPI_Gatherv(mine, 1, MPI_INTEGER, gathered, counts, displs, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call MPI_Scatterv(gathered, counts, displs, MPI_INTEGER, total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call check(total(1) == mine(1), __LINE__)
    gathered = [(10 * rank + i, i = 0, 7)]
    call MPI_Alltoallv(gathered, counts, displs, MPI_INTEGER, twice, counts, displs, MPI_INTEGER, &
                       MPI_COMM_WORLD, ierr)
    call check(all(twice(1:ranks) == [(10 * i + rank, i = 0, ranks - 1)]), __LINE__)
    call MPI_Scan(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total(1) == mine(1) * (mine(1) + 1) / 2, __LINE__)
    gathered = displs
    call MPI_Reduce_scatter_block(gathered, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total(1) == ranks * rank, __LINE__)
  end subroutine collectives

  subroutine messages()
    integer :: after, before, mine(1), got(1), more(3), count, i, index, tag, done, indices(3), left
    TYPE_OF_REQUEST :: requests(3)
    TYPE_OF_MESSAGE :: message
    STATUS
    STATUSES
    after = modulo(rank + 1, ranks)
    before = modulo(rank - 1, ranks)
    mine = rank
    call MPI_Sendrecv(mine, 1, MPI_INTEGER, after, 5, got, 1, MPI_INTEGER, before, 5, MPI_COMM_WORLD, s, ierr)
    call check(got(1) == before .and. SOURCE_OF(s) == before .and. TAG_OF(s) == 5, __LINE__)
#ifdef LARGE
    got = -1
    call MPI_Sendrecv(mine, one, MPI_INTEGER, after, 4, got, one, MPI_INTEGER, before, 4, MPI_COMM_WORLD, s, ierr)
    call check(got(1) == before .and. SOURCE_OF(s) == before .and. TAG_OF(s) == 4, __LINE__)
#endif
    call MPI_Isend(mine, 1, MPI_INTEGER, after, 6, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, s, ierr)
    call check(got(1) == before .and. SOURCE_OF(s) == before .and. TAG_OF(s) == 6, __LINE__)
    call MPI_Get_count(s, MPI_INTEGER, count, ierr)
    call check(count == 1, __LINE__)
    call MPI_Wait(requests(1), s, ierr)
    call check(requests(1) == MPI_REQUEST_NULL, __LINE__)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)  ! of nothing
    do i = 1, 3
      call MPI_Irecv(more(i), 1, MPI_INTEGER, before, 10 + i, MPI_COMM_WORLD, requests(i), ierr)
    end do
    do i = 1, 3
      mine = i
      call MPI_Send(mine, 1, MPI_INTEGER, after, 10 + i, MPI_COMM_WORLD, ierr)
    end do
    call MPI_Waitany(3, requests, index, s, ierr)
    ! MPICH 4.0 counts from 0 in mpi_f08.
    tag = TAG_OF(s)
    call check(tag - 10 == index .or. tag - 11 == index, __LINE__)
    call check(more(tag - 10) == tag - 10, __LINE__)
    left = 2
    do while (left > 0)
      call MPI_Waitsome(3, requests, done, indices, all_s, ierr)
      call check(done >= 1 .and. done <= left, __LINE__)
      do i = 1, done
        tag = TAG_IN(all_s, i)
        call check(tag - 10 == indices(i) .or. tag - 11 == indices(i), __LINE__)
      end do
      left = left - done
    end do
    call MPI_Waitsome(3, requests, done, indices, MPI_STATUSES_IGNORE, ierr)
    call check(done == MPI_UNDEFINED .and. all(more == [1, 2, 3]), __LINE__)
    call MPI_Irecv(got, 1, MPI_INTEGER, before, 7, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Issend(mine, 1, MPI_INTEGER, after, 7, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Waitall(2, requests, all_s, ierr)
    call check(got(1) == 3 .and. TAG_IN(all_s, 1) == 7, __LINE__)
    if (rank == 0 .and. ranks > 1) call MPI_Ssend(mine, 1, MPI_INTEGER, after, 8, MPI_COMM_WORLD, ierr)
    if (rank == 1) then
      call MPI_Mprobe(0, 8, MPI_COMM_WORLD, message, s, ierr)
      call MPI_Mrecv(got, 1, MPI_INTEGER, message, s, ierr)
      call check(got(1) == 3 .and. TAG_OF(s) == 8, __LINE__)
    end if
    call MPI_Isend(mine, 1, MPI_INTEGER, after, 9, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Probe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, s, ierr)
    call MPI_Get_count(s, MPI_INTEGER, count, ierr)
    call check(SOURCE_OF(s) == before .and. TAG_OF(s) == 9 .and. count == 1, __LINE__)
    call MPI_Recv(got, 1, MPI_INTEGER, before, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
  end subroutine messages

  function ranks_from(first, count) result(some)
    integer, intent(in) :: first, count
    integer :: range(3, 1)
    TYPE_OF_GROUP :: world, some
    range(:, 1) = [first, first + count - 1, 1]
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_range_incl(world, 1, range, some, ierr)
    call MPI_Group_free(world, ierr)
  end function ranks_from

  ! Rank 0 writes the windows of the others, which wait for it.
  subroutine write_windows()
    TYPE_OF_GROUP :: partners
    integer(kind=MPI_ADDRESS_KIND) :: offset
    integer :: mine(1), i
    mine = 42
    offset = 0
    if (rank == 0) then
      partners = ranks_from(1, ranks - 1)
      call MPI_Win_start(partners, 0, window, ierr)
      do i = 1, ranks - 1
        call MPI_Put(mine, 1, MPI_INTEGER, i, offset, 1, MPI_INTEGER, window, ierr)
      end do
      call MPI_Win_complete(window, ierr)
    else
      in_window(1) = -1
      partners = ranks_from(0, 1)
      call MPI_Win_post(partners, 0, window, ierr)
      call MPI_Win_wait(window, ierr)
      call check(in_window(1) == 42, __LINE__)
    end if
    call MPI_Group_free(partners, ierr)
  end subroutine write_windows

  subroutine make_window()
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    bytes = 4096
    call MPI_Win_create(in_window, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
    call check(.true., __LINE__)
  end subroutine make_window

  ! Between two groups collectives block.
  subroutine groups()
    TYPE_OF_COMM :: half, inter
    integer :: mine(1), theirs(1)
    if (ranks < 2) return
    call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank, 2), rank, half, ierr)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - modulo(rank, 2), 3, inter, ierr)
    mine = 1
    call MPI_Allreduce(mine, theirs, 1, MPI_INTEGER, MPI_SUM, inter, ierr)
    call check(theirs(1) == merge(ranks / 2, (ranks + 1) / 2, modulo(rank, 2) == 0), __LINE__)
    call MPI_Comm_free(inter, ierr)
    call MPI_Comm_free(half, ierr)
  end subroutine groups

  ! Requests of files, in whose progress MPICH has its own ways.
  subroutine files()
    TYPE_OF_FILE :: file
    TYPE_OF_REQUEST :: requests(2)
    STATUSES
    integer(kind=MPI_OFFSET_KIND) :: offset
    integer :: values(2), i
    character(len=4096) :: name
    call get_environment_variable('TMPDIR', name)
    if (name == '') name = '/tmp'
    write (name, '(A, A, I0)') trim(name), '/vicino-lend-test-', getpid()
    call MPI_File_open(MPI_COMM_SELF, trim(name), MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                       MPI_INFO_NULL, file, ierr)
    call check(.true., __LINE__)
    values = [rank, ranks]
    do i = 1, 2
      offset = 4 * i
      call MPI_File_iwrite_at(file, offset, values(i), 1, MPI_INTEGER, requests(i), ierr)
    end do
    call MPI_Waitall(2, requests, all_s, ierr)
    values = -1
    do i = 1, 2
      offset = 4 * i
      call MPI_File_iread_at(file, offset, values(i), 1, MPI_INTEGER, requests(i), ierr)
    end do
    call MPI_Waitall(2, requests, all_s, ierr)
    call check(all(values == [rank, ranks]), __LINE__)
    call MPI_File_close(file, ierr)
  end subroutine files

  ! An error is returned, and does not hang.
  subroutine errors()
    integer :: value(1)
    value = 0
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Bcast(value, 1, MPI_INTEGER, ranks + 7, MPI_COMM_WORLD, ierr)
    if (ierr == MPI_SUCCESS) call check(.false., __LINE__)
    call MPI_Recv(value, 1, MPI_INTEGER, ranks + 7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (ierr == MPI_SUCCESS) call check(.false., __LINE__)
#ifdef F08
    call MPI_Send(value, 1, MPI_INTEGER, ranks + 7, 0, MPI_COMM_WORLD)  ! whose ierror is absent
#endif
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
  end subroutine errors

  subroutine wait_by(name)
    character(len=*), intent(in) :: name
    integer :: value(1), sent(1), total(1), index, done, indices(1), i
    TYPE_OF_REQUEST :: request(1)
    TYPE_OF_MESSAGE :: message
    STATUS
    value = 0
    sent = 0
    if (name == 'Allreduce') then
      call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    else if (name == 'Barrier') then
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    else if (name == 'Win_wait') then
      call write_windows()
    else if (rank == 0) then
      do i = 1, ranks - 1
        call MPI_Send(value, 1, MPI_INTEGER, i, 1, MPI_COMM_WORLD, ierr)
      end do
    else if (name == 'Recv') then
      call MPI_Recv(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    else if (name == 'Probe') then
      call MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Recv(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, s, ierr)
      call check(TAG_OF(s) == 1, __LINE__)
    else if (name == 'Mprobe') then
      call MPI_Mprobe(0, 1, MPI_COMM_WORLD, message, s, ierr)
      call MPI_Mrecv(value, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr)
      call check(TAG_OF(s) == 1, __LINE__)
    else if (name == 'Sendrecv') then
      call MPI_Sendrecv(sent, 1, MPI_INTEGER, MPI_PROC_NULL, 1, value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, s, ierr)
      call check(TAG_OF(s) == 1, __LINE__)
#ifdef LARGE
    else if (name == 'Sendrecv_c') then
      call MPI_Sendrecv(sent, one, MPI_INTEGER, MPI_PROC_NULL, 1, value, one, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, s, &
                        ierr)
      call check(TAG_OF(s) == 1, __LINE__)
#endif
    else
      call MPI_Irecv(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, request(1), ierr)
      if (name == 'Wait') call MPI_Wait(request(1), MPI_STATUS_IGNORE, ierr)
      if (name == 'Waitall') call MPI_Waitall(1, request, MPI_STATUSES_IGNORE, ierr)
      if (name == 'Waitany') call MPI_Waitany(1, request, index, MPI_STATUS_IGNORE, ierr)
      if (name == 'Waitsome') call MPI_Waitsome(1, request, done, indices, MPI_STATUSES_IGNORE, ierr)
      call check(request(1) == MPI_REQUEST_NULL, __LINE__)
    end if
  end subroutine wait_by
end module part

program fortran_lend
  use omp_lib
  use part
  implicit none
  integer :: round, wide, alone
  double precision :: half, now
  character(len=16) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  do round = 1, 20
    call collectives()
    call messages()
  end do
  ! Open MPI 4.1 cannot make a window for a rank that is alone.
  if (ranks > 1) then
    call make_window()
    do round = 1, 10
      call write_windows()
    end do
  end if
  call groups()
  call errors()
  wide = 0
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    half = MPI_Wtime() + 0.15d0
    now = half - 0.15d0
    do while (now < half + 0.15d0)
      !$omp parallel
      !$omp single
      if (now > half .and. omp_get_num_threads() > 1) wide = wide + 1
      !$omp end single
      !$omp end parallel
      now = MPI_Wtime()
    end do
  end if
  name = 'Barrier'
  if (command_argument_count() > 0) call get_command_argument(1, name)
  call wait_by(trim(name))
  !$omp parallel
  !$omp single
  alone = omp_get_num_threads()
  !$omp end single
  !$omp end parallel
  call files()
  if (ranks > 1) call MPI_Win_free(window, ierr)
  if (rank == 0) print '(I0, 1X, I0)', merge(1, 0, wide > 0), alone
  call MPI_Finalize(ierr)
end program fortran_lend
