// handover.hpp: a team's primary thread calls its workers up for a region, and lets them go.
//
// Why    A team keeps its workers from region to region, and regions differ in size. Workers listen
//        at a gate shared by their cache group, so that calling many costs few lines; those that a
//        smaller region leaves out go and listen at a gate of their own, so that the small regions
//        that follow do not wake them.
// Cost   call_up: one opening per group, and one per worker that comes back.
//
// Invariants
//  I1 workers 1..attached-1 listen: those below `awake` at their group's gate, the others at their
//     own, or they are about to, since they have yet to look at the last `go`. A `go` of size n
//     leaves exactly those below n at the group's gate, which is why awake = n afterwards.
//  I2 `go` values of a team grow: numbers do, and the size is below them in the word. A worker that
//     was slow and finds a later `go` than the one it was sent acts on the later; the same value
//     found again at the other gate is not greater than what it has seen.
//  I3 a `go` that includes a worker is not followed by another before that worker has gathered
//     (barrier.hpp). So what goes with a `go` is not overwritten while somebody may read it.
// Memory order
//  H1 all that the primary wrote before an opening (G1) is seen by whom next() returns to (G2).
#pragma once

#include <cstdint>

#include "base/say.hpp"
#include "sync/barrier.hpp"

namespace vicino::sync {

// What the gates hold: the number of the meeting that the region begins with, and the team's size.
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

// A worker's side.
class Listener {
 public:
  // `seen`: the last `go` that is not this worker's business.
  Listener(int id, Gate& group, Gate& own, uint64_t seen) noexcept
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
  Gate& group_;
  Gate& own_;
  Gate* at_;
  uint64_t seen_;
};

// The primary's side. A team gives the gate of the group that member i is in, and member i's own.
template <class T>
concept Listened = requires(T& team, int i) {
  { team.group_gate(i) } -> std::same_as<Gate&>;
  { team.own_gate(i) } -> std::same_as<Gate&>;
};

// Calls members below Go::size(go). `prepare(i)` writes what goes with the `go`, once per group,
// for the group of member i. `awake` and `attached` as in I1; newly attached workers count as
// awake.
template <Listened T, class Prepare>
void call_up(T& team, uint64_t go, int awake, int attached, Prepare prepare) noexcept {
  const int n = Go::size(go);
  VICINO_CHECK(I1, awake <= attached);
  for (int i = 0; i < n;) {
    Gate& gate = team.group_gate(i);
    VICINO_CHECK(I2, gate.peek() < go);
    prepare(i);
    gate.open(go);  // H1
    while (i < n && &team.group_gate(i) == &gate) ++i;
  }
  for (int i = awake; i < n && i < attached; ++i) team.own_gate(i).open(go);  // H1
}

// Tells all workers that the team is no more. Each answers by opening its Post's `gathered` to the
// number of this `go`, and does nothing with the team after that.
template <Listened T>
void call_off(T& team, uint64_t number, int attached) noexcept {
  const uint64_t go = Go::pack(number, Go::kDissolve);
  for (int i = 1; i < attached; ++i) {
    team.group_gate(i).open(go);
    team.own_gate(i).open(go);
  }
}

}  // namespace vicino::sync
