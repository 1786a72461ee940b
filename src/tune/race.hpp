// race.hpp: which of a few candidates is cheapest, found by using each of them in turn.
//
// Why    A site's executions are the only experiments there are, and the program waits for each of
//        them. So candidates take turns, those that are clearly beaten drop out, and the race ends
//        as soon as one is left, or when the rest cannot be told apart.
// Cost   kMost executions for each of the good candidates, one or two for each of the bad ones.
//
// The first candidate is the one that would be used without a tuner. Another one replaces it only
// if that is better by kWorth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "tune/estimate.hpp"

namespace vicino::tune {

class Race {
 public:
  static constexpr uint32_t kMost = 8;      // samples of a candidate
  static constexpr uint32_t kLeast = 3;     // before one is dropped for being beaten
  static constexpr double kHopeless = 1.5;  // times the best: dropped at the second sample
  static constexpr double kWorth = 0.02;
  // On several nodes.
  static constexpr uint32_t kMostOnNodes = 4;
  static constexpr double kHopelessOnNodes = 1.15;  // dropped at the first sample
  static constexpr double kWorthOnNodes = 0.05;

  // `on_nodes`: the candidates are schedules of a loop on several nodes. There each execution of a
  // bad one also disturbs the next loops. So those come first that keep data on their nodes, the
  // last two; the others are tried only if one of these is better than the first. One look is enough
  // to drop a bad one. The first is replaced only by one that is clearly better, and by more: most of
  // its executions are not timed, and need no slot.
  explicit Race(uint32_t candidates, bool on_nodes = false)
      : entries_(candidates), on_nodes_(on_nodes) {}

  // The candidate whose turn it is; none when the race is over.
  std::optional<uint32_t> next() const noexcept {
    uint32_t running = 0;
    std::optional<uint32_t> turn;
    for (uint32_t k = 0; k < entries_.size(); ++k) {
      const auto size = static_cast<uint32_t>(entries_.size());
      const uint32_t i = (on_nodes_ ? first_ + size - k : first_ + k) % size;
      if (entries_[i].out) continue;
      ++running;
      if (!turn || count(i) < count(*turn)) turn = i;
    }
    if (running <= 1 || count(*turn) >= (on_nodes_ ? kMostOnNodes : kMost)) return std::nullopt;
    return turn;
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
    if (on_nodes_ && near_ones_are_worse()) {
      for (uint32_t i = 1; i < entries_.size(); ++i) entries_[i].out |= count(i) == 0;
    }
    for (uint32_t i = 0; i < entries_.size(); ++i)
      if (i != leader && is_beaten(estimate(i), estimate(leader)))
        entries_[i].out = i != 0 || is_worth(leader);
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

  uint32_t count(uint32_t candidate) const noexcept { return entries_[candidate].estimate.count(); }

  // Whether the candidate is good enough to replace the first.
  bool is_worth(uint32_t candidate) const noexcept {
    const bool is_clear = !on_nodes_ || (count(candidate) >= kLeast &&
                                         clearly_cheaper(estimate(candidate), estimate(0)));
    const double worth = on_nodes_ ? kWorthOnNodes : kWorth;
    return is_clear && estimate(candidate).value() < (1 - worth) * estimate(0).value();
  }

  // Whether the last two candidates have been tried, and neither is better than the first.
  bool near_ones_are_worse() const noexcept {
    const auto is_worse = [&](const Entry& entry) {
      return entry.estimate.count() > 0 && entry.estimate.value() >= estimate(0).value();
    };
    return entries_.size() > 3 && std::all_of(entries_.end() - 2, entries_.end(), is_worse);
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
    if (on_nodes_ && entry.count() > 0 && leader.count() >= kLeast &&
        entry.value() > kHopelessOnNodes * leader.value())
      return true;
    if (entry.count() < 2 || leader.count() < 2) return false;
    if (entry.value() > kHopeless * leader.value()) return true;
    return entry.count() >= kLeast && leader.count() >= kLeast && clearly_cheaper(leader, entry);
  }

  std::vector<Entry> entries_;
  uint32_t first_ = 0;
  bool on_nodes_;
};

}  // namespace vicino::tune
