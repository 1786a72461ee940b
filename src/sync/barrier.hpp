// barrier.hpp: a team meets: along cache groups, then nodes, then the machine.
//
// Why    The members of a unit share a cache: among them everyone tells everyone else in
//        ceil(log2 n) rounds (dissemination), so for the common small team the last one to arrive
//        is one line transfer away from the others, where a counter or a tree needs two. Between
//        units only the leaders talk, since that is where transfers are dear; each then opens one
//        gate on which its unit waits.
// Cost   a unit of n: ceil(log2 n) openings and waits each; one more opening per unit and level
//        above. No counter, nothing that all threads write.
// Not    reusable by several teams at once; not for more members than the layout has.
// See    src/sync/README.md: the argument; docs/design/barrier.md: measurements.
//
// Values A meeting has a number, higher than that of every earlier one of the team; all its gates
//        are opened to that number and waited for with >=. So nothing is ever reset, and members
//        that sat out earlier meetings, or a new layout, need no repair.
// Invariants
//  I1 a gate of a Post is opened by one thread at a time: its partner of that round, or its leader.
//  I2 every opening of meeting m is waited for by somebody within m: no opening is late.
//  I3 meeting numbers that a thread passes grow.
//  By I2, when a member has left m nobody will write its flags for m any more; so (I1) the next
//  layout may give the same gates to other partners.
// Memory order
//  B1 opening a gate (G1) releases all that the opener wrote and all that it acquired before.
//  B2 waiting for it (G2) acquires that. Dissemination is a path from every member to every other
//     by B1/B2 pairs, so what anybody wrote before meeting m is visible to all after it.
#pragma once

#include <cstdint>

#include "base/line.hpp"
#include "base/say.hpp"
#include "sync/gate.hpp"
#include "sync/layout.hpp"

namespace vicino::sync {

// What one member shows to the others. Its flags lie in lines of its own, for it alone polls them;
// each `release` too, for a whole unit polls it.
struct alignas(kLinePair) Post {
  Gate flags[Layout::kMaxRounds];
  alignas(kLine) Gate gathered;
  alignas(kLine) Gate release[Layout::kMaxLevels - 1];
};

// Where to find member i's Post; a team stores these with its members.
template <class T>
concept Posts = requires(T& team, int i) {
  { team.post(i) } -> std::same_as<Post&>;
};

// I3, and that the layout's gates are this meeting's: no gate was opened to this number before.
inline void open_for(uint64_t number, Gate& gate) noexcept {
  VICINO_CHECK(I3, gate.peek() < number);
  gate.open(number);  // B1
}

// How a member waits: a type with this function, and it may have more to do meanwhile.
struct Waiting {
  Patience& patience;
  const PatienceLimits& limits;

  // Returns the gate's value once ready(value).
  template <class Ready>
  uint64_t wait(Gate& gate, Ready ready) const noexcept {
    return gate.wait(ready, patience, limits);
  }
};

template <class W>
void wait_for(Gate& gate, uint64_t least, const W& waiting) noexcept {
  waiting.wait(gate, [least](uint64_t value) { return value >= least; });
}

// Member `me` arrives at meeting `number` and leaves when all have arrived.
template <Posts T, class W = Waiting>
void meet(T& team, const Layout& layout, int me, uint64_t number, const W& waiting) noexcept {
  Post& mine = team.post(me);
  const int top = layout.levels() - 1;
  int level = 0;
  for (;; ++level) {
    const Seat& seat = layout.seat(level, me);
    int round = layout.first_round(level);
    for (int distance = 1; distance < seat.size(); distance *= 2, ++round) {
      const int ahead = seat.rank + distance;
      const int to = ahead < seat.size() ? ahead : ahead - seat.size();
      open_for(number, team.post(seat.peers[static_cast<size_t>(to)]).flags[round]);  // B1
      wait_for(mine.flags[round], number, waiting);                                   // B2
    }
    if (level == top) break;
    if (seat.rank != 0) {
      wait_for(team.post(seat.leader()).release[level], number, waiting);
      break;
    }
  }
  // What I led below the level at which I stopped, I release.
  while (level-- > 0) open_for(number, mine.release[level]);  // B1
}

// The first half of a meeting: member 0 returns when all have arrived, the others at once.
// What each wrote before is visible to its leader when that calls arrived(its number), and in the
// end to member 0 (B1, B2); not to the others. Leaders hear of their unit in order of rank, so the
// calls are the same, and in the same order within each thread, every time.
template <Posts T, class W = Waiting, class Arrived>
void gather(T& team, const Layout& layout, int me, uint64_t number, const W& waiting,
            Arrived arrived) noexcept {
  for (int level = 0; level < layout.levels(); ++level) {
    const Seat& seat = layout.seat(level, me);
    if (seat.rank != 0) {
      open_for(number, team.post(me).gathered);  // B1
      return;
    }
    for (int rank = 1; rank < seat.size(); ++rank) {
      const int other = seat.peers[static_cast<size_t>(rank)];
      wait_for(team.post(other).gathered, number, waiting);  // B2
      arrived(other);
    }
  }
}

template <Posts T, class W = Waiting>
void gather(T& team, const Layout& layout, int me, uint64_t number, const W& waiting) noexcept {
  gather(team, layout, me, number, waiting, [](int) {});
}

}  // namespace vicino::sync
