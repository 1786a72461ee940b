// barrier.hpp: a team's barrier: along cache groups, then packages, then the machine.
//
// Why    The members of a unit share a cache: each of them tells all others that it has arrived in
//        ceil(log2 n) rounds (dissemination). So in the common small team the last member to arrive
//        is one line transfer away from the others, where a counter or a tree needs two. Between
//        units, where transfers are dear, only the leaders communicate; each leader then advances
//        one event count on which its unit waits.
// Cost   a unit of n: ceil(log2 n) advances and waits each; one more advance per unit and level
//        above. No counter, nothing that all threads write.
// Not    for several teams at once; not for more members than the layout has.
// See    src/sync/README.md: the argument; docs/design/barrier.md: measurements.
//
// Values A barrier's generation is higher than that of every earlier barrier of the team. All event
//        counts of the barrier are advanced to this number and waited for with >=. So nothing is
//        ever reset, and neither a member that sat out earlier barriers nor a new layout needs
//        repair.
// Invariants
//  I1 an event count of BarrierFlags is advanced by one thread at a time: the member's partner of
//     that round, or its leader.
//  I2 every advance to generation m is waited for by a thread within m: no advance is late.
//  I3 the generations that a thread passes grow.
//  By I2, once a member has left m, no thread will advance its flags to m any more; so (I1) the
//  next layout may give the same event counts to other partners.
// Memory order
//  B1 advancing an event count (G1 of event_count.hpp) releases all that the advancing thread wrote
//     and all that it acquired before.
//  B2 waiting for it (G2 of event_count.hpp) acquires that. Dissemination is a path from every
//     member to every other by B1/B2 pairs, so what any member wrote before generation m is visible
//     to all members after it.
#pragma once

#include <cstdint>

#include "base/line.hpp"
#include "base/say.hpp"
#include "sync/event_count.hpp"
#include "sync/layout.hpp"

namespace vicino::sync {

// What one member shows to the others at a barrier. Its flags lie in lines of their own, since this
// member alone polls them; so does each `release`, since a whole unit polls it.
struct alignas(kLinePair) BarrierFlags {
  EventCount rounds[Layout::kMaxRounds];
  alignas(kLine) EventCount gathered;
  // What the member shows to its leader in gather(), published by `gathered` (B1, B2): in its line, so that
  // the leader need not wait for another.
  void* shown = nullptr;
  alignas(kLine) EventCount release[Layout::kMaxLevels - 1];
};

// Where to find member i's BarrierFlags; a team stores these with its members.
template <class T>
concept HaveBarrierFlags = requires(T& team, int i) {
  { team.flags(i) } -> std::same_as<BarrierFlags&>;
};

// Checks I3, and that the layout gives each event count to one partner in this generation: `event`
// was not advanced to this number before.
inline void advance_for(uint64_t number, EventCount& event) noexcept {
  VICINO_CHECK(I3, event.peek() < number);
  event.advance(number);  // B1
}

// How a member waits. Another type with the same wait() may do other work while it waits.
struct Waiting {
  Patience& patience;
  const PatienceLimits& limits;

  // Returns the event count's value once ready(value).
  template <class Ready>
  uint64_t wait(EventCount& event, Ready ready) const noexcept {
    return event.wait(ready, patience, limits);
  }
};

template <class W>
void wait_for(EventCount& event, uint64_t least, const W& waiting) noexcept {
  waiting.wait(event, [least](uint64_t value) { return value >= least; });
}

// Member `me` arrives at the barrier of generation `number` and leaves when all have arrived.
template <HaveBarrierFlags T, class W = Waiting>
void meet(T& team, const Layout& layout, int me, uint64_t number, const W& waiting) noexcept {
  BarrierFlags& mine = team.flags(me);
  const int top = layout.levels() - 1;
  int level = 0;
  for (;; ++level) {
    const Seat& seat = layout.seat(level, me);
    int round = layout.first_round(level);
    for (int distance = 1; distance < seat.size(); distance *= 2, ++round) {
      const int ahead = seat.rank + distance;
      const int to = ahead < seat.size() ? ahead : ahead - seat.size();
      advance_for(number, team.flags(seat.peers[static_cast<size_t>(to)]).rounds[round]);  // B1
      wait_for(mine.rounds[round], number, waiting);                                       // B2
    }
    if (level == top) break;
    if (seat.rank != 0) {
      wait_for(team.flags(seat.leader()).release[level], number, waiting);
      break;
    }
  }
  // Release the units that `me` leads below the level at which it stopped.
  while (level-- > 0) advance_for(number, mine.release[level]);  // B1
}

// The first half of a barrier: member 0 returns when all members have arrived; a leader returns
// when its units have arrived, any other member at once. What a member wrote before is visible to
// its leader when the leader calls arrived(member), and in the end to member 0 (B1, B2); it is not
// visible to the other members. A leader waits for its unit in order of rank, so the calls of
// arrived() are the same, and in the same order within each thread, every time.
template <HaveBarrierFlags T, class W = Waiting, class Arrived>
void gather(T& team, const Layout& layout, int me, uint64_t number, const W& waiting,
            Arrived arrived) noexcept {
  for (int level = 0; level < layout.levels(); ++level) {
    const Seat& seat = layout.seat(level, me);
    if (seat.rank != 0) {
      advance_for(number, team.flags(me).gathered);  // B1
      return;
    }
    for (int rank = 1; rank < seat.size(); ++rank) {
      const int other = seat.peers[static_cast<size_t>(rank)];
      wait_for(team.flags(other).gathered, number, waiting);  // B2
      arrived(other);
    }
  }
}

template <HaveBarrierFlags T, class W = Waiting>
void gather(T& team, const Layout& layout, int me, uint64_t number, const W& waiting) noexcept {
  gather(team, layout, me, number, waiting, [](int) {});
}

}  // namespace vicino::sync
