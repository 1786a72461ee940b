! Ordered loops in which every iteration, or only some, reaches the ordered region.
program ordered_f
  implicit none
  integer :: next, i, wrong, count

  next = 1
  wrong = 0
  !$omp parallel do ordered schedule(dynamic, 2)
  do i = 1, 200
    !$omp ordered
    if (next /= i) wrong = wrong + 1
    next = i + 1
    !$omp end ordered
  end do
  !$omp end parallel do
  if (wrong /= 0 .or. next /= 201) error stop 'ordered'
  next = 1000
  count = 0
  !$omp parallel do ordered schedule(static, 3)
  do i = 200, 1, -1
    if (mod(i, 7) == 0) then
      !$omp ordered
      if (i >= next) wrong = wrong + 1
      next = i
      count = count + 1
      !$omp end ordered
    end if
  end do
  !$omp end parallel do
  if (wrong /= 0 .or. count /= 28) error stop 'ordered in part'
end program
