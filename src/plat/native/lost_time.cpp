#include "plat/lost_time.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/kept_errno.hpp"
#include "base/thread_id.hpp"
#include "base/uncancelled.hpp"
#include "plat/native/occupants.hpp"

namespace vicino::plat {
namespace {

constinit std::atomic<int> usable_cpus{0};  // 0: not known
constinit std::atomic<int> known_threads{
    0};  // relaxed: only how long a thread polls follows from it

// Reads the beginning of a file of the kernel's; "" if it cannot be read. The program's errno stays
// as it is.
template <size_t kBytes>
void read_text(const char* path, char (&text)[kBytes]) noexcept {
  const Uncancelled uncancelled;
  const KeptErrno kept;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = 0;
  if (file >= 0) {
    length = read(file, text, kBytes - 1);
    close(file);
  }
  text[std::max(length, ssize_t{0})] = 0;
}

// Reads the fields of the first line, as sscanf() does.
template <class... Fields>
void read_fields(const char* path, const char* format, Fields*... fields) noexcept {
  char text[96];
  read_text(path, text);
  sscanf(text, format, fields...);
}

// 0: not known. The kernel counts a folder's folders, and two more, as its links. The program's errno stays as it is.
int threads_of_process() noexcept {
  const KeptErrno kept;
  struct stat tasks;
  const int links = stat("/proc/self/task", &tasks) == 0 ? static_cast<int>(tasks.st_nlink) : 2;
  return links - 2;
}

// The path of the file in which the kernel tells of the quota; null where there is no quota. Memory order:
//  (1) the release that publishes it pairs with
//  (2) the acquire of a thread that reads the path.
constinit std::atomic<const char*> quota_file{nullptr};

// How long threads were stopped: in ns by the line throttled_time of control groups of version 1, in us by
// throttled_usec of version 2. Only growth counts. (The line nr_throttled misses the stops
// that end within a period, when another CPU gives back what it has not used.)
unsigned long time_throttled(const char* path) noexcept {
  constexpr char kName[] = "\nthrottled_";
  char text[512];
  read_text(path, text);
  const char* const line = strstr(text, kName);
  const char* const value = line != nullptr ? strchr(line, ' ') : nullptr;
  return value != nullptr ? strtoul(value, nullptr, 10) : 0;
}

// Whether /proc knows the calling thread by this number: not if it shows another namespace of processes.
bool is_number_in_proc(pid_t number) noexcept {
  const KeptErrno kept;
  char target[64];
  const ssize_t length = readlink("/proc/thread-self", target, sizeof target - 1);
  if (length <= 0) return false;
  target[length] = 0;
  const char* const last = strrchr(target, '/');
  return last != nullptr && strtol(last + 1, nullptr, 10) == number;
}

}  // namespace

// A look through /proc/thread-self leaves an entry of the thread below its process's folder in the kernel's memory of names.
// When a child process ends, its parent takes such entries away, and spins until a thread of the child that has lost its CPU
// there runs again: 0.2 to 0.9 s for each child on two crowded CPUs (Linux 6.18). /proc/NUMBER leaves none there.
ThreadTimes thread_times() noexcept {
  static thread_local constinit pid_t known = 0;
  const pid_t number = thread_id();
  if (known != number && is_number_in_proc(number)) known = number;
  char path[40] = "/proc/thread-self/schedstat";
  if (known == number) snprintf(path, sizeof path, "/proc/%d/schedstat", number);
  unsigned long long ran = 0, waited = 0;
  read_fields(path, "%llu %llu", &ran, &waited);
  return {ran, waited};
}

std::optional<Load> load() noexcept {
  // No guard, which might be taken for ever in a child of fork(). Relaxed: every thread finds the same.
  static constinit std::atomic<int> known{0};
  int cpus = known.load(std::memory_order_relaxed);
  if (cpus == 0)
    known.store(cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), std::memory_order_relaxed);
  if (usable_cpus.load(std::memory_order_relaxed) != cpus) return {};
  int ready = -1;
  read_fields("/proc/loadavg", "%*s %*s %*s %d/", &ready);
  if (ready < 0) return {};
  return Load{ready, cpus};
}

void set_known_threads(int count) noexcept {
  known_threads.store(count, std::memory_order_relaxed);
}

bool has_unknown_threads() noexcept {
  return threads_of_process() > known_threads.load(std::memory_order_relaxed);
}

bool detail::others_may_wait(bool waits_long) noexcept {
  if (waits_long) return has_unknown_threads();
  const std::optional<Load> seen = load();
  if (!seen || seen->ready <= seen->cpus) return false;
  // The numbers of CPUs may have gaps, so all are asked.
  return seen->ready > seen->cpus + occupants.turns(Occupants::kCpus, now()) &&
         has_unknown_threads();
}

void set_usable_cpus(int count) noexcept { usable_cpus.store(count, std::memory_order_relaxed); }

void watch_quota(std::string_view stat_file) {
  quota_file.store(strndup(stat_file.data(), stat_file.size()), std::memory_order_release);  // (1)
}

bool was_throttled() noexcept {
  constexpr uint64_t kSoonNs = 20'000'000;  // several time slices
  static thread_local constinit unsigned long known = 0;
  static thread_local constinit uint64_t soon_until = 0;
  const char* const path = quota_file.load(std::memory_order_acquire);  // (2)
  if (path == nullptr) return false;
  const unsigned long throttled = time_throttled(path);
  if (std::exchange(known, throttled) != throttled) {
    soon_until = 0;
    return true;
  }
  const uint64_t time = now();
  return std::exchange(soon_until, time + kSoonNs) <= time;
}

bool detail::was_switched() noexcept {
  static thread_local constinit long seen = -1;
  rusage used;
  if (getrusage(RUSAGE_THREAD, &used) != 0) return false;
  return std::exchange(seen, used.ru_nivcsw) != used.ru_nivcsw && seen != -1;
}

}  // namespace vicino::plat
