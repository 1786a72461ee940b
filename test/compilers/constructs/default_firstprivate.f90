! 5.1: `default(firstprivate)`
program construct
  use omp_lib
  implicit none
  integer :: a = 3, sum = 0
!$omp parallel num_threads(2) default(firstprivate) reduction(+: sum)
  a = a + 1
  if (a == 4) sum = sum + 1
!$omp end parallel
  if (sum < 1 .or. a /= 3) stop 1
end program
