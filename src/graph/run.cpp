#include "graph/run.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/say.hpp"

namespace vicino::graph {
namespace {

constexpr uint64_t kFirstRing = 256;  // aggregates for which a deque has room before it grows

}  // namespace

Run::Run(const Graph& graph) : graph_(graph), counts_(new Count[graph.size()]) {
  for (uint32_t i = 0; i < graph.size(); ++i) {
    counts_[i].all = graph.before().length(i);
    counts_[i].missing.store(counts_[i].all, std::memory_order_relaxed);
    if (counts_[i].all == 0) roots_.push_back(i);
  }
}

void Run::begin(int runners, const RunnerNodes& runner_nodes, const AggregateNodes& nodes) {
  size = runners;
  runner_nodes_ = &runner_nodes;
  nodes_ = runner_nodes.nodes() > 1 && !nodes.node.empty() ? &nodes : nullptr;
  const uint64_t first_ring = std::min(std::bit_ceil(uint64_t{graph_.size()}), kFirstRing);
  while (runners_.size() < static_cast<size_t>(runners))
    runners_.push_back(std::make_unique<Runner>(first_ring));
  for (int i = 0; i < runners; ++i) {
    Runner& one = runner(i);
    one.node = runner_nodes.node(i);
    one.turn = one.glance = i;
    one.dry = 0;
  }
  if (nodes_ != nullptr) {
    if (below_ == nullptr) below_.reset(new Inbox::Below[graph_.size()]);
    while (containers_.size() < static_cast<size_t>(runner_nodes.nodes()))
      containers_.push_back(std::make_unique<Container>());
  }
  left_.store(graph_.size(), std::memory_order_relaxed);
  ++number_;
  if (graph_.size() == 0) over_.advance(number_);
}

void Run::end() noexcept {
  if (is_stopped()) put_back();
  VICINO_CHECK(R3, left_.load(std::memory_order_relaxed) == 0);
}

// After a run that ended early nothing is ready, and all edges count again.
void Run::put_back() noexcept {
  for (const auto& one : runners_) {
    while (one->open.pop() != nullptr || one->strict.pop() != nullptr) {
    }
    one->done = 0;
  }
  for (const auto& container : containers_) {
    container->open.take_all(below_.get(), [](uint32_t) {});
    container->strict.take_all(below_.get(), [](uint32_t) {});
  }
  for (uint32_t i = 0; i < graph_.size(); ++i)
    counts_[i].missing.store(counts_[i].all, std::memory_order_relaxed);
  left_.store(0, std::memory_order_relaxed);
  stopped_.store(false, std::memory_order_relaxed);
}

void Run::put_roots(int number, int share, int shares) {
  // The first share is one of the largest: its runner is the caller of the graph, and there already.
  const auto start = [&](int i) {
    const auto all = static_cast<size_t>(shares);
    return (roots_.size() * static_cast<size_t>(i) + all - 1) / all;
  };
  for (size_t i = start(share + 1); i > start(share); --i) put(number, roots_[i - 1]);
}

Run::Count* Run::release(int number, const Count& ended) {
  const Runner& me = runner(number);
  Count* kept = nullptr;
  for (const uint32_t next : graph_.after(number_of(ended))) {
    Count& count = counts_[next];
    if (count.all != 1) {
      const uint32_t missing = count.missing.fetch_sub(1, std::memory_order_acq_rel);  // C1
      VICINO_CHECK(R1, missing >= 1 && missing <= count.all);
      if (missing != 1) continue;
      count.missing.store(count.all, std::memory_order_relaxed);  // C2
    }
    if (kept == nullptr && may_keep(me, next))
      kept = &count;
    else
      put(number, next);
  }
  return kept;
}

bool Run::may_keep(const Runner& me, uint32_t aggregate) const noexcept {
  return nodes_ == nullptr || nodes_->node[aggregate] == me.node;
}

void Run::put(int number, uint32_t aggregate) {
  Runner& me = runner(number);
  if (nodes_ == nullptr) return put_in_deque(number, aggregate, false);
  int node = nodes_->node[aggregate];
  if (node == AggregateNodes::kNone) node = me.turn = (me.turn + 1) % runner_nodes_->nodes();
  const bool strict = !nodes_->strict.empty() && nodes_->strict[aggregate];
  if (node == me.node) return put_in_deque(number, aggregate, strict);
  Container& container = *containers_[static_cast<size_t>(node)];
  (strict ? container.strict : container.open).put(aggregate, below_.get());
  task::wake_for_work(*this, runner_nodes_->first[static_cast<size_t>(node)],
                      [&](int i) { return !strict || runner(i).node == node; });
}

void Run::put_in_deque(int number, uint32_t aggregate, bool strict) {
  Runner& me = runner(number);
  (strict ? me.strict : me.open).push(&counts_[aggregate]);
  task::wake_for_work(*this, number + 1,
                      [&](int i) { return !strict || runner(i).node == me.node; });
}

Run::Count* Run::take_own(Runner& me) noexcept {
  if (nodes_ != nullptr)
    if (Count* strict = me.strict.pop()) return strict;
  return me.open.pop();
}

Run::Count* Run::empty_inbox(int number, int node) {
  Container& container = *containers_[static_cast<size_t>(node)];
  container.open.take_all(below_.get(), [&](uint32_t i) { put_in_deque(number, i, false); });
  container.strict.take_all(below_.get(), [&](uint32_t i) { put_in_deque(number, i, true); });
  return take_own(runner(number));
}

// An inbox is emptied as a whole, so what is not taken goes back. The runners of the node may have
// found it empty meanwhile, and gone to sleep.
Run::Count* Run::take_from_inbox(int node) noexcept {
  Inbox& inbox = containers_[static_cast<size_t>(node)]->open;
  Count* taken = nullptr;
  bool some_are_left = false;
  inbox.take_all(below_.get(), [&](uint32_t i) {
    if (taken == nullptr) {
      taken = &counts_[i];
      return;
    }
    inbox.put(i, below_.get());
    some_are_left = true;
  });
  if (some_are_left)
    task::wake_for_work(*this, runner_nodes_->first[static_cast<size_t>(node)],
                        [](int) { return true; });
  return taken;
}

// Takes the oldest one, which other threads may want, too.
Run::Count* Run::steal_from(Deque& deque) noexcept {
  Count* count = nullptr;
  while (deque.steal(count, [](Count*) { return true; }) == Deque::Stolen::kLostRace) {
  }
  return count;
}

Run::Count* Run::steal(int number, int victim_number) {
  const Runner& me = runner(number);
  Runner& victim = runner(victim_number);
  const bool is_near = victim.node == me.node;
  Count* count = nullptr;
  if (nodes_ != nullptr && is_near) count = steal_from(victim.strict);
  if (count == nullptr) count = steal_from(victim.open);
  if (count == nullptr && nodes_ != nullptr && !is_near) count = take_from_inbox(victim.node);
  return count;
}

bool Run::offers(const Runner& me, const Runner& victim) const noexcept {
  const auto any = [](Count*) { return true; };
  if (victim.open.offers(any)) return true;
  if (nodes_ == nullptr) return false;
  const Container& container = *containers_[static_cast<size_t>(victim.node)];
  if (!container.open.empty()) return true;
  return victim.node == me.node && (!container.strict.empty() || victim.strict.offers(any));
}

bool Run::offers_any(int number, bool will_reach) const noexcept {
  const Runner& me = *runners_[static_cast<size_t>(number)];
  for (const auto& victim : std::span(runners_).first(static_cast<size_t>(size)))
    if ((will_reach || reaches(me, *victim)) && offers(me, *victim)) return true;
  return false;
}

bool Run::offers_next(int number) noexcept {
  Runner& me = runner(number);
  me.glance = me.glance + 1 < size ? me.glance + 1 : 0;
  const Runner& victim = runner(me.glance);
  return reaches(me, victim) && offers(me, victim);
}

void Run::tell_done(Runner& me) noexcept {
  const uint32_t done = std::exchange(me.done, 0);
  if (done != 0 && left_.fetch_sub(done, std::memory_order_relaxed) == done)  // C3
    over_.advance(number_);
}

bool Run::wait_for_work(int number, sync::Waiting waiting) {
  Runner& me = runner(number);
  tell_done(me);
  plat::Budget budget = waiting.patience.take_budget(waiting.limits);
  const uint64_t polled = budget.ns;
  if (!poll(number, waiting, budget)) {
    const uint64_t start = plat::now();
    task::sleep_in(
        sleepers, me.sleeper, over_, [this] { return is_over(); },
        [&] { return plat::heavy_fence(), offers_any(number, true); });  // A1 of task/sleep.hpp
    waiting.patience.slept(polled + (plat::now() - start), waiting.limits);
  }
  return !is_over();
}

// False if the budget is used up.
bool Run::poll(int number, sync::Waiting waiting, plat::Budget& budget) {
  Runner& me = runner(number);
  uint64_t seen = over_.word().load(std::memory_order_relaxed);  // C3
  bool found = false;
  for (;;) {
    if (sync::EventCount::value_of(seen) == number_) return true;
    const uint64_t next = plat::wait_on(
        over_.word(), seen, budget,
        [&] {
          ++me.dry;
          return found = offers_any(number, false);
        },
        [&] { return found = offers_next(number); });
    waiting.patience.polled(budget, waiting.limits);
    if (found) return true;
    if (!sync::polls_on(next != std::exchange(seen, next), budget, waiting.limits))
      return is_over();
  }
}

}  // namespace vicino::graph
