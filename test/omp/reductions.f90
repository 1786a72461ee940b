! Reductions of Fortran's operators, intrinsics and types, arrays included.
program reductions
  implicit none
  integer :: i, total, product, least, greatest, bits_and, bits_or, bits_xor
  integer(8) :: long
  real :: single
  real(8) :: double
  logical :: all_true, any_true, same, differs

  total = 0; product = 1; least = 10000; greatest = -1; long = 7
  single = 0; double = 0; all_true = .true.; any_true = .false.
  !$omp parallel do reduction(+:total, long, single, double) reduction(*:product) &
  !$omp& reduction(min:least) reduction(max:greatest) reduction(.and.:all_true) &
  !$omp& reduction(.or.:any_true)
  do i = 1, 1000
    total = total + i
    long = long + i
    single = single + 1.0
    double = double + 0.5d0
    if (mod(i, 200) == 0) product = product * 3
    least = min(least, mod(i * 7, 1009))
    greatest = max(greatest, mod(i * 7, 1009))
    all_true = all_true .and. i > 0
    any_true = any_true .or. i == 777
  end do
  !$omp end parallel do
  if (total /= 500500 .or. long /= 500507) error stop 'integer sums'
  if (single /= 1000.0 .or. double /= 500d0) error stop 'real sums'
  if (product /= 243) error stop 'product'
  if (least /= 1 .or. greatest /= 1008) error stop 'extremes'
  if (.not. all_true .or. .not. any_true) error stop 'logical'

  bits_and = not(0); bits_or = 0; bits_xor = 0; same = .true.; differs = .false.
  !$omp parallel do reduction(iand:bits_and) reduction(ior:bits_or) reduction(ieor:bits_xor) &
  !$omp& reduction(.eqv.:same) reduction(.neqv.:differs) schedule(dynamic)
  do i = 0, 30
    bits_and = iand(bits_and, not(ishft(1, mod(i, 3))))
    bits_or = ior(bits_or, ishft(1, mod(i, 5)))
    bits_xor = ieor(bits_xor, i)
    same = same .eqv. (i /= 4)
    differs = differs .neqv. (i == 4)
  end do
  !$omp end parallel do
  if (bits_and /= not(7) .or. bits_or /= 31 .or. bits_xor /= 31) error stop 'bits'
  if (same .or. .not. differs) error stop 'equivalence'
end program
