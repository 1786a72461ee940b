#include "plat/native/plat.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bit>

#include "base/kept_errno.hpp"
#include "plat/native/occupants.hpp"

namespace vicino::plat {

static_assert(std::endian::native == std::endian::little, "sleep_on takes the low half of a word");

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

}  // namespace

uint64_t now() noexcept {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);  // in the vDSO: no system call
  return static_cast<uint64_t>(t.tv_sec) * kSecond + static_cast<uint64_t>(t.tv_nsec);
}

uint64_t rnd() noexcept {
  static thread_local uint64_t state = 0;
  if (state == 0) state = (reinterpret_cast<uintptr_t>(&state) ^ now()) | 1;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1Du;
}

namespace detail {

namespace {

bool membarrier(int command) noexcept {
  const KeptErrno kept;
  const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
  return done;
}

}  // namespace

// Older kernels and some containers' filters refuse: both sides then use full fences.
bool asymmetric_fences = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);

void heavy_fence() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // F1, plat.hpp
  if (!asymmetric_fences || membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // A child of fork() may have to register again.
  membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

void futex_wait(const void* word, uint32_t seen, uint64_t most_ns) noexcept {
  const KeptErrno kept;  // the program's own
  const auto tell = asleep.load(std::memory_order_relaxed);
  if (tell != nullptr) tell(true);
  occupants.leave(own_occupancy);
  const timespec most{static_cast<time_t>(most_ns / kSecond), static_cast<long>(most_ns % kSecond)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, most_ns == kForever ? nullptr : &most, nullptr,
          0);
  enter_cpu();
  if (tell != nullptr) tell(false);
}

void futex_wake(const void* word, unsigned count) noexcept {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

}  // namespace detail

void yield() noexcept { sched_yield(); }

}  // namespace vicino::plat
