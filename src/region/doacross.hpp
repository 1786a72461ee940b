// doacross.hpp: a team's doacross loops: begun, posted, waited for, and ended.
//
// Every member of the team begins the nest before its loop, and ends it after. The first to begin
// makes what they share; the last to end frees it, or the region's end, where members have left
// because the region was cancelled. The algorithm is in loop/doacross.hpp.
//
// Memory order
//  N1 `left`: each member's fetch_add is an acq_rel, so the member that frees the nest does so
//     after all uses of it.
//  The nest is published by the lock of team/construct_memory.hpp.
#pragma once

#include <memory>
#include <vector>

#include "loop/doacross.hpp"
#include "team/team.hpp"

namespace vicino::region {

using team::Member;

// What the members of a team share in one nest.
class Doacross {
 public:
  explicit Doacross(std::span<const loop::DoacrossLoop> nest);

  template <class Value>
  std::optional<uint64_t> iteration_of(const Value* values) const noexcept {
    return iteration_of(values, 0);
  }
  // As above, for a wait.
  template <class Value>
  std::optional<uint64_t> sink_of(const Value* values) const noexcept {
    return iteration_of(values, unused_.load(std::memory_order_relaxed));
  }
  std::size_t depth() const noexcept { return nest_.size(); }

  // A member's loop, which is the first of the nest or several of them collapsed, has this trip
  // count. clang gives a loop of n iterations as one from 0 to n, inclusive, of which the last is
  // never run; a wait for it would not end.
  void note_trip(uint64_t trip) noexcept;

  loop::Posts& posts() noexcept { return posts_; }

  // Whether all `members` have left.
  bool leave(int members) noexcept {
    return left_.fetch_add(1, std::memory_order_acq_rel) == members - 1;  // N1
  }

 private:
  Doacross(std::span<const loop::DoacrossLoop> nest, std::span<loop::Posts::Flag> flags);

  // clang gives a huge trip count to some loops that have no iterations. So only a nest whose
  // iterations are run has to have memory.
  template <class Value>
  std::optional<uint64_t> iteration_of(const Value* values, uint64_t unused) const noexcept {
    if (flags_ == nullptr) [[unlikely]]
      die_of_size();
    return loop::iteration_of(std::span(nest_), values, unused);
  }
  [[noreturn]] void die_of_size() const noexcept;

  struct Free {
    void operator()(loop::Posts::Flag* flags) const noexcept;
  };
  std::vector<loop::DoacrossLoop> nest_;
  std::unique_ptr<loop::Posts::Flag[], Free> flags_;
  loop::Posts posts_;
  // How many iterations at each loop's end are never run. Relaxed: all members write the same, each
  // before it waits.
  plat::atomic<uint64_t> unused_{0};
  plat::atomic<int> left_{0};
};

// In a team of one nothing is shared: its member runs all iterations in order.
void begin_doacross(Member& member, std::span<const loop::DoacrossLoop> nest);

void leave_doacross(Member& member) noexcept;
inline void end_doacross(Member& member) noexcept {
  if (member.loop.doacross != nullptr) [[unlikely]]
    leave_doacross(member);
}

void wait_for_iteration(Member& member, uint64_t iteration) noexcept;

// `values`: one for each loop of the nest, of 64 bits.
template <class Value>
void post(Member& member, const Value* values) noexcept {
  Doacross* const doacross = member.loop.doacross;
  if (doacross == nullptr) return;
  if (const auto iteration = doacross->iteration_of(values)) doacross->posts().post(*iteration);
}
// An iteration outside of the nest is not waited for.
template <class Value>
void wait_for_post(Member& member, const Value* values) noexcept {
  const Doacross* const doacross = member.loop.doacross;
  if (doacross == nullptr) return;
  if (const auto iteration = doacross->sink_of(values)) wait_for_iteration(member, *iteration);
}

}  // namespace vicino::region
