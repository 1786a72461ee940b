// handover.hpp: a team's primary thread calls its workers up for a region, and lets them go.
//
// Why    A team keeps its workers from region to region, and regions differ in size. Workers wait
//        at an event count that their cache group shares, so that calling many of them writes few
//        lines. A worker that a smaller region leaves out goes and waits at an event count of its
//        own, so that the small regions that follow do not wake it.
// Cost   call_up: one advance per group, and one per worker that comes back.
//
// Invariants
//  I1 workers 1..attached-1 listen: those below `awake` at their group's event count, the others at
//     their own; or they will, once they have looked at the last `go`. A `go` of size n leaves
//     exactly the workers below n at the group's event count; therefore awake = n afterwards.
//  I2 the `go` values of a team grow, because the numbers grow and the size lies in lower bits of
//     the word. A slow worker that finds a later `go` than the one it was sent acts on the later
//     one. A worker that finds the same value again at its other event count does not take it for
//     a new one, since the value is not greater than the one it has seen.
//  I3 a `go` that includes a worker is not followed by another before that worker has gathered
//     (barrier.hpp). So what goes with a `go` is not overwritten while a worker may read it.
// Memory order
//  H1 all that the primary thread wrote before it advances an event count (G1 of event_count.hpp)
//     is seen by the worker to which next() then returns (G2 of event_count.hpp).
#pragma once

#include <cstdint>

#include "base/say.hpp"
#include "sync/barrier.hpp"

namespace vicino::sync {

// What the event counts hold: the barrier generation with which the region begins, and the team's
// size.
struct Go {
  static constexpr int kSizeBits = 14;
  static constexpr int kMaxSize = (1 << kSizeBits) - 1;
  static constexpr int kDissolve = 0;  // in place of a size

  static constexpr uint64_t pack(uint64_t number, int size) noexcept {
    return number << kSizeBits | static_cast<uint64_t>(size);
  }
  static constexpr uint64_t number(uint64_t go) noexcept { return go >> kSizeBits; }
  static constexpr int size(uint64_t go) noexcept { return static_cast<int>(go & kMaxSize); }
};

// The worker's side.
class Listener {
 public:
  // `seen`: the last `go` that does not concern this worker.
  Listener(int id, EventCount& group, EventCount& own, uint64_t seen) noexcept
      : id_(id), group_(group), own_(own), at_(&group), seen_(seen) {}

  // The next `go` that includes this worker, or the one that dissolves the team.
  template <class W = Waiting>
  uint64_t next(const W& waiting) noexcept {
    for (;;) {
      seen_ = waiting.wait(*at_, [this](uint64_t go) { return go > seen_; });  // H1
      const int size = Go::size(seen_);
      const bool included = id_ < size;
      at_ = included ? &group_ : &own_;
      if (included || size == Go::kDissolve) return seen_;
    }
  }

 private:
  int id_;
  EventCount& group_;
  EventCount& own_;
  EventCount* at_;
  uint64_t seen_;
};

// The primary thread's side. group_event(i) is the event count of member i's group, own_event(i)
// the one of member i alone.
template <class T>
concept Listened = requires(T& team, int i) {
  { team.group_event(i) } -> std::same_as<EventCount&>;
  { team.own_event(i) } -> std::same_as<EventCount&>;
};

// Calls up the members below Go::size(go). `prepare(i)` is called once per group and writes what
// goes with the `go` for the group of member i. `awake` and `attached` as in I1; newly attached
// workers count as awake.
template <Listened T, class Prepare>
void call_up(T& team, uint64_t go, int awake, int attached, Prepare prepare) noexcept {
  const int n = Go::size(go);
  VICINO_CHECK(I1, awake <= attached);
  for (int i = 0; i < n;) {
    EventCount& event = team.group_event(i);
    VICINO_CHECK(I2, event.peek() < go);
    prepare(i);
    event.advance(go);  // H1
    while (i < n && &team.group_event(i) == &event) ++i;
  }
  for (int i = awake; i < n && i < attached; ++i) team.own_event(i).advance(go);  // H1
}

// Tells all workers that the team is dissolved. Each worker answers by advancing its BarrierFlags's
// `gathered` to the number of this `go`, and does nothing with the team after that.
template <Listened T>
void call_off(T& team, uint64_t number, int attached) noexcept {
  const uint64_t go = Go::pack(number, Go::kDissolve);
  for (int i = 1; i < attached; ++i) {
    team.group_event(i).advance(go);  // H1
    team.own_event(i).advance(go);    // H1
  }
}

}  // namespace vicino::sync
