! What only Fortran's data have, in the clauses of regions, loops and tasks: arrays that begin at other bounds, allocatable
! arrays, assumed shapes, a declared reduction of a type, and copies made in a procedure that a region calls.
! test: skip flang<22 it has neither declared reductions nor many of these kinds of data
module data_module
  use omp_lib
  implicit none
  type extent
    integer :: total = 0
    integer :: largest = -huge(1)
  end type
  !$omp declare reduction(joined:extent:omp_out = join(omp_out, omp_in)) initializer(omp_priv = extent())
  integer :: published = 0, number = 0
  integer, allocatable :: row(:)
  !$omp threadprivate(number, row)
contains
  pure type(extent) function join(one, other)
    type(extent), intent(in) :: one, other
    join%total = one%total + other%total
    join%largest = max(one%largest, other%largest)
  end function

  subroutine reductions(n)
    integer, intent(in) :: n
    integer :: shifted(-3:4), dummy(0:n - 1), i, members
    integer, allocatable :: table(:, :)
    type(extent) :: all
    shifted = 5; dummy = 0; members = 0
    allocate (table(-1:1, 2:3))
    table = 100
    !$omp parallel reduction(+:shifted, members)
    shifted(-3) = shifted(-3) + 1
    shifted(4) = shifted(4) + omp_get_thread_num()
    members = members + 1
    !$omp end parallel
    if (shifted(-3) /= 5 + members) error stop 'an array from -3 on'
    if (shifted(4) /= 5 + members * (members - 1) / 2) error stop 'its last element'
    if (any(shifted(-2:3) /= 5)) error stop 'the elements between'
    !$omp parallel do reduction(+:table) reduction(max:dummy) reduction(joined:all) schedule(dynamic, 4)
    do i = 60, 1, -1
      table(mod(i, 3) - 1, 2 + mod(i, 2)) = table(mod(i, 3) - 1, 2 + mod(i, 2)) + 1
      dummy(mod(i, n)) = max(dummy(mod(i, n)), i)
      all%total = all%total + i
      all%largest = max(all%largest, i)
    end do
    if (any(table /= 110)) error stop 'an allocatable array of two dimensions'
    if (minval(dummy) /= 60 - n + 1 .or. maxval(dummy) /= 60) error stop 'an array of the procedure'
    if (all%total /= 1830 .or. all%largest /= 60) error stop 'a declared reduction'
  end subroutine

  subroutine tasks(given)
    integer, intent(inout) :: given(:)
    integer, allocatable :: own(:)
    integer :: i, total, chain, wanted
    allocate (own(0:40))
    own = 2; total = 0; chain = 1; wanted = 1
    !$omp parallel shared(given, own, total, chain)
    !$omp single
    do i = 1, size(given)
      !$omp task firstprivate(own, i) shared(total, given)
      own(0) = own(0) * i
      given(i) = given(i) + own(0)
      !$omp atomic
      total = total + own(40)
      !$omp end task
      !$omp task depend(inout:chain) shared(chain) firstprivate(i)
      chain = mod(7 * chain + i, 1009)
      !$omp end task
    end do
    !$omp taskwait
    !$omp taskloop firstprivate(own) shared(total) num_tasks(5)
    do i = 30, -9, -2
      !$omp atomic
      total = total + own(7)
    end do
    !$omp end single
    !$omp end parallel
    do i = 1, size(given)
      wanted = mod(7 * wanted + i, 1009)
    end do
    if (chain /= wanted) error stop 'a chain of tasks'
    if (any(own /= 2)) error stop 'the original of a task''s copy'
    if (total /= 2 * size(given) + 2 * 20) error stop 'copies of tasks'
    if (any(given /= [(2 * i, i = 1, size(given))])) error stop 'an assumed shape'
  end subroutine

  subroutine publish(value)
    integer, intent(in) :: value
    !$omp single
    number = value
    published = value
    !$omp end single copyprivate(number)
  end subroutine

  subroutine copies(round)
    integer, intent(in) :: round
    integer :: wrong, i, last
    wrong = 0
    number = round
    if (allocated(row)) deallocate (row)
    allocate (row(round), source=3 * round)
    !$omp parallel copyin(number, row) reduction(+:wrong)
    if (number /= round) wrong = wrong + 1
    if (size(row) /= round) wrong = wrong + 1
    if (any(row /= 3 * round)) wrong = wrong + 1
    number = omp_get_thread_num()
    !$omp barrier
    call publish(1000 * round + omp_get_thread_num())
    if (number /= published .or. number / 1000 /= round) wrong = wrong + 1
    !$omp end parallel
    if (wrong /= 0) error stop 'copyin or copyprivate'
    !$omp parallel do lastprivate(last) schedule(dynamic)
    do i = 1, 20, 3
      last = 10 * i
    end do
    if (last /= 190) error stop 'lastprivate'
  end subroutine

  subroutine workshares(n)
    integer, intent(in) :: n
    integer :: x(n), y(n), i, negative
    x = [(i, i = 1, n)]
    !$omp parallel
    !$omp workshare
    where (mod(x, 3) == 0)
      y = x
    elsewhere
      y = 2 * x
    end where
    forall (i = 1:n:4) y(i) = -1
    negative = count(y < 0)
    !$omp end workshare
    !$omp end parallel
    if (negative /= (n + 3) / 4) error stop 'forall'
    do i = 1, n
      if (mod(i, 4) /= 1 .and. y(i) /= merge(i, 2 * i, mod(i, 3) == 0)) error stop 'where'
    end do
  end subroutine
end module

program data_f
  use data_module
  implicit none
  integer :: round, given(25)
  do round = 1, 10
    call reductions(7)
    given = 0
    call tasks(given)
    call copies(round)
    call workshares(101)
  end do
end program
