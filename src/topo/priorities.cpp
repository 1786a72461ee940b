#include "topo/priorities.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <tuple>

#include "base/hash.hpp"

namespace vicino::topo {
namespace {

// The firmware's table has a byte for each distance, and 255 means unreachable. The bound also
// keeps the numerators far below 2^63, whatever values a machine reports.
constexpr unsigned kUnreachable = 255;

// Adjacent indices get unrelated numbers.
uint64_t lot(uint64_t seed, int core) {
  return splitmix64(seed + static_cast<uint64_t>(core) * kSplitmixStep);
}

// An order as text, each run of consecutive numbers as one word: "4-7 0-1 9".
std::string runs_of(std::span<const int> order) {
  std::string text;
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && order[end] == order[end - 1] + 1) ++end;
    text += (text.empty() ? "" : " ") + std::to_string(order[i]);
    if (end > i + 1) text += "-" + std::to_string(order[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace

Priorities::Priorities(const Machine& machine, const CpuSet& allowed)
    : machine_(&machine),
      by_levels_(!machine.distances_known() || machine.count(Level::kNode) == 1) {
  for (int core = 0; core < machine.count(Level::kCore); ++core)
    if (machine.domains(Level::kCore)[static_cast<size_t>(core)].cpus.intersects(allowed))
      cores_.push_back({.core = core, .base = 0, .v1 = 0, .v2 = 0, .final = 0});
  weigh();
  rate();
}

const Pu& Priorities::first_of(int core) const noexcept {
  const Domain& domain = machine_->domains(Level::kCore)[static_cast<size_t>(core)];
  return *machine_->pu_of(domain.cpus.first());
}

unsigned Priorities::levels_apart(int core_a, int core_b) const noexcept {
  const Pu& a = first_of(core_a);
  const Pu& b = first_of(core_b);
  return unsigned{a.cache_group != b.cache_group} + unsigned{a.node != b.node} +
         unsigned{a.package != b.package};
}

unsigned Priorities::distance(int core_a, int core_b) const noexcept {
  if (by_levels_) return levels_apart(core_a, core_b);
  return std::min(machine_->distance(first_of(core_a).node, first_of(core_b).node), kUnreachable);
}

// A core's distance to itself counts as an existing distance: the local weight is then the greatest
// also where nodes have a single core.
void Priorities::weigh() {
  std::vector<bool> seen(kUnreachable + 1);
  for (const CorePriority& from : cores_)
    for (const CorePriority& to : cores_) seen[distance(from.core, to.core)] = true;
  const auto last = std::find(seen.rbegin(), seen.rend(), true);
  if (last == seen.rend()) return;  // no core is allowed
  farthest_ = seen.rend() - last - 1;
  denominator_ = 0;
  for (unsigned d = 0; d <= farthest_; ++d)
    if (seen[d]) {
      weights_.push_back({d, weight_of(d)});
      denominator_ += weight_of(d);
    }
}

void Priorities::rate() {
  for (CorePriority& self : cores_)
    for (const CorePriority& other : cores_) {
      if (first_of(self.core).node == first_of(other.core).node) ++self.base;
      if (&self != &other) self.v1 += weight_of(distance(self.core, other.core));
    }
  for (CorePriority& self : cores_) {
    for (const CorePriority& other : cores_)
      if (&self != &other)
        self.v2 +=
            weight_of(distance(self.core, other.core)) * (other.base * denominator_ + other.v1);
    self.final = (self.base * denominator_ + self.v1) * denominator_ + self.v2;
  }
}

std::vector<int> Priorities::order(std::optional<uint64_t> seed) const {
  std::vector<CorePriority> sorted = cores_;
  if (sorted.empty()) return {};
  const auto by_priority = [&](const CorePriority& c) {
    return std::tuple(-c.final, seed ? lot(*seed, c.core) : 0, c.core);
  };
  const int first = std::ranges::min(sorted, {}, by_priority).core;
  std::ranges::sort(sorted, {}, [&](const CorePriority& c) {
    return std::tuple_cat(
        std::tuple(c.core != first, distance(first, c.core), levels_apart(first, c.core)),
        by_priority(c));
  });
  std::vector<int> order;
  for (const CorePriority& c : sorted) order.push_back(c.core);
  return order;
}

bool Priorities::check() const {
  for (size_t i = 0; i < cores_.size(); ++i) {
    const CorePriority& c = cores_[i];
    if (i > 0 && cores_[i - 1].core >= c.core) return false;  // P1
    const int64_t s = denominator_;
    if (c.final != c.base * s * s + c.v1 * s + c.v2) return false;  // P3
  }
  int64_t above = INT64_MAX;  // P2
  int64_t sum = 0;
  for (const Weight& weight : weights_) {
    if (weight.numerator <= 0 || weight.numerator >= above) return false;
    above = weight.numerator;
    sum += weight.numerator;
  }
  return cores_.empty() || sum == denominator_;
}

std::vector<int> priority_order(const Machine& machine, const CpuSet& allowed,
                                std::optional<uint64_t> seed) {
  return Priorities(machine, allowed).order(seed);
}

std::string describe_priorities(const Machine& machine, const Priorities& priorities) {
  const auto one = static_cast<double>(priorities.denominator());
  const auto cpus_of = [&](int core) -> const CpuSet& {
    return machine.domains(Level::kCore)[static_cast<size_t>(core)].cpus;
  };
  const std::vector<int> order = priorities.order();
  std::vector<int> rank(static_cast<size_t>(machine.count(Level::kCore)));
  for (size_t i = 0; i < order.size(); ++i)
    rank[static_cast<size_t>(order[i])] = static_cast<int>(i);

  std::string text = priorities.by_levels() ? "weights of the levels that two cores do not share:"
                                            : "weights of the distances between nodes:";
  for (const Weight& weight : priorities.weights())
    text += " " + std::to_string(weight.distance) + ": " + std::to_string(weight.numerator) + "/" +
            std::to_string(priorities.denominator());
  int width = 4;
  for (const CorePriority& c : priorities.cores()) {
    const std::string list = cpus_of(c.core).to_list();
    width = std::max(width, static_cast<int>(list.size()));
  }
  char row[256];
  snprintf(row, sizeof row,
           "\n\n  core  %-*s  node  base        V1          V2       final  rank\n", width, "CPUs");
  text += row;
  for (const CorePriority& c : priorities.cores()) {
    const int node = machine.pu_of(cpus_of(c.core).first())->node;
    const int os_index = machine.domains(Level::kNode)[static_cast<size_t>(node)].os_index;
    snprintf(row, sizeof row, "%6d  %-*s  %4d  %4lld  %8.4f  %10.4f  %10.4f  %4d\n", c.core, width,
             cpus_of(c.core).to_list().c_str(), os_index >= 0 ? os_index : node,
             static_cast<long long>(c.base), static_cast<double>(c.v1) / one,
             static_cast<double>(c.v2) / (one * one), static_cast<double>(c.final) / (one * one),
             rank[static_cast<size_t>(c.core)]);
    text += row;
  }
  return text + "\nthe order in which threads take cores: " + runs_of(order) + "\n";
}

}  // namespace vicino::topo
