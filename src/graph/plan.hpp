// plan.hpp: a coarsened graph that is ready to run, any number of times, by several teams at a
// time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/coarse.hpp"
#include "graph/range.hpp"
#include "graph/run.hpp"
#include "sync/lock.hpp"

namespace vicino::graph {

// The nodes of aggregates, as the machine counts its nodes.
struct Placement {
  static constexpr int kNone = -1;
  std::vector<int> node;     // of each aggregate, or kNone; empty: none has one
  std::vector<bool> strict;  // as long as `node`

  bool any() const noexcept {
    return std::ranges::any_of(node, [](int one) { return one != kNone; });
  }
};

class Plan {
 public:
  explicit Plan(Coarse coarse);
  Plan(const Plan&) = delete;

  const Coarse& coarse() const noexcept { return coarse_; }
  std::span<const uint32_t> tasks_of(uint32_t aggregate) const noexcept {
    return coarse_.tasks[aggregate];
  }

  // Not while the plan runs.
  Placement& placement() noexcept { return placement_; }
  const Placement& placement() const noexcept { return placement_; }

  // A run that no team is using, and where it goes afterwards. Throws std::bad_alloc.
  std::unique_ptr<Run> take_run();
  void give_back(std::unique_ptr<Run> run) noexcept;

  // Calls body(tasks) for lists of tasks that have all tasks in an order in which they may run,
  // until it returns another value than 0, which is then the result.
  template <class Body>
  int run_alone(Body body) const;

  // The same for ranges, if it has_ranges(); ranges that continue each other are one.
  template <class Body>
  int run_ranges_alone(Body body) const;

  // All tasks in an order in which they may run, if that is one range.
  std::optional<Range> all_as_range() const noexcept {
    if (step_ == 0) return {};
    const uint32_t tasks = coarse_.graph.size();
    return Range{step_ > 0 ? 0 : tasks - 1, tasks, step_};
  }
  // Whether the numbers of the aggregates' tasks mostly follow each other, so that ranges_of() has
  // them.
  bool has_ranges() const noexcept { return !ranges_.empty(); }
  // An aggregate's tasks as the longest ranges, in their order. The plan looks for them once: to
  // look at each run would take as long as a sixth of the solves of a cube's factors.
  std::span<const Range> ranges_of(uint32_t aggregate) const noexcept {
    return std::span(ranges_).subspan(first_range_[aggregate],
                                      first_range_[aggregate + 1] - first_range_[aggregate]);
  }

 private:
  static constexpr uint32_t kLeastMean = 4;  // tasks of a range, in the mean
  static constexpr uint32_t kAtOnce = 256;   // tasks, about; then the body's result is looked at

  // How many tasks the next aggregates have, from a place in their order on: whole ones, until they
  // are kAtOnce. `place` moves behind them.
  uint32_t next_piece(uint32_t& place) const noexcept;

  // All tasks in an order in which they may run.
  std::span<const uint32_t> all_in_order() const noexcept {
    return coarse_.graph.runs_by_number() ? coarse_.tasks.items() : in_order_;
  }
  bool is_a_task_each() const noexcept {
    return coarse_.graph.size() == coarse_.tasks.items().size();
  }
  template <class Body>
  int run_numbers(Body body) const;
  void find_ranges();

  const Coarse coarse_;
  std::vector<uint32_t> in_order_;  // empty if the aggregates run by number, or step_ is not 0
  // 1 or -1: every task is an aggregate, and their order is 0, 1, 2, ... or the reverse of that.
  int step_ = 0;
  std::vector<Range> ranges_;          // those of each aggregate; empty: it has mostly short ones
  std::vector<uint32_t> first_range_;  // of each aggregate in `ranges_`, and the end
  Placement placement_;
  sync::Lock lock_;
  std::vector<std::unique_ptr<Run>> spare_;  // by `lock_`
};

template <class Body>
int Plan::run_alone(Body body) const {
  if (step_ != 0) return run_numbers(body);
  uint32_t place = 0;  // of the first aggregate that is left
  for (auto left = all_in_order(); !left.empty();) {
    const auto some = left.first(next_piece(place));
    if (const int said = body(some)) return said;
    left = left.subspan(some.size());
  }
  return 0;
}

template <class Body>
int Plan::run_ranges_alone(Body body) const {
  Range ready{0, 0, 0};
  for (uint32_t place = 0; place < coarse_.graph.size(); ++place)
    for (const Range& next : ranges_of(coarse_.graph.in_order(place))) {
      if (ready.takes(next)) {
        ready.count += next.count;
        continue;
      }
      if (ready.count > 0)
        if (const int said = body(ready)) return said;
      ready = next;
    }
  return ready.count > 0 ? body(ready) : 0;
}

// Numbers that are written here are still in the first cache when the body reads them; a list of all
// tasks would come from memory.
template <class Body>
int Plan::run_numbers(Body body) const {
  const uint32_t step = static_cast<uint32_t>(step_);
  uint32_t left = coarse_.graph.size();
  std::array<uint32_t, kAtOnce> numbers;
  for (uint32_t i = 0; i < kAtOnce; ++i) numbers[i] = (step_ > 0 ? 0 : left - 1) + step * i;
  while (left > 0) {
    const uint32_t count = std::min(kAtOnce, left);
    if (const int said = body(std::span<const uint32_t>(numbers).first(count))) return said;
    left -= count;
    for (uint32_t& number : numbers) number += step * kAtOnce;
  }
  return 0;
}

}  // namespace vicino::graph
