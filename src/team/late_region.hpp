// late_region.hpp: how a team's region begins, and whether its members are called up later.
// team/late_start.hpp acts on the team as this says.
//
// Invariants
//  S1 Only the primary thread calls begin_together(), begin_alone(), needs_members() and close(); only the
//     watcher calls look(), wants_watch() and pause().
//  S2 How the region begins is written before a member comes, and does not change until all members are
//     gathered: F1 and F2 of region/fork.cpp, or L3 of sync/late_start.hpp.
//  S3 The thread that calls the members up, the primary thread or the watcher, gives them the call of this
//     region: it was written before begin() of sync/late_start.hpp, whose C1 and C2 publish it.
#pragma once

#include <cstdint>

#include "sync/late_start.hpp"
#include "team/call.hpp"

namespace vicino::team {

enum class Beginning : uint8_t {
  kTogether,         // the members are called up when the region begins
  kTogetherForLent,  // as kTogether, in place of kAloneForLent: a member did not listen yet
  kAlone,            // the primary thread begins alone: region/alone.hpp
  kAloneForLent,     // likewise, and a member joins when a core is lent: region/borrowed.hpp
};

class LateRegion {
 public:
  void begin_together(Beginning how = Beginning::kTogether) noexcept { how_ = how; }
  // `may_close`: the region may end without its members. True if the watcher's event count is to be notified.
  bool begin_alone(Beginning how, uint64_t number, const Call& call, bool may_close) noexcept {
    how_ = how;
    may_close_ = may_close;
    call_ = call;
    return members_.begin(number);
  }
  bool was_begun_alone() const noexcept { return how_ >= Beginning::kAlone; }
  // Whether the region has room for a member on a core that is lent.
  bool is_for_lent() const noexcept {
    return how_ == Beginning::kTogetherForLent || how_ == Beginning::kAloneForLent;
  }

  // Region `number`, which was begun alone, needs its members. True if the caller has to call them up, with
  // call().
  bool needs_members(uint64_t number) noexcept { return members_.call(number); }
  const Call& call() const noexcept { return call_; }
  // The region ends. True if it does so without its members; otherwise it needs them.
  bool close(uint64_t number) noexcept { return may_close_ && members_.close(number); }

  // The watcher is about to sleep: the number of the region for which it has to call up the members, 0 if none.
  uint64_t look() noexcept { return members_.look(watch_); }
  bool wants_watch() const noexcept { return members_.wants_watch(watch_); }
  // How long the watcher may sleep.
  uint64_t pause() const noexcept {
    return watch_.pause_ns != 0 ? watch_.pause_ns : plat::kForever;
  }

 private:
  Beginning how_ = Beginning::kTogether;
  bool may_close_ = false;
  Call call_;
  sync::LateStart members_;
  sync::LateStart::Watch watch_;
};

}  // namespace vicino::team
