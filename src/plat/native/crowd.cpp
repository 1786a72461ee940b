#include "plat/native/crowd.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "plat/plat.hpp"

namespace vicino::plat {

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

bool Crowd::look() noexcept {
  static thread_local CrowdWindow window;
  return look(now(), window, thread_times);
}

}  // namespace vicino::plat
