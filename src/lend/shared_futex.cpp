#include "lend/shared_futex.hpp"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vicino::lend {

void sleep_while(const plat::atomic<uint32_t>& word, uint32_t seen) noexcept {
  const int saved = errno;  // the program's own
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, nullptr, nullptr, 0);
  errno = saved;
}

void wake_all(const plat::atomic<uint32_t>& word) noexcept {
  const int saved = errno;
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  errno = saved;
}

}  // namespace vicino::lend
