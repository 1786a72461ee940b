#include "lend/wait.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "base/kept_errno.hpp"
#include "base/spread.hpp"
#include "lend/bell.hpp"
#include "lend/lending.hpp"

namespace vicino::lend {
namespace {

// struct sched_attr, which not every C library has.
struct Attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;  // runtime: of a thread without a deadline, its time slice
};

// While it lives, the calling thread is woken in time.
class Light {
 public:
  Light() noexcept {
    slack_ = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1000);
    is_changed_ = syscall(SYS_sched_getattr, 0, &before_, sizeof before_, 0) == 0 &&
                  before_.policy == SCHED_OTHER;
    if (is_changed_) set_slice(kShortest);
  }
  ~Light() {
    if (is_changed_) set_slice(before_.runtime);
    if (slack_ > 0) prctl(PR_SET_TIMERSLACK, slack_);
  }
  Light(const Light&) = delete;

 private:
  static constexpr uint64_t kShortest = 100'000;  // the kernel gives no shorter slice

  void set_slice(uint64_t ns) noexcept {
    Attributes made = before_;
    made.size = sizeof made;
    made.runtime = ns;
    syscall(SYS_sched_setattr, 0, &made, 0);
  }

  Attributes before_{};
  bool is_changed_ = false;
  int slack_ = 0;
};

Expected& expected_at(const void* where) noexcept {
  constexpr int kBits = 6;
  static constinit Expected places[size_t{1} << kBits];
  return places[spread(where, kBits)];
}

void sleep_lending(Lending& lending, int (*done)(void*), void* argument, uint64_t start,
                   uint64_t expected) {
  std::optional<Light> light;
  lending.lend();
  const plat::atomic<uint32_t>& bell = lending.bell();
  Guests guests(bell.load(std::memory_order_relaxed));
  const auto rest = [&](uint32_t heard) {
    const uint64_t now = plat::now();
    if (!guests.are_at_work(lending.are_taken(), heard, now)) return plat::relax();
    if (!light) light.emplace();
    wait_between_processes(bell, heard, pause_of(std::max(now - start, expected / 2)));
  };
  await(bell, [=] { return done(argument) != 0; }, rest);
  lending.take_back();
}

}  // namespace

void wait_until(Lending& lending, int (*done)(void*), void* argument, const void* where) {
  lending.ring();
  if (done(argument) != 0) return;
  Expected& expected = expected_at(where);
  const KeptErrno kept;
  const uint64_t start = plat::now();
  const uint64_t poll_until = start + expected.poll_ns();
  bool is_done = false;
  while (!is_done && plat::now() < poll_until) {
    plat::relax();
    is_done = done(argument) != 0;
  }
  if (!is_done) sleep_lending(lending, done, argument, start, expected.ns());
  expected.add(plat::now() - start);
}

}  // namespace vicino::lend
