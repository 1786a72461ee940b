#include "node.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/say.hpp"
#include "loop/static_block.hpp"
#include "loop/static_fraction.hpp"

namespace cluster {
namespace {

using vicino::loop::StaticFraction;
using vicino::loop::with_slack;

constexpr uint64_t kOne = 1 << 16;  // factors have 16 bits behind the point
constexpr Time kStep =
    1'000'000 * Time{1'000'000};  // steps begin a second apart, in the node's own time

double uniform(uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

double normal(uint64_t bits) {  // Box and Muller
  return std::sqrt(-2 * std::log(uniform(bits))) *
         std::cos(2 * std::numbers::pi * uniform(mix(bits, 1)));
}

const vicino::loop::Row& row_of(std::string_view name) {
  const vicino::loop::Row* row = vicino::loop::find(name);
  if (row == nullptr)
    vicino::die("no schedule is called %.*s", static_cast<int>(name.size()), name.data());
  return *row;
}

uint32_t package(const vicino::sim::Costs& costs, uint32_t core) {
  return core / costs.cores_per_package;
}

// A package is a NUMA node with one last cache.
vicino::loop::Shape shape_of(const vicino::sim::Costs& costs) {
  std::vector<vicino::loop::Spot> spots;
  for (uint32_t m = 0; m < kCores; ++m) {
    const auto here = static_cast<int>(package(costs, m));
    spots.push_back({here, here, here});
  }
  return {spots, [](int a, int b) { return a == b ? 10u : 20u; }};
}

}  // namespace

Node::Machine::Machine(const Parameters& parameters)
    : team(kCores, parameters.costs()), run(team), shape(shape_of(team.costs())) {}

Node::Node(uint32_t number, const Workload& workload, const Parameters& parameters,
           const Strategy& strategy, uint64_t seed)
    : parameters_(parameters),
      row_(row_of(strategy.schedule)),
      iterations_(workload.iterations(number)),
      cache_(workload.cache),
      memory_(workload.memory),
      heeds_slack_(strategy.slack),
      seed_(seed),
      number_(number),
      lines_((row_.history_words(kCores) + HistoryLine::kWords - 1) / HistoryLine::kWords),
      words_(row_.history_words(kCores)),
      last_(iterations_->size()) {
  for (uint32_t m = 0; m < kCores; ++m) {
    const vicino::loop::Range block = vicino::loop::static_block(last_.size(), kCores, m);
    std::fill(last_.begin() + static_cast<long>(block.begin),
              last_.begin() + static_cast<long>(block.end), static_cast<uint8_t>(m));
  }
}

vicino::loop::History Node::history() {
  return words_ == 0 ? vicino::loop::History{}
                     : vicino::loop::History(lines_.front().words.data(), words_);
}

Time Node::step(Machine& machine, Time slack) {
  vicino::loop::Plan plan;
  plan.trip = iterations_->size();
  plan.values = vicino::loop::fallbacks(row_.parameters);
  plan.history = history();
  plan.shape = &machine.shape;
  if (heeds_slack_ && steps_ > 0)
    plan.fraction = with_slack(fraction(), static_cast<double>(slack),
                                               static_cast<double>(last_loop_), kCores);
  const Time begin = ++steps_ * kStep;
  std::array<Time, kCores> begins;
  std::array<Factors, kCores> by_member;
  const auto fork = static_cast<Time>(parameters_.fork * 1000);
  for (uint32_t m = 0; m < kCores; ++m) {
    begins[m] = begin + std::bit_width(m) * fork;  // C4
    by_member[m] = factors(m);
  }
  machine.run(row_, plan, begins, mix(seed_, number_, steps_), [&](vicino::loop::Range range) {
    execute(machine.team, range, by_member[machine.team.member()]);
  });
  const Time barrier = std::bit_width(kCores - 1) * machine.team.costs().far_line;  // C4
  return last_loop_ = machine.team.last_end() + barrier - begin;
}

// By 2 x (where the data were: own, near, far) + (whether the pages are in the other package).
Node::Factors Node::factors(uint32_t member) const {
  const auto lasting = static_cast<uint32_t>(parameters_.lasting);
  const auto first = static_cast<uint32_t>(mix(seed_, number_, member + 1) % lasting);
  const double z = normal(mix(seed_, number_, (first + steps_) / lasting, member + 1));
  const double slow = std::max(1 + parameters_.sigma * z, 0.25);  // C1
  const double from[] = {0, parameters_.from_near_cache(cache_),
                         parameters_.from_far_cache(cache_)};
  Factors factors;
  for (size_t i = 0; i < factors.size(); ++i) {
    const double more = from[i / 2] + (i % 2 == 1 ? parameters_.from_far_memory(memory_) : 0);
    factors[i] = static_cast<uint64_t>(std::llround(kOne * slow * (1 + more)));
  }
  return factors;
}

void Node::execute(vicino::sim::Team& team, vicino::loop::Range range, const Factors& factors) {
  const uint32_t core = team.member(), here = package(team.costs(), core);
  const std::vector<Time>& times = *iterations_;
  // In a static loop the packages' halves of the iterations are blocks (C3).
  const uint64_t middle =
      vicino::loop::static_block(times.size(), kCores, team.costs().cores_per_package).begin;
  Time all = 0;
  for (uint64_t i = range.begin; i < range.end; ++i) {
    const uint32_t before = last_[i];
    const size_t from = before == core ? 0 : package(team.costs(), before) == here ? 1 : 2;  // C2
    const size_t away = (i >= middle) != (here != 0);
    all += times[i] * factors[2 * from + away] / kOne;
    moved_ += before != core;
    last_[i] = static_cast<uint8_t>(core);
  }
  executed_ += range.size();
  team.work(all);
}

double Node::fraction() const {
  if (words_ < StaticFraction::kWords) return std::numeric_limits<double>::quiet_NaN();
  return StaticFraction::predicted(const_cast<Node*>(this)->history(), StaticFraction::kModel);
}

double Node::moved() const { return static_cast<double>(moved_) / static_cast<double>(executed_); }

}  // namespace cluster
