! A region, a loop and a reduction; prints how many threads there were.
program team
  use omp_lib
  implicit none
  integer :: i, threads
  integer(8) :: total
  total = 0
  threads = 0
  !$omp parallel
  !$omp single
  threads = omp_get_num_threads()
  !$omp end single
  !$omp do schedule(dynamic, 10) reduction(+ : total)
  do i = 0, 999
    total = total + i
  end do
  !$omp end parallel
  print '(a, i0, a, i0)', 'sum ', total, ' threads ', threads
end program team
