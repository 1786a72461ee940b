! collapse and lastprivate.
program collapsed
  implicit none
  integer :: table(13, 17), i, j, last

  table = 0
  !$omp parallel do collapse(2) schedule(static, 4)
  do j = 1, 17
    do i = 13, 1, -1
      table(i, j) = table(i, j) + i * j
    end do
  end do
  !$omp end parallel do
  do j = 1, 17
    do i = 1, 13
      if (table(i, j) /= i * j) error stop 'collapse'
    end do
  end do
  last = -1
  !$omp parallel do lastprivate(last) schedule(static, 3)
  do i = 1, 100
    last = i * 2
  end do
  !$omp end parallel do
  if (last /= 200) error stop 'lastprivate'
end program
