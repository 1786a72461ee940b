// operations.cpp: the steps of an execution, one function each.
#include <fmt/format.h>

#include <utility>

#include "plat/model/digest.hpp"
#include "plat/model/execution.hpp"

namespace vicino::model {
namespace {

constexpr Time kSpurious = UINT16_MAX;  // instead of a store: a weak compare_exchange fails

uint64_t fold_event(Event event, LocationId l) {
  return uint64_t{l} << 32 | event.thread << 16 | event.number;
}

}  // namespace

uint64_t Execution::fold_history(uint64_t history, uint64_t what) noexcept {
  return fold(history, what);
}

std::memory_order Execution::ask(const Where& where, Part part, std::memory_order order) {
  if (order_.points && running_ != kMain) {
    const SourcePoint point{where, part, order};
    if (std::find(order_.points->begin(), order_.points->end(), point) == order_.points->end())
      order_.points->push_back(point);
  }
  return mutated(where, part) ? order_.mutation->order : order;
}

bool Execution::mutated(const Where& where, Part part) const noexcept {
  return order_.mutation && order_.mutation->point == SourcePoint{where, part};
}

std::string Execution::label(LocationId l) const {
  return names_.of(memory_.address(l), fmt::format("word{}", l));
}

std::string Execution::staleness(LocationId l, Time t) const {
  if (t == memory_.newest(l)) return {};
  return fmt::format("  (stale: newest is {})", number(memory_.at(l, memory_.newest(l)).value));
}

void Execution::note(const Where& where, std::string_view text) {
  order_.trace->add(me().name, text, where);
}

LocationId Execution::find(const Word& word) {
  const LocationId l = memory_.find(word.address, word.value);
  if (memory_.full()) fail("too many atomic objects: raise kMaxLocations");
  return l;
}

void Execution::construct(Word word) {
  if (running_ == kMain)
    memory_.declare(word.address);
  else
    memory_.create(word.address, word.value, {running_, me().operations});
  if (memory_.full()) fail("too many atomic objects: raise kMaxLocations");
}

// Chooses the store that a load reads: the newest is free, an older one costs budget.
Time Execution::choose(LocationId l, std::memory_order order) {
  const Time newest = memory_.newest(l);
  const Time oldest = memory_.oldest(running_, l, order);
  if (oldest == newest) return newest;
  if (budget_.stale_reads == 0) {
    limited_ = true;
    return newest;
  }
  const auto back = static_cast<Time>(pick(newest - oldest + 1u));
  if (back > 0) {
    --budget_.stale_reads;
    me().read_stale();
  }
  return static_cast<Time>(newest - back);
}

uint64_t Execution::take(LocationId l, Time t, std::memory_order order) {
  memory_.read(running_, l, t, order);
  const Store& store = memory_.at(l, t);
  remember(fold_event(store.by, l));
  return store.value;
}

// Called after a store: a waiter may find something new. A store of the value that was there is not
// new; otherwise threads that take turns at an exchange in a loop would keep each other running for
// ever.
void Execution::stored(LocationId l) noexcept {
  const Time newest = memory_.newest(l);
  if (memory_.at(l, newest).value == memory_.at(l, static_cast<Time>(newest - 1)).value) return;
  ++stores_;
  for (ThreadId t = 1; t < count_; ++t) {
    threads_[t].retried = false;
    if (threads_[t].status == Status::kStalled) threads_[t].status = Status::kReady;
  }
}

void Execution::stall() noexcept {
  if (running_ != kMain && me().polled == stores_) me().status = Status::kStalled;
}

uint64_t Execution::load(Word word, std::memory_order order, const Where& where) {
  order = ask(where, Part::kAccess, order);
  step(Switch::kCosts);
  const LocationId l = find(word);
  const Time t = choose(l, order);
  const uint64_t value = take(l, t, order);
  if (order_.trace)
    note(where, fmt::format("{}.load({}) = {}{}", label(l), model::name(order), number(value),
                            staleness(l, t)));
  return value;
}

void Execution::store(Word word, uint64_t value, std::memory_order order, const Where& where) {
  order = ask(where, Part::kAccess, order);
  const Event event = step(Switch::kCosts);
  const LocationId l = find(word);
  memory_.write(event, l, value, order);
  remember(l);
  stored(l);
  if (order_.trace)
    note(where, fmt::format("{}.store({}, {})", label(l), number(value), model::name(order)));
}

// The writing half of an RMW. If a mutation makes the RMW not atomic, this half is a step of its
// own, and a plain store.
void Execution::put(LocationId l, uint64_t value, std::memory_order order, const Where& where) {
  const bool torn = mutated(where, Part::kUnity);
  if (torn) schedule(Switch::kCosts);
  const Event event{running_, me().operations};
  if (torn)
    memory_.write(event, l, value, order);
  else
    memory_.replace(event, l, value, order);
  stored(l);
}

void Execution::begin_rmw(Word word, std::memory_order order, const Where& where) {
  order = ask(where, Part::kAccess, order);
  ask(where, Part::kUnity, order);
  step(Switch::kCosts);
  const LocationId l = find(word);
  take(l, memory_.newest(l), order);
}

void Execution::end_rmw(Word word, uint64_t value, std::memory_order order, const Where& where) {
  order = ask(where, Part::kAccess, order);
  const LocationId l = find(word);
  const uint64_t old = memory_.at(l, memory_.newest(l)).value;
  put(l, value, order, where);
  if (order_.trace)
    note(where, fmt::format("{}.exchange({}) {} -> {}", label(l), model::name(order), number(old),
                            number(value)));
}

// Chooses the store that a compare_exchange reads: the newest, the only one on which it can
// succeed; an older one with another value; or kSpurious, if it may fail for no reason.
Time Execution::choose_to_compare(LocationId l, uint64_t expected, std::memory_order failure,
                                  bool may_fail) {
  const Time newest = memory_.newest(l);
  unsigned stale = 0;
  for (Time t = memory_.oldest(running_, l, failure); t < newest; ++t)
    stale += memory_.at(l, t).value != expected;
  if (stale > 0 && budget_.stale_reads == 0) limited_ = true, stale = 0;
  if (may_fail && budget_.spurious == 0) limited_ = true, may_fail = false;

  unsigned chosen = pick(1 + stale + may_fail);
  if (chosen == 0) return newest;
  if (chosen > stale) {
    --budget_.spurious;
    return kSpurious;
  }
  --budget_.stale_reads;
  me().read_stale();
  Time t = newest;
  while (chosen > 0) chosen -= memory_.at(l, --t).value != expected;
  return t;
}

bool Execution::compare_exchange(Word word, uint64_t& expected, uint64_t desired,
                                 std::memory_order success, std::memory_order failure, bool weak,
                                 const Where& where) {
  success = ask(where, Part::kAccess, success);
  failure = ask(where, Part::kFailure, failure);
  ask(where, Part::kUnity, success);
  step(Switch::kCosts);
  const LocationId l = find(word);
  const bool fits = memory_.at(l, memory_.newest(l)).value == expected;
  Time t = choose_to_compare(l, expected, failure, weak && fits);
  const bool spurious = t == kSpurious;
  if (spurious) t = memory_.newest(l);
  const bool done = fits && !spurious && t == memory_.newest(l);

  const uint64_t old = take(l, t, done ? success : failure);
  remember(done);
  if (order_.trace)
    note(where, fmt::format("{}.compare_exchange({} -> {}, {}) {}", label(l), number(expected),
                            number(desired), model::name(done ? success : failure),
                            done       ? "done"
                            : spurious ? "fails for no reason"
                                       : "finds " + number(old) + staleness(l, t)));
  expected = old;
  if (done) put(l, desired, success, where);
  return done;
}

void Execution::fence(std::memory_order order, const Where& where) {
  order = ask(where, Part::kAccess, order);
  step(Switch::kCosts);
  fence_of(running_, order);
  if (order_.trace) note(where, fmt::format("fence({})", model::name(order)));
}

// A fence's effect on a thread depends on what other threads did before, so that is part of what
// the thread has seen.
void Execution::fence_of(ThreadId thread, std::memory_order order) noexcept {
  memory_.fence(thread, order);
  uint64_t& history = threads_[thread].history;
  history = fold_history(fold_history(history, static_cast<uint64_t>(order)), memory_.strength());
}

// The kernel interrupts the running threads one by one while the caller waits; here all are
// interrupted at one moment. A thread that does not run, or has ended, passed a fence when it
// stopped. Weakened to another order, this is an ordinary fence of the caller.
void Execution::heavy_fence(const Where& where) {
  const std::memory_order order = ask(where, Part::kAccess, std::memory_order_seq_cst);
  step(Switch::kCosts);
  fence_of(running_, order);
  if (order == std::memory_order_seq_cst) {
    for (ThreadId t = 1; t < count_; ++t)
      if (t != running_) fence_of(t, order);
    fence_of(running_, order);
  }
  if (order_.trace) note(where, "heavy_fence()");
}

uint64_t Execution::wait_on(Word word, uint64_t seen, const Where& where) {
  const std::memory_order order = ask(where, Part::kAccess, std::memory_order_acquire);
  const LocationId l = find(word);
  stall();
  const bool waits = memory_.at(l, memory_.newest(l)).value == seen;
  step(waits ? Switch::kIsFree : Switch::kCosts);
  const Time t = choose(l, order);
  const uint64_t value = take(l, t, order);
  if (value == seen && t == memory_.newest(l)) me().polled_at(stores_);
  if (order_.trace)
    note(where, value == seen ? fmt::format("wait_on({}, {}) in vain{}", label(l), number(seen),
                                            staleness(l, t))
                              : fmt::format("wait_on({}, {}) = {}{}", label(l), number(seen),
                                            number(value), staleness(l, t)));
  return value;
}

void Execution::sleep_on(Word word, uint64_t seen, bool for_ever, const Where& where) {
  step(Switch::kCosts);
  const LocationId l = find(word);
  const Store& newest = memory_.at(l, memory_.newest(l));
  memory_.look(running_, l);
  remember(fold_event(newest.by, l));
  const bool sleeps = static_cast<uint32_t>(newest.value) == static_cast<uint32_t>(seen);
  bool spurious = false;
  if (sleeps && budget_.spurious == 0) limited_ = true;
  if (sleeps && budget_.spurious > 0) spurious = pick(2) == 1;
  remember(spurious);
  if (order_.trace)
    note(where, fmt::format("sleep_on({}, {}){}", label(l), number(seen),
                            spurious ? " returns for no reason"
                            : sleeps ? ""
                                     : " finds " + number(newest.value)));
  if (!sleeps) return;
  if (spurious) {
    --budget_.spurious;
    return;
  }
  me().status = for_ever ? Status::kAsleep : Status::kDozing;
  me().sleeps_on = l;
  schedule(Switch::kIsFree);
}

// The kernel chooses which of several sleepers to wake, so all choices are tried.
void Execution::wake(Word word, unsigned count, const Where& where) {
  ask(where, Part::kWake, std::memory_order_relaxed);
  step(Switch::kCosts);
  const LocationId l = find(word);
  if (mutated(where, Part::kWake)) count = 0;
  std::string woken;
  for (; count > 0; --count) {
    std::array<ThreadId, kMaxThreads> asleep{};
    unsigned sleepers = 0;
    for (ThreadId t = 1; t < count_; ++t)
      if (sleeps(threads_[t]) && threads_[t].sleeps_on == l) asleep[sleepers++] = t;
    if (sleepers == 0) break;
    const unsigned chosen = sleepers > count ? pick(sleepers) : 0;
    threads_[asleep[chosen]].status = Status::kReady;
    remember(asleep[chosen]);
    woken += (woken.empty() ? "" : ", ") + threads_[asleep[chosen]].name;
  }
  if (order_.trace)
    note(where, fmt::format("wake({}): {}", label(l), woken.empty() ? "nobody" : woken));
}

void Execution::relax(const Where& where) {
  stall();
  step(Switch::kIsFree);
  if (!std::exchange(me().stale, false)) me().polled_at(stores_);
  if (order_.trace) note(where, "relax()");
}

// Each thread's clock advances with its own steps: one clock for all would make equal states
// differ, and nothing here waits for a time.
uint64_t Execution::now() noexcept { return 100u * ++me().time; }

// The values differ in the high bits as well as in the low ones, since callers may use either.
uint64_t Execution::random() {
  const uint64_t values = order_.random_values;
  const uint64_t value = pick(order_.random_values);
  remember(value);
  return value + value * (UINT64_MAX / values);
}

bool Execution::perhaps() {
  const unsigned chosen = pick(2);
  remember(chosen);
  return chosen == 1;
}

void Execution::touch(const void* data, Footprint& footprint, bool writes, const Where& where) {
  const bool ordered = memory_.touch(running_, footprint, writes);
  const std::string_view what = writes ? "write" : "read";
  if (order_.trace) note(where, fmt::format("{} {}", what, names_.of(data, "data")));
  if (!ordered)
    fail(fmt::format("data race: {} of {} by {}", what, names_.of(data, "data"), me().name));
}

}  // namespace vicino::model
