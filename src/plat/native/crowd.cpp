#include "plat/native/crowd.hpp"

#include "plat/native/occupants.hpp"

namespace vicino::plat {
namespace {

constinit Crowd crowd;  // the process's
thread_local constinit RunDelay own_window;

// What the calling thread sees.
struct Kernel {
  ThreadTimes times() const noexcept { return thread_times(); }
  std::optional<Load> load() const noexcept { return plat::load(); }
};

}  // namespace

bool was_crowded(uint64_t now) noexcept { return crowd.was_there(now); }
uint64_t crowded_ns() noexcept { return crowd.lasted_ns(); }
void forget_others() noexcept {
  crowd.forget();
  occupants.forget();
}

void detail::lost_slice(uint64_t now) noexcept { crowd.lost_slice(now, own_window, Kernel()); }
void detail::lost_moment(uint64_t now) noexcept { crowd.lost_moment(now, own_window, Kernel()); }

void detail::forget_run_delay() noexcept { own_window.restart(now(), thread_times()); }

}  // namespace vicino::plat
