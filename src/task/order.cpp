#include "task/order.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace vicino::task {
namespace {

// Whether tasks with the same access share a phase.
bool is_shared(Access access) { return access == Access::kIn || access == Access::kSet; }

bool names_all(std::span<const Dependence> dependences) {
  return std::ranges::any_of(dependences, [](auto& d) { return d.access == Access::kMemory; });
}

}  // namespace

std::vector<Dependence> Order::merged(std::span<const Dependence> dependences) {
  std::vector<Dependence> all;
  for (const Dependence& d : dependences)
    if (d.access != Access::kNone) all.push_back(d);
  std::ranges::sort(all, std::less<>(), &Dependence::address);
  size_t kept = 0;
  for (const Dependence& d : all) {
    if (kept > 0 && all[kept - 1].address == d.address) {
      if (all[kept - 1].access != d.access) all[kept - 1].access = Access::kOut;
    } else {
      all[kept++] = d;
    }
  }
  all.resize(kept);
  return all;
}

void Order::enter(const Dependence& dependence, uint32_t task,
                  std::vector<uint32_t>& predecessors) {
  auto& [now, before] = addresses_[dependence.address];
  if (now.access != dependence.access || !is_shared(dependence.access)) {
    before = std::move(now);
    now = {dependence.access, {}};
  }
  now.tasks.push_back(task);
  predecessors.insert(predecessors.end(), before.tasks.begin(), before.tasks.end());
}

void Order::look(const Dependence& dependence, std::vector<uint32_t>& predecessors) const {
  const auto found = addresses_.find(dependence.address);
  if (found == addresses_.end()) return;
  const auto& [now, before] = found->second;
  const bool joins = now.access == dependence.access && is_shared(dependence.access);
  const auto& phase = joins ? before : now;
  predecessors.insert(predecessors.end(), phase.tasks.begin(), phase.tasks.end());
}

uint32_t Order::append(std::vector<uint32_t> predecessors) {
  const uint32_t task = tasks();
  if (task == kNone) throw std::length_error("2^32 tasks");
  std::ranges::sort(predecessors);
  predecessors.erase(std::ranges::unique(predecessors).begin(), predecessors.end());
  // A task that is newer than the floor follows it.
  if (floor_ != kNone && (predecessors.empty() || predecessors.back() <= floor_))
    if (predecessors.empty() || predecessors.back() != floor_) predecessors.push_back(floor_);
  for (const uint32_t one : predecessors) has_successor_[one] = true;
  before_.insert(before_.end(), predecessors.begin(), predecessors.end());
  if (before_.size() >= kNone) throw std::length_error("2^32 edges");
  first_.push_back(static_cast<uint32_t>(before_.size()));
  has_successor_.push_back(false);
  return task;
}

uint32_t Order::add(std::span<const Dependence> dependences) {
  if (names_all(dependences)) {
    separate();
    return floor_;
  }
  std::vector<uint32_t> predecessors;
  for (const Dependence& d : merged(dependences)) enter(d, tasks(), predecessors);
  return append(std::move(predecessors));
}

void Order::separate() {
  std::vector<uint32_t> last;
  for (uint32_t i = separated_; i < tasks(); ++i)
    if (!has_successor_[i]) last.push_back(i);
  addresses_.clear();
  floor_ = separated_ = append(std::move(last));
}

void Order::wait() {
  const bool all_wait_already = floor_ != kNone && tasks() == separated_ + 1;
  if (tasks() > 0 && !all_wait_already) separate();
}

void Order::wait_for(std::span<const Dependence> dependences) {
  if (names_all(dependences)) return wait();
  std::vector<uint32_t> predecessors;
  for (const Dependence& d : merged(dependences)) look(d, predecessors);
  if (!predecessors.empty()) floor_ = append(std::move(predecessors));
}

}  // namespace vicino::task
