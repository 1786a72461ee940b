#include "graph/repeats.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "graph/guard.hpp"
#include "sync/cold.hpp"
#include "task/order.hpp"

namespace vicino::graph {
namespace {

using task::Dependence;

// One lock for what is known of all sites. It is taken after Cold (at()), and short: graphs are made outside, and no
// graph is destroyed under it, because that takes Cold.
constinit sync::Lock knowledge;

bool are_equal(std::span<const Dependence> a, std::span<const Dependence> b) noexcept {
  return std::ranges::equal(a, b, [](const Dependence& one, const Dependence& other) {
    return one.address == other.address && one.access == other.access;
  });
}

}  // namespace

void Sequence::add(const void* code, std::span<const Dependence> dependences) {
  dependences_.insert(dependences_.end(), dependences.begin(), dependences.end());
  first_.push_back(static_cast<uint32_t>(dependences_.size()));
  code_.push_back(code);
}

bool Sequence::has(size_t task, const void* code,
                   std::span<const Dependence> dependences) const noexcept {
  return task < size() && code_[task] == code && are_equal(this->dependences(task), dependences);
}

bool Sequence::begins_with(const Sequence& other) const noexcept {
  const size_t tasks = other.size();
  return tasks <= size() && std::equal(other.code_.begin(), other.code_.end(), code_.begin()) &&
         std::equal(other.first_.begin(), other.first_.end(), first_.begin()) &&
         are_equal(other.dependences_, std::span(dependences_).first(other.dependences_.size()));
}

Sequence Sequence::first(size_t tasks) const {
  Sequence begin;
  for (size_t task = 0; task < tasks; ++task) begin.add(code_[task], dependences(task));
  return begin;
}

// Two threads may make the graph at once; the first one's stays.
TaskGraph& Repeat::graph() {
  {
    const Guard guard(knowledge);
    if (graph_ != nullptr) return *graph_;
  }
  task::Order order;
  for (size_t task = 0; task < sequence_.size(); ++task) order.add(sequence_.dependences(task));
  Rows before({order.first().begin(), order.first().end()},
              {order.before().begin(), order.before().end()});
  // Neither can fail: the order has no circle, and "automatic" is a coarse string.
  const TaskGraph tasks(*Graph::from(std::move(before)));
  std::unique_ptr<TaskGraph> made = *tasks.coarsened(kAutomatic);
  const Guard guard(knowledge);
  if (graph_ == nullptr) graph_ = std::move(made);
  return *graph_;
}

RepeatSite* RepeatSite::at(const void* code) {
  const sync::Cold cold;  // before the guard of `sites`, which a child of fork() might find taken
  // Not freed: other threads may use it while the process exits.
  static auto& sites = *new std::unordered_map<const void*, RepeatSite>;
  RepeatSite& site = sites.try_emplace(code).first->second;
  return site.is_given_up() ? nullptr : &site;
}

bool RepeatSite::is_given_up() noexcept {
  const Guard guard(knowledge);
  return failures_ > kMostFailures;
}

void RepeatSite::give_up() noexcept {
  std::vector<std::shared_ptr<Repeat>> gone;  // destroyed when the lock is free again
  const Guard guard(knowledge);
  failures_ = kMostFailures + 1;
  gone.swap(shapes_);
}

std::shared_ptr<Repeat> RepeatSite::like(const Sequence& begin) {
  const Guard guard(knowledge);
  const auto found = std::ranges::find_if(
      shapes_, [&begin](const auto& shape) { return shape->sequence().begins_with(begin); });
  return found == shapes_.end() ? nullptr : *found;
}

std::shared_ptr<Repeat> RepeatSite::same(const Sequence& all) {
  const Guard guard(knowledge);
  const auto found = std::ranges::find_if(shapes_, [&all](const auto& shape) {
    return shape->sequence().size() == all.size() && shape->sequence().begins_with(all);
  });
  return found == shapes_.end() ? nullptr : *found;
}

void RepeatSite::was_repeated(const std::shared_ptr<Repeat>& repeat) noexcept {
  const Guard guard(knowledge);
  failures_ = 0;
  const auto found = std::ranges::find(shapes_, repeat);
  if (found != shapes_.end()) std::rotate(shapes_.begin(), found, found + 1);
}

void RepeatSite::keep(Sequence sequence) {
  auto repeat = std::make_shared<Repeat>(std::move(sequence));
  std::vector<std::shared_ptr<Repeat>> gone;  // destroyed when the lock is free again
  std::shared_ptr<Repeat> oldest;
  const Guard guard(knowledge);
  if (++failures_ > kMostFailures) return gone.swap(shapes_);
  if (shapes_.size() == kMostShapes) {
    oldest = std::move(shapes_.back());
    shapes_.pop_back();
  }
  shapes_.insert(shapes_.begin(), std::move(repeat));
}

bool Follower::add(const void* code, std::span<const Dependence> dependences) {
  if (state_ == State::kIdle) begin(code);
  if (state_ == State::kFollowing) return follow(code, dependences);
  if (state_ == State::kSeeing) see(code, dependences);
  return false;
}

void Follower::begin(const void* code) {
  site_ = RepeatSite::at(code);
  if (site_ == nullptr) {
    state_ = State::kIgnoring;
    return;
  }
  repeat_ = site_->like({});
  place_ = 0;
  state_ = repeat_ != nullptr ? State::kFollowing : State::kSeeing;
}

// If this is not the task that comes next, perhaps another sequence begins like this.
bool Follower::follow(const void* code, std::span<const Dependence> dependences) {
  if (!repeat_->sequence().has(place_, code, dependences)) {
    Sequence begin = repeat_->sequence().first(place_);
    begin.add(code, dependences);
    repeat_ = site_->like(begin);
    if (repeat_ == nullptr) {
      seen_ = std::move(begin);
      state_ = State::kSeeing;
      return false;
    }
  }
  ++place_;
  return true;
}

void Follower::see(const void* code, std::span<const Dependence> dependences) {
  if (seen_.size() >= kMostTasks) return refuse();
  seen_.add(code, dependences);
}

void Follower::refuse() noexcept {
  if (site_ != nullptr) site_->give_up();
  state_ = State::kIgnoring;
}

// Another known sequence may end here.
std::shared_ptr<Repeat> Follower::complete() {
  if (state_ != State::kFollowing) return nullptr;
  if (!is_whole())
    if (auto other = site_->same(repeat_->sequence().first(place_))) repeat_ = std::move(other);
  return is_whole() ? repeat_ : nullptr;
}

bool Follower::is_whole() const noexcept {
  return state_ == State::kFollowing && place_ == repeat_->sequence().size();
}

void Follower::end() {
  if (is_whole())
    site_->was_repeated(repeat_);
  else if (state_ == State::kFollowing)
    site_->keep(repeat_->sequence().first(place_));
  else if (state_ == State::kSeeing)
    site_->keep(std::move(seen_));
  state_ = State::kIdle;
  site_ = nullptr;
  repeat_ = nullptr;
  seen_ = {};
}

}  // namespace vicino::graph
