! test: uses gfortran -fopenacc threads=1
! OpenACC in Fortran where the host is the only device.
program openacc_f
  use openacc
  implicit none
  integer :: i, total, failures = 0
  real :: array(100), fixed(10)
  character(20) :: name

  call acc_init(acc_device_host)
  array = 1
  total = 0
  !$acc data copy(array)
    !$acc parallel loop
    do i = 1, 100
      array(i) = array(i) + i
    end do
    !$acc update self(array)
  !$acc end data
  !$acc parallel loop reduction(+: total) async(1)
  do i = 1, 100
    total = total + int(array(i))
  end do
  !$acc wait
  call check(total == 5150, 'regions')

  call check(acc_get_num_devices(acc_device_host) == 1, 'acc_get_num_devices')
  call check(acc_get_num_devices(acc_device_nvidia) == 0, 'acc_get_num_devices of a GPU')
  call acc_set_device_type(acc_device_host)
  call check(acc_get_device_type() == acc_device_host, 'acc_get_device_type')
  call acc_set_device_num(0, acc_device_host)
  call check(acc_get_device_num(acc_device_host) == 0, 'acc_get_device_num')
  call check(acc_on_device(acc_device_host), 'acc_on_device')
  call check(acc_get_property(0, acc_device_host, acc_property_memory) == 0, 'acc_get_property')
  name = 'xxxxxxxxxxxxxxxxxxxx'
  call acc_get_property_string(0, acc_device_host, acc_property_vendor, name)
  call check(len_trim(name) > 0 .and. len_trim(name) < 20, 'acc_get_property_string')

  call acc_copyin(array)
  call acc_create(fixed, 40)
  call check(acc_is_present(array), 'acc_is_present of an array')
  call check(acc_is_present(fixed, 40), 'acc_is_present of bytes')
  call check(acc_is_present(fixed, 40_8), 'acc_is_present of kind 8')
  call acc_update_device(array)
  call acc_update_self(array)
  call acc_copyout_finalize(array)
  call acc_delete(fixed, 40)
  call check(acc_async_test(1), 'acc_async_test')
  call check(acc_async_test_all(), 'acc_async_test_all')
  call acc_wait(1)
  call acc_wait_async(1, 2)
  call acc_wait_all()
  call check(array(100) == 101, 'the data stay')
  if (failures > 0) error stop 1

contains

  include 'check.inc'
end program
