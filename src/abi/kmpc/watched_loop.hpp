// watched_loop.hpp: what a tool is told of LLVM's loops in which a thread asks once for its bounds (OMPT).
#pragma once

#include <type_traits>

#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/schedule.hpp"
#include "event/work.hpp"
#include "loop/canonical.hpp"

namespace vicino::kmpc {

inline ompt::Work work_of(const Ident* where, int32_t schedule) noexcept {
  const int32_t flags = where != nullptr ? where->flags : 0;
  if ((flags & kWorkSections) != 0) return ompt::Work::kSections;
  if ((flags & kWorkDistribute) != 0 || is_distribute(schedule)) return ompt::Work::kDistribute;
  return ompt::Work::kStaticLoop;
}

// Keeps the loop's bounds, which the call replaces by the thread's.
template <class T>
class WatchedLoop {
 public:
  using Step = std::make_signed_t<T>;
  WatchedLoop(bool watched, T lower, T upper, Step step) noexcept
      : watched_(watched), lower_(lower), upper_(upper), step_(step) {}

  // The thread has got the bounds [lower, upper].
  void tell(ompt::Work work, T lower, T upper) const noexcept {
    if (watched_) [[unlikely]]
      tell_both(work, lower, upper);
  }

 private:
  uint64_t trip(T lower, T upper) const noexcept {
    return loop::Canonical<T>::inclusive(lower, upper, step_).trip();
  }
  [[gnu::cold]] void tell_both(ompt::Work work, T lower, T upper) const noexcept {
    event::work_begins(work, trip(lower_, upper_));
    const uint64_t its = trip(lower, upper);
    if (its == 0) return;
    if (work == ompt::Work::kSections) return event::section_begins();
    const bool distributes = work == ompt::Work::kDistribute;
    event::chunk_begins(
        distributes ? ompt::DispatchKind::kDistributeChunk : ompt::DispatchKind::kLoopChunk,
        static_cast<uint64_t>(lower), its);
  }

  bool watched_;
  T lower_, upper_;
  Step step_;
};

}  // namespace vicino::kmpc
