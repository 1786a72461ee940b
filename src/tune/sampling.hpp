// sampling.hpp: whether a site's executions are timed, such that all members of a team agree.
//
// Why    Only a timed execution takes a slot of the team's ring: members that differ over one
//        execution would be in different slots for ever. But members are at different
//        executions, and one of them may change the site's state at any moment. So the state
//        changes at barriers.
// Rarity a sampled site is still timed sometimes, since data change: in each of its team's first
//        kEach barrier generations, since what is young changes most, then ever more rarely, down
//        to one generation in 256.
// Cost   of a question: a relaxed load and two comparisons; for a sampled site, some arithmetic
//        too.
//
// A member is at barrier generation g when it has passed g barriers of its team and has not arrived
// at the next: the generations of one team only grow. At the barrier inside a loop's
// reduction only member 0 waits; the other members wait at the next barrier, before any other loop.
//
// The word holds a team, whether the site is sampled, since which of that team's generations, and a
// rarity: if the site is sampled, the rarity it began with; if not, that of its last sampled
// generation. The word is 0 before the first change.
//
// Invariants
//  Q1 owner  the first team that changes the word keeps it. Executions of other teams are all
//            timed, and so are those of a team without a number.
//  Q2 once   there is one change in a generation at most, and each is to the opposite. The first
//            change is to sampled; its opposite, not sampled, is also what held before it.
//  Q3 agree  members of a team that ask in the same generation get the same answer: that of the
//            state which the changes of earlier generations left.
//
// Q3 holds because a member that changes the word in generation c has not arrived at the next
// barrier. A member that asks in g > c has passed a barrier since then, so it sees that change or a
// later one. A member that asks in g < c does not see the change: the member that made it had
// passed barrier c, at which this one has not arrived yet. So it sees the last change before g and
// follows it; or the change of g, and follows its opposite (Q2). The same holds for rarities: that
// of generation g follows from the last change before it, and a change of g that ends the sampling
// holds it.
//
// Memory order: relaxed. The word carries nothing but itself, and what must be seen after a barrier
// is ordered by the barrier. The compare-exchange is for Q1 and Q2: it decides between two teams,
// or between two members of one.
//
// test/model/sampling_model_test.cpp runs this through all interleavings of two and three members.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::tune {

class Sampling {
 public:
  struct Word {
    static constexpr int kGenerationBits = 43, kRarityBits = 4;
    static constexpr int kTeamBits = 64 - kGenerationBits - kRarityBits - 1;
    static constexpr uint64_t kGenerations = (uint64_t{1} << kGenerationBits) - 1;
    static constexpr uint64_t kRarities = (uint64_t{1} << kRarityBits) - 1;

    static constexpr Word of(uint64_t packed) noexcept {
      return {packed >> (64 - kTeamBits), (packed >> (kGenerationBits + kRarityBits) & 1) != 0,
              static_cast<int>(packed >> kGenerationBits & kRarities), packed & kGenerations};
    }
    constexpr uint64_t packed() const noexcept {
      return team << (64 - kTeamBits) | uint64_t{quiet} << (kGenerationBits + kRarityBits) |
             static_cast<uint64_t>(rarity) << kGenerationBits | since;
    }

    uint64_t team = 0;
    bool quiet = false;
    int rarity = 0;
    uint64_t since = 0;
  };

  // Of a sampled site's executions one in 2^rarity is timed.
  static constexpr int kRarest = 8;
  static constexpr uint64_t kEach = 256;

  // A team's number is from 1 to kMostTeams, or 0 if it has none.
  static constexpr uint64_t kMostTeams = (uint64_t{1} << Word::kTeamBits) - 1;
  // Once a team has had more barriers than this, what it has last decided stays.
  static constexpr uint64_t kLastGeneration = Word::kGenerations;

  bool times(uint64_t team, uint64_t generation) const noexcept {
    const Word word = Word::of(word_.load(std::memory_order_relaxed));
    if (team == 0 || word.team != team) return true;  // Q1
    if (generation > word.since)                      // Q3
      return !word.quiet || is_probed(generation, rarity(word.rarity, generation - word.since));
    return word.quiet || is_probed(generation, word.rarity);
  }

  // For how many executions one stands that is timed in this generation.
  uint64_t stands_for(uint64_t team, uint64_t generation) const noexcept {
    const Word word = Word::of(word_.load(std::memory_order_relaxed));
    if (team == 0 || word.team != team || !word.quiet || generation <= word.since) return 1;
    return uint64_t{1} << rarity(word.rarity, generation - word.since);
  }

  // A member that is at `generation` calls this for what comes after that barrier. Without effect
  // where Q1 or Q2 forbids it. `again`: the site was only looked at, and is timed as rarely as
  // before. `first`: the rarity with which a site begins to be sampled otherwise.
  void change(uint64_t team, uint64_t generation, bool quiet, bool again, int first = 0) noexcept {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    const Word was = Word::of(seen);
    if (team == 0 || generation > kLastGeneration || quiet == was.quiet) return;
    if (seen != 0 && (was.team != team || was.since >= generation)) return;  // Q1, Q2
    int rarity = again ? std::max(was.rarity, first) : first;
    if (was.quiet) rarity = Sampling::rarity(was.rarity, generation - was.since);
    word_.compare_exchange_strong(seen, Word{team, quiet, rarity, generation}.packed(),
                                  std::memory_order_relaxed);
  }

  // The rarity of a sampled site, from the one it began with and how long ago that was.
  static constexpr int rarity(int first, uint64_t generations) noexcept {
    return std::min(first + static_cast<int>(std::bit_width(generations / kEach >> first)),
                    kRarest);
  }
  // Pseudo-random, since barriers come at regular distances.
  static constexpr bool is_probed(uint64_t generation, int rarity) noexcept {
    return rarity == 0 || generation * 0x9e3779b97f4a7c15u >> (64 - rarity) == 0;
  }

 private:
  plat::atomic<uint64_t> word_{0};
};

}  // namespace vicino::tune
