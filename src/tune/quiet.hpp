// quiet.hpp: whether a site's executions are timed, such that all members of a team agree.
//
// Why    A timed execution takes a slot of the team's ring, another does not: members that differ
//        over one would then be in different slots for ever. But they are at different executions,
//        and one of them may change the site's state at any moment. So it changes at barriers.
// Rarity a site that is quiet is timed nevertheless, since data change: in each of its team's first
//        kEach meetings, as what is young changes most, then ever more rarely, down to one of 256.
// Cost   of a question: a relaxed load, two comparisons; of a quiet one, some arithmetic.
//
// A member is at `meeting` m when it has passed m barriers of its team, and has not arrived at the
// next: the numbers of one team only grow. Of a loop's reduction, which is a meeting that member 0
// alone waits in, nobody comes to another loop before member 0 has let him go.
//
// The word: a team, quiet or not, since which of that team's meetings, and a rarity: if it is
// quiet, the one it began with; if not, that of its last quiet meeting. 0 before anybody changed
// it.
//
// Invariants
//  Q1 owner  the first team that changes the word keeps it. Executions of others are all timed, and
//            so are those of a team without a number.
//  Q2 once   there is one change in a meeting at most, and each is to the opposite. The first is to
//            quiet, so the state before it, not quiet, is its opposite too.
//  Q3 agree  members of a team that ask at the same meeting get the same answer: that of the state
//            which the changes of earlier meetings left.
//
// Q3: whoever changes the word at meeting c has not arrived at the next. Who asks at m > c has
// passed a barrier since then, so he sees that change, or a later one. Who asks at m < c sees
// nothing of it: it was made by one who had passed barrier c, where he has not arrived yet. So he
// sees the last change before m and goes by it; or the one of m, and goes by its opposite (Q2). Of
// rarities likewise: that of meeting m follows from the last change before it, and a change of m
// that ends quiet holds it.
//
// Memory order: relaxed. The word carries nothing but itself, and what must be seen after a barrier
// is ordered by that. The compare-exchange is for Q1 and Q2: of two teams, or two members of one.
//
// test/model/quiet_model_test.cpp runs this through all interleavings of two and three members.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::tune {

class Quiet {
 public:
  struct Word {
    static constexpr int kMeetingBits = 43, kRarityBits = 4;
    static constexpr int kTeamBits = 64 - kMeetingBits - kRarityBits - 1;
    static constexpr uint64_t kMeetings = (uint64_t{1} << kMeetingBits) - 1;
    static constexpr uint64_t kRarities = (uint64_t{1} << kRarityBits) - 1;

    static constexpr Word of(uint64_t packed) noexcept {
      return {packed >> (64 - kTeamBits), (packed >> (kMeetingBits + kRarityBits) & 1) != 0,
              static_cast<int>(packed >> kMeetingBits & kRarities), packed & kMeetings};
    }
    constexpr uint64_t packed() const noexcept {
      return team << (64 - kTeamBits) | uint64_t{quiet} << (kMeetingBits + kRarityBits) |
             static_cast<uint64_t>(rarity) << kMeetingBits | since;
    }

    uint64_t team = 0;
    bool quiet = false;
    int rarity = 0;
    uint64_t since = 0;
  };

  // Of executions one in 2^rarity is timed.
  static constexpr int kRarest = 8;
  static constexpr uint64_t kEach = 256;

  // A team's number is from 1 up to here; 0 if it has none.
  static constexpr uint64_t kMostTeams = (uint64_t{1} << Word::kTeamBits) - 1;
  // Where a team meets more often than that, what it has last decided stays.
  static constexpr uint64_t kLastMeeting = Word::kMeetings;

  bool times(uint64_t team, uint64_t meeting) const noexcept {
    const Word word = Word::of(word_.load(std::memory_order_relaxed));
    if (team == 0 || word.team != team) return true;  // Q1
    if (meeting > word.since)                         // Q3
      return !word.quiet || is_probed(meeting, rarity(word.rarity, meeting - word.since));
    return word.quiet || is_probed(meeting, word.rarity);
  }

  // By a member that is at `meeting`, for what comes after it. Without effect where Q1 or Q2 is
  // against it. `again`: it has only been looked at, and is to be as rarely timed as before.
  void change(uint64_t team, uint64_t meeting, bool quiet, bool again) noexcept {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    const Word was = Word::of(seen);
    if (team == 0 || meeting > kLastMeeting || quiet == was.quiet) return;
    if (seen != 0 && (was.team != team || was.since >= meeting)) return;  // Q1, Q2
    int rarity = again ? was.rarity : 0;
    if (was.quiet) rarity = Quiet::rarity(was.rarity, meeting - was.since);
    word_.compare_exchange_strong(seen, Word{team, quiet, rarity, meeting}.packed(),
                                  std::memory_order_relaxed);
  }

  // Of something that is quiet, from the one it began with and how long ago.
  static constexpr int rarity(int first, uint64_t meetings) noexcept {
    return std::min(first + static_cast<int>(std::bit_width(meetings / kEach >> first)), kRarest);
  }
  // Pseudo-random, for barriers come at regular distances.
  static constexpr bool is_probed(uint64_t meeting, int rarity) noexcept {
    return rarity == 0 || meeting * 0x9e3779b97f4a7c15u >> (64 - rarity) == 0;
  }

 private:
  plat::atomic<uint64_t> word_{0};
};

}  // namespace vicino::tune
