#include "plat/model/execution.hpp"

#include <fmt/format.h>

#include "plat/model/digest.hpp"

namespace vicino::model {
namespace {

// One is enough: the checker itself has one thread.
Execution* running_execution = nullptr;

}  // namespace

Execution* Execution::current() noexcept { return running_execution; }

void Execution::Thread::reset() noexcept {
  status = Status::kReady;
  history = 0;
  polled = kNever;
  stale = false;
  retried = false;
  time = 0;
  operations = 0;
}

Execution::Outcome Execution::run(Path& path, const Order& order,
                                  const std::function<void()>& build) {
  order_ = order;
  path_ = &path;
  build_ = &build;
  finally_ = nullptr;
  memory_.clear();
  names_.clear();
  budget_ = order.budget;
  count_ = steps_ = switches_ = 0;
  stores_ = 0;
  limited_ = false;
  failure_.clear();
  path.begin();

  running_ = kMain;
  thread("main", nullptr);
  running_execution = this;
  Fiber::change(caller_, me().fiber);
  running_execution = nullptr;
  return outcome_;
}

unsigned Execution::deviations() const noexcept {
  return order_.budget.preemptions - budget_.preemptions + order_.budget.stale_reads -
         budget_.stale_reads + order_.budget.spurious - budget_.spurious;
}

void Execution::thread(std::string name, std::function<void()> body) {
  if (count_ == kMaxThreads) fail("too many threads");
  Thread& added = threads_[count_++];
  added.reset();
  added.name = std::move(name);
  added.body = std::move(body);
  added.fiber.start(&Execution::enter);
}

void Execution::name(const void* object, std::size_t size, std::string_view name) {
  if (order_.trace) names_.add(object, size, name);
}

// Every fiber begins here.
void Execution::enter() {
  Execution& execution = *running_execution;
  if (execution.running_ == kMain) {
    execution.run_main();
    execution.leave(Outcome::kPassed);
  }
  execution.me().body();
  execution.me().status = Status::kDone;
  execution.schedule(Switch::kIsFree);
  __builtin_unreachable();
}

void Execution::run_main() {
  (*build_)();
  for (ThreadId t = 1; t < count_; ++t) memory_.spawn(kMain, t);
  me().status = Status::kJoining;
  schedule(Switch::kIsFree);
  for (ThreadId t = 1; t < count_; ++t) memory_.join(kMain, t);
  if (finally_) finally_();
}

// The fibers stay as they are: objects that their stacks own are lost, which is why scenarios keep
// what they allocate on the Stage.
void Execution::leave(Outcome outcome) {
  outcome_ = outcome;
  Fiber::change(me().fiber, caller_);
  __builtin_unreachable();
}

void Execution::fail(std::string why) {
  failure_ = std::move(why);
  leave(Outcome::kFailed);
}

// Even a step that sees and changes nothing is added to the history, because the state after it
// differs.
Event Execution::step(Switch to_others) {
  schedule(to_others);
  memory_.tick(running_);
  remember(0);
  return {running_, ++me().operations};
}

bool Execution::others_done() const noexcept {
  for (ThreadId t = 1; t < count_; ++t)
    if (threads_[t].status != Status::kDone) return false;
  return true;
}

// Chooses the thread of the next step. The running thread comes first if it can go on, so the very
// first execution is the one with the fewest switches.
void Execution::schedule(Switch to_others) {
  if (running_ == kMain && me().status == Status::kReady) return;  // before or after the threads
  if (++steps_ > order_.max_steps)
    fail("no end after max_steps: a livelock, or the bound is too small");
  stop_if_known(to_others);

  std::array<ThreadId, kMaxThreads> able{};
  unsigned count = 0;
  if (me().status == Status::kReady) able[count++] = running_;
  const bool free = count == 0 || to_others == Switch::kIsFree;
  for (ThreadId t = 1; t < count_; ++t) {
    if (t == running_ || threads_[t].status != Status::kReady) continue;
    if (free || budget_.preemptions > 0)
      able[count++] = t;
    else
      limited_ = true;
  }
  if (count == 0)
    for (ThreadId t = 1; t < count_; ++t)
      if (threads_[t].status == Status::kStalled && !threads_[t].retried) able[count++] = t;
  if (count == 0)
    for (ThreadId t = 1; t < count_; ++t)
      if (threads_[t].status == Status::kDozing) able[count++] = t;
  if (count == 0 && others_done()) able[count++] = kMain;
  if (count == 0) hang();

  const ThreadId next = able[pick(count)];
  if (threads_[next].status == Status::kStalled) threads_[next].retried = true;
  threads_[next].status = Status::kReady;
  if (next == running_) return;
  if (!free) --budget_.preemptions;
  if (running_ != kMain) ++switches_;
  Thread& last = me();
  running_ = next;
  Fiber::change(last.fiber, me().fiber);
}

void Execution::stop_if_known(Switch to_others) {
  if (!order_.explored || !path_->fresh()) return;
  const auto [at, added] = order_.explored->try_emplace(state(to_others), budget_);
  if (added) return;
  if (at->second.covers(budget_)) leave(Outcome::kKnown);
  if (budget_.covers(at->second)) at->second = budget_;
}

uint64_t Execution::state(Switch to_others) noexcept {
  uint64_t digest = fold(memory_.digest(), running_ << 1 | (to_others == Switch::kIsFree));
  for (ThreadId t = 1; t < count_; ++t) {
    const Thread& thread = threads_[t];
    const bool waits = thread.polled == stores_;
    digest = fold(digest, thread.history);
    digest = fold(digest, static_cast<unsigned>(thread.status) << 3 | thread.stale << 2 |
                              waits << 1 | thread.retried);
  }
  return digest;
}

void Execution::hang() {
  std::string who;
  for (ThreadId t = 1; t < count_; ++t) {
    const Thread& thread = threads_[t];
    if (thread.status == Status::kDone) continue;
    who += fmt::format("{}{} {}", who.empty() ? "" : ", ", thread.name,
                       thread.status == Status::kAsleep ? "sleeps on " + label(thread.sleeps_on)
                                                        : "polls in vain");
  }
  fail("no thread can go on: " + who);
}

}  // namespace vicino::model
