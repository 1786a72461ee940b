#include "lend/bell.hpp"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace vicino::lend {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

}  // namespace

void wait_between_processes(const plat::atomic<uint32_t>& word, uint32_t seen,
                            uint64_t ns) noexcept {
  const timespec time{static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &time, nullptr, 0);
}

void wake_between_processes(const plat::atomic<uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace vicino::lend
