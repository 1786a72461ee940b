! A whole array and an allocatable one as reduction variables.
program reduction_arrays
  implicit none
  integer :: bins(50), i
  real(8), allocatable :: sums(:)

  bins = 1
  allocate (sums(20))
  sums = 0
  !$omp parallel do reduction(+:bins, sums) schedule(dynamic, 10)
  do i = 0, 999
    bins(mod(i, 50) + 1) = bins(mod(i, 50) + 1) + 1
    sums(mod(i, 20) + 1) = sums(mod(i, 20) + 1) + i
  end do
  !$omp end parallel do
  if (any(bins /= 21)) error stop 'array'
  do i = 1, 20
    if (sums(i) /= 50 * (i - 1) + 20 * 1225) error stop 'allocatable'
  end do
  deallocate (sums)
end program
