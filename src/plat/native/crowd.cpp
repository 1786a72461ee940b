#include "plat/native/crowd.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

namespace vicino::plat {
namespace {

constinit Crowd crowd;  // the process's
thread_local constinit CrowdWindow own_window;

}  // namespace

ThreadTimes thread_times() noexcept {
  const int saved = errno;  // the program's own
  ThreadTimes times;
  const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    char text[96];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    unsigned long long ran = 0, waited = 0;
    if (length > 0) text[length] = 0, sscanf(text, "%llu %llu", &ran, &waited);
    times = {ran, waited};
  }
  errno = saved;
  return times;
}

bool Crowd::look() noexcept { return look(now(), own_window, thread_times); }

void Crowd::lost_slice(uint64_t now, uint64_t away, bool offered) noexcept {
  lost_slice(now, away, offered, own_window, thread_times);
}

bool is_crowded() noexcept { return crowd.is_here(); }

namespace detail {

void lost_slice(uint64_t now, uint64_t away, bool offered) noexcept {
  crowd.lost_slice(now, away, offered);
}
bool may_offer_core(uint64_t now) noexcept { return crowd.accepts_offers(now); }

}  // namespace detail

}  // namespace vicino::plat
