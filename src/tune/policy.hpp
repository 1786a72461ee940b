// policy.hpp: what differs between the sites that the tuner chooses for. Each has one of two
// policies: that of loops on several nodes that ask for each chunk, and the usual one of all other
// sites.
//
// Why    A loop's schedule also decides in which node's caches and memory its data lie afterwards.
//        Where all threads are on one node that hardly matters: each trial costs what its own
//        execution takes longer, and that is soon found out. On several nodes the loops that read
//        the data pay for a trial, too, and a bad trial may cost as much as ten executions. So
//        there the default stays unless something else is proven better for the whole program, and
//        nothing is tried that is not paid for. On several nodes, too, the usual policy holds for
//        taskloops and regions, because ILAN's trials decide where their data lie in the first
//        place, and for loops that ask once for their bounds, which are cut into blocks in one of
//        two ways.
// Not    a base class with two heirs: all steps of the search are the same, only these numbers
//        differ, and whether some of the steps are taken.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tune/choice.hpp"

namespace vicino::tune {

struct Policy {
  // --- What an execution costs ---
  // The time of the rest of the program counts, too (outside.hpp): sites take turns (turn.hpp), and
  // an execution of the default counts only after another one of it.
  bool counts_outside;
  // ns, for each thread, on top of kShort, of what is too short to gain anything: what a slot of the
  // ring, which each schedule but static needs, costs at least.
  double short_for_each;
  // So many executions are looked at before a site is left alone as too short. One is enough, since
  // disturbances only make it longer; but where timing is cheap the others are worth knowing.
  uint32_t looks_if_short;

  // --- What trying may cost ---
  // The part of a site's time that may be lost to what was tried.
  double budget;
  // The first round is charged, too, which otherwise is the price of knowing anything.
  bool charges_all;
  // ns: a hopeless execution on fewer threads that took so long was hardly made hopeless by
  // something else.
  double sure_of_fewer;

  // --- In which order ---
  // Schedules are tried first, on all threads, and fewer threads last; otherwise the best number of
  // threads is found first.
  bool schedules_first;
  // The part of all threads' time that they must wait for schedules to be tried.
  double least_idle;
  // A settled site looks again at the second best. The site's own time would not show what makes
  // that one worse for others.
  bool looks_back;

  // --- Which candidate wins (race.hpp) ---
  // Candidates are tried one after the other. The last two, which keep data on their nodes, come
  // first; the others are tried only if one of these can replace the default. Otherwise all take
  // turns.
  bool near_first;
  // Of each candidate.
  uint32_t most_samples;
  // A candidate that costs so many times the best is dropped at its first sample; 0: it never is.
  double hopeless_at_once;
  // The part that must be gained by what replaces the default.
  double worth;
  // What replaces the default has samples that do not overlap those of the default.
  bool must_be_clear;

  // --- How rarely a site is timed that rests on the default ---
  // One execution of 2^rarity, to begin with; the second while it waits for its turn.
  int rarity, rarity_before_turn;

  // Whether a cost is enough less than that of the default. race.hpp has the same for estimates.
  bool is_worth(double cost, double of_default) const noexcept {
    return cost < (1 - worth) * of_default;
  }
  // Where charges_all: the part of the default's time that an execution of another schedule may
  // lose, if threads wait for the part `idle` of theirs. The more they wait, the more there is to
  // gain.
  static double price(double idle) noexcept {
    return std::max(0.5 * (1 - idle / TunerConstants::kUneven), 0.0);
  }
};

// docs/explain/tuning.md has these numbers in words.
inline constexpr Policy kUsualPolicy{
    .counts_outside = false,
    .short_for_each = 0,
    .looks_if_short = 3,
    .budget = 0.025,
    .charges_all = false,
    .sure_of_fewer = 1e6,
    .schedules_first = false,
    .least_idle = 0,
    .looks_back = true,
    .near_first = false,
    .most_samples = 8,
    .hopeless_at_once = 0,
    .worth = 0.02,
    .must_be_clear = false,
    .rarity = 0,
    .rarity_before_turn = 0,
};

// docs/design/loops_on_nodes.md says what they were weighed against.
inline constexpr Policy kPolicyOnNodes{
    .counts_outside = true,
    .short_for_each = 300,
    .looks_if_short = 1,
    .budget = 0.015,
    .charges_all = true,
    .sure_of_fewer = 0,
    .schedules_first = true,
    .least_idle = 0.05,
    .looks_back = false,
    .near_first = true,
    .most_samples = 3,
    .hopeless_at_once = 1.15,
    .worth = 0.05,
    .must_be_clear = true,
    .rarity = 6,
    .rarity_before_turn = 4,
};

// What a site may choose from, and what counts as short for it.
struct Scope {
  uint32_t candidates;
  int most, grain;  // threads; by how many of them widths differ
  IfShort if_short;
  double short_ns;
  const Policy* policy = &kUsualPolicy;

  // What the site would have without a tuner.
  Choice by_default() const noexcept { return {0, most}; }

  // The candidates, from the first, that differ from each other on so many threads. A taskloop's third and
  // fourth one also say which threads are left out (site::StealPolicy).
  uint32_t candidates_on(int threads) const noexcept {
    const bool are_some_left_out = 1 < threads && threads < most;
    return if_short == IfShort::kLeaveAlone || are_some_left_out ? candidates
                                                                 : std::min(candidates, 2u);
  }

  bool tries_one_thread_if_short() const noexcept {
    return if_short != IfShort::kLeaveAlone && short_ns <= TunerConstants::kShort;
  }

  // The candidate to try widths with, after an execution with `candidate`. A taskloop's widths are
  // tried with the strict policy.
  uint32_t base_after(uint32_t candidate, double idle) const noexcept {
    if (if_short != IfShort::kLeaveAlone || policy->schedules_first) return 0;
    return idle > TunerConstants::kUneven && candidates > 1 ? 1 : candidate;
  }
};

}  // namespace vicino::tune
