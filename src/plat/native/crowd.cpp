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

bool is_crowded() noexcept {
  return crowd.is_noted() && crowd.look(now(), own_window, thread_times);
}

namespace detail {

void begin_to_poll(uint64_t now) noexcept { crowd.begin_to_poll(now, own_window, thread_times); }
bool lost_slice(uint64_t now, uint64_t away) noexcept {
  return crowd.lost_slice(now, away, own_window, thread_times);
}

}  // namespace detail

}  // namespace vicino::plat
