#include "plat/native/crowd.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/uncancelled.hpp"

namespace vicino::plat {
namespace {

constinit Crowd crowd;  // the process's
thread_local constinit CrowdWindow own_window;
constinit std::atomic<int> usable_cpus{0};  // 0: not known

// Reads the first line of a file of the kernel's: its fields, as sscanf() does. The program's errno
// stays as it is.
template <class... Fields>
void read_fields(const char* path, const char* format, Fields*... fields) noexcept {
  const Uncancelled uncancelled;
  const int saved = errno;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    char text[96];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length > 0) text[length] = 0, sscanf(text, format, fields...);
  }
  errno = saved;
}

Ready ready_threads() noexcept {
  static constinit std::atomic<long> known{0};  // a guard might be taken for ever in a child of fork()
  long cpus = known.load(std::memory_order_relaxed);
  if (cpus == 0) known.store(cpus = sysconf(_SC_NPROCESSORS_ONLN), std::memory_order_relaxed);
  if (usable_cpus.load(std::memory_order_relaxed) != cpus) return Ready::kUnknown;
  long ready = -1;
  read_fields("/proc/loadavg", "%*s %*s %*s %ld/", &ready);
  if (ready < 0) return Ready::kUnknown;
  return ready > cpus ? Ready::kMoreThanCpus : Ready::kFew;
}

// What the calling thread sees.
struct Kernel {
  ThreadTimes times() const noexcept { return thread_times(); }
  Ready ready() const noexcept { return ready_threads(); }
};

}  // namespace

ThreadTimes thread_times() noexcept {
  unsigned long long ran = 0, waited = 0;
  read_fields("/proc/thread-self/schedstat", "%llu %llu", &ran, &waited);
  return {ran, waited};
}

bool is_crowded() noexcept { return crowd.is_noted() && crowd.look(now(), own_window, Kernel()); }
void set_usable_cpus(int count) noexcept { usable_cpus.store(count, std::memory_order_relaxed); }

namespace detail {

bool lost_slice(uint64_t now, uint64_t away) noexcept {
  return crowd.lost_slice(now, away, own_window, Kernel());
}

}  // namespace detail

}  // namespace vicino::plat
