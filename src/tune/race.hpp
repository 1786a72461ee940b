// race.hpp: which of a few candidates is cheapest, found by using each of them in turn.
//
// Why    A site's executions are the only experiments there are, and the program waits for each of
//        them. So candidates take turns, those that are clearly beaten drop out, and the race ends
//        as soon as one is left, or when the rest cannot be told apart.
// Cost   kMost executions for each of the good candidates, one or two for each of the bad ones.
//
// The first candidate is the one that would be used without a tuner. Another one replaces it only
// if is_worth().
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "tune/estimate.hpp"
#include "tune/policy.hpp"

namespace vicino::tune {

class Race {
 public:
  // Whether a choice is good enough to replace the default.
  static bool is_worth(const Policy& policy, const Estimate& choice,
                       const Estimate& by_default) noexcept {
    const bool is_clear =
        !policy.must_be_clear || (choice.count() >= kLeast && clearly_cheaper(choice, by_default));
    return is_clear && policy.is_worth(choice.value(), by_default.value());
  }

  static constexpr uint32_t kMost = kUsualPolicy.most_samples;
  static constexpr uint32_t kLeast = 3;     // before one is dropped for being beaten
  static constexpr double kHopeless = 1.5;  // times the best: dropped at the second sample

  explicit Race(uint32_t candidates, const Policy& policy = kUsualPolicy)
      : entries_(candidates), policy_(&policy) {}

  // The candidate whose turn it is; none when the race is over.
  std::optional<uint32_t> next() const noexcept {
    const auto is_running = [](const Entry& entry) { return !entry.out; };
    if (std::ranges::count_if(entries_, is_running) <= 1) return std::nullopt;
    return policy_->near_first ? next_in_order() : next_in_turns();
  }

  // Gives the candidate what was measured of it before. The turns go on with the next candidate.
  void start_with(uint32_t candidate, const Estimate& estimate) noexcept {
    entries_[candidate].estimate = estimate;
    first_ = candidate;
  }
  void record(uint32_t candidate, double cost) noexcept {
    entries_[candidate].estimate.add(cost);
    drop_beaten();
  }
  // Takes a candidate, which is not the first, out of the race without a sample: because something
  // else than its cost speaks against it.
  void drop(uint32_t candidate) noexcept { entries_[candidate].out = true; }
  // Also drops those that start_with() has told of.
  void drop_beaten() noexcept {
    const uint32_t leader = leading();
    for (uint32_t i = 0; i < entries_.size(); ++i)
      if (i != leader && is_beaten(estimate(i), estimate(leader)))
        entries_[i].out = i != 0 || is_worth(leader);
    if (!near_ones_are_known() || near_ones_win()) return;
    for (uint32_t i = 1; i < entries_.size(); ++i) entries_[i].out |= is_far(i);
  }

  // The best of those that were ever tried and still run; the first before anything was tried.
  uint32_t best() const noexcept {
    const uint32_t leader = leading();
    return entries_[0].out || count(0) == 0 || is_worth(leader) ? leader : 0;
  }

  const Estimate& estimate(uint32_t candidate) const noexcept {
    return entries_[candidate].estimate;
  }
  bool is_out(uint32_t candidate) const noexcept { return entries_[candidate].out; }

 private:
  struct Entry {
    Estimate estimate;
    bool out = false;
  };

  std::optional<uint32_t> next_in_turns() const noexcept {
    const auto size = static_cast<uint32_t>(entries_.size());
    std::optional<uint32_t> turn;
    for (uint32_t k = 0; k < size; ++k) {
      const uint32_t i = (first_ + k) % size;
      if (!entries_[i].out && (!turn || count(i) < count(*turn))) turn = i;
    }
    return has_looks_left(*turn) ? turn : std::nullopt;
  }
  // From the first, and then from the last on. Each has all of its looks before the next one, so the
  // data are moved seldom.
  std::optional<uint32_t> next_in_order() const noexcept {
    const auto size = static_cast<uint32_t>(entries_.size());
    for (uint32_t k = 0; k < size; ++k) {
      const uint32_t i = (size - k) % size;
      if (!entries_[i].out && has_looks_left(i)) return i;
    }
    return std::nullopt;
  }
  bool has_looks_left(uint32_t candidate) const noexcept {
    return count(candidate) < policy_->most_samples;
  }

  uint32_t count(uint32_t candidate) const noexcept { return entries_[candidate].estimate.count(); }

  // Whether the candidate is good enough to replace the first.
  bool is_worth(uint32_t candidate) const noexcept {
    return is_worth(*policy_, estimate(candidate), estimate(0));
  }

  // The last two candidates are near ones, the others but the first are far.
  bool is_far(uint32_t candidate) const noexcept {
    return policy_->near_first && candidate > 0 && candidate + 2 < entries_.size();
  }
  bool near_ones_are_known() const noexcept {
    const auto is_known = [](const Entry& entry) {
      return entry.out || entry.estimate.count() >= kLeast;
    };
    return entries_.size() <= 3 || std::all_of(entries_.end() - 2, entries_.end(), is_known);
  }
  bool near_ones_win() const noexcept {
    const auto size = static_cast<uint32_t>(entries_.size());
    return size <= 3 || is_worth(size - 1) || is_worth(size - 2);
  }

  uint32_t leading() const noexcept {
    uint32_t leader = 0;
    for (uint32_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].out || count(i) == 0) continue;
      if (entries_[leader].out || count(leader) == 0 ||
          estimate(i).value() < estimate(leader).value())
        leader = i;
    }
    return leader;
  }

  bool is_beaten(const Estimate& entry, const Estimate& leader) const noexcept {
    const double hopeless_at_once = policy_->hopeless_at_once;
    if (hopeless_at_once > 0 && entry.count() > 0 && leader.count() >= kLeast &&
        entry.value() > hopeless_at_once * leader.value())
      return true;
    if (entry.count() < 2 || leader.count() < 2) return false;
    if (entry.value() > kHopeless * leader.value()) return true;
    return entry.count() >= kLeast && leader.count() >= kLeast && clearly_cheaper(leader, entry);
  }

  std::vector<Entry> entries_;
  uint32_t first_ = 0;
  const Policy* policy_;
};

}  // namespace vicino::tune
