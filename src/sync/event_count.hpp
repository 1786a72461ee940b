// event_count.hpp: a number that threads wait on; the base of every other wait in Vicino.
//
// Why    Fork, join, barriers and ordered turns are all "wait until this number has come so far".
//        One word holds the number and whether a thread sleeps on it, so that advancing an event
//        count on which no thread sleeps is one exchange and never a system call.
// Cost   advance: one exchange on the event count's line, and a futex wake when there are sleepers.
//        wait: one load when the number is there already; otherwise polls, then sleeps.
//
// The word is `value << 1 | sleepers`.
// Invariants
//  I1 only advance() and advance_from() change the value; they clear `sleepers`. notify() clears
//     `sleepers` alone.
//  I2 a thread sleeps only on a word whose `sleepers` bit is set.
// No wake-up is lost: a sleeper set the bit (or saw it set) in a word with the old value. A thread
// that advances the event count after that clears the bit in the same exchange that changes the
// value, and so knows that it has to wake. If the exchange came first, the futex finds another word
// and does not sleep. The futex compares 32 bits. Between setting the bit and sleeping the value
// cannot change without changing these 32 bits, since every change clears the bit, which is one of
// them. A thread that clears the bit wakes all sleepers; those for which it was too early set the
// bit again.
//
// Memory order
//  G1 advance(), advance_from() and notify() are releases; they pair with
//  G2 the acquires of value(), the waits and the RMWs: what was written before G1 is visible to the
//     thread that saw its effect. Setting the sleepers bit is an RMW and continues the release
//     sequence.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"
#include "sync/patience.hpp"

namespace vicino::sync {

class EventCount {
 public:
  uint64_t value() const noexcept { return word_.load(std::memory_order_acquire) >> 1; }  // G2

  // For a check by a caller that knows the value already: orders nothing, so no check hides a race.
  uint64_t peek() const noexcept { return word_.load(std::memory_order_relaxed) >> 1; }

  // Sets the value and wakes all threads that sleep here. Callers are ordered by other means (one
  // owner at a time).
  void advance(uint64_t value) noexcept {
    if (word_.exchange(value << 1, std::memory_order_release) & kSleepers) plat::wake(word_);  // G1
  }

  // Sets the value to `to` if it is `from`, and wakes as advance() does; false if it was another.
  bool advance_from(uint64_t from, uint64_t to) noexcept {
    uint64_t word = word_.load(std::memory_order_relaxed);
    while (word >> 1 == from) {
      if (!word_.compare_exchange_weak(word, to << 1, std::memory_order_acq_rel,  // G1, G2
                                       std::memory_order_relaxed))
        continue;
      if (word & kSleepers) plat::wake(word_);
      return true;
    }
    return false;
  }

  // Waits until ready(value) holds; returns that value. The predicate must stay true until the
  // caller has acted on it, or hold for values that only the caller may change then.
  template <class Ready>
  uint64_t wait(Ready ready, Patience& patience, const PatienceLimits& limits) noexcept {
    uint64_t word = word_.load(std::memory_order_acquire);  // G2
    if (ready(word >> 1)) return word >> 1;
    plat::Budget budget = patience.take_budget(limits);
    const uint64_t start_budget = budget.ns;
    const auto poll = [&] { return plat::wait_on(word_, word, budget); };
    if (poll_until([&] { return ready(word >> 1); }, poll, word, budget, patience, limits))
      return word >> 1;
    return sleep(ready, word, start_budget, patience, limits);
  }

  // As above, until the value is at least `least`.
  uint64_t wait_for(uint64_t least, Patience& patience, const PatienceLimits& limits) noexcept {
    return wait([least](uint64_t value) { return value >= least; }, patience, limits);
  }

  // As wait(), but it also ends when over() holds; the value returned may then be any. The thread
  // that makes over() true calls notify() afterwards.
  template <class Ready, class Over>
  uint64_t wait_unless(Ready ready, Over over, Patience& patience,
                       const PatienceLimits& limits) noexcept {
    uint64_t word = word_.load(std::memory_order_acquire);  // G2
    const auto done = [&] { return ready(word >> 1) || over(); };
    if (done()) return word >> 1;
    plat::Budget budget = patience.take_budget(limits);
    const uint64_t start_budget = budget.ns;
    const auto poll = [&] { return plat::wait_on(word_, word, budget, over); };
    if (poll_until(done, poll, word, budget, patience, limits)) return word >> 1;
    const uint64_t start = plat::now();
    while (!done())
      wait_once([&](bool) {
        word = word_.load(std::memory_order_acquire);  // G2
        return done();
      });
    patience.slept(start_budget + (plat::now() - start), limits);
    return word >> 1;
  }

  // For waits that can also end otherwise: the word to poll, and one round of sleep, which ends by
  // advance(), by notify(), or early. wait_once() calls awake(first) at a time from which on every
  // notify() will wake this thread, and does not sleep if the result is true. `first`: this thread
  // is the first to set the sleepers bit since the bit was cleared. Sleeps for `most_ns` at most.
  //
  // notify() leaves the value alone. So a thread that was notified just before it sleeps may find
  // its word unchanged, because another thread has come and set the bit again. If the other thread
  // goes on without sleeping, since what it waited for has come, the first must not sleep either:
  // therefore a thread that set the bit and does not sleep calls notify() itself. All threads that
  // are notified here must wait for the same thing: else the other one sleeps, and so would the
  // first. Threads that wait for different things have a bell (bell.hpp).
  const plat::atomic<uint64_t>& word() const noexcept { return word_; }
  static uint64_t value_of(uint64_t word) noexcept { return word >> 1; }
  template <class Awake>
  void wait_once(Awake awake, uint64_t most_ns = plat::kForever) noexcept {
    const uint64_t before = word_.fetch_or(kSleepers, std::memory_order_acq_rel);  // I2, G2
    const bool first = !(before & kSleepers);
    if (!awake(first))
      plat::sleep_on(word_, before | kSleepers, most_ns);
    else if (first)
      notify();
  }

  // Wakes all threads that sleep here, and leaves the value alone. By any thread. What was written
  // before notify() is seen by a thread that calls wait_once() after it (G1, G2).
  void notify() noexcept {
    if (word_.fetch_and(~kSleepers, std::memory_order_acq_rel) & kSleepers)  // G1, G2
      plat::wake(word_);
  }

 private:
  static constexpr uint64_t kSleepers = 1;

  // Polls until done(). `word`: in: what was seen last; out: what the last poll saw. False when the
  // budget is used up.
  template <class Done, class Poll>
  static bool poll_until(Done done, Poll poll, uint64_t& word, plat::Budget& budget,
                         Patience& patience, const PatienceLimits& limits) noexcept {
    for (;;) {
      const uint64_t before = word;
      word = poll();
      patience.polled(budget, limits);
      if (done()) return true;
      if (!polls_on(word != before, budget, limits)) return false;
    }
  }

  template <class Ready>
  [[gnu::noinline]] uint64_t sleep(Ready ready, uint64_t word, uint64_t polled, Patience& patience,
                                   const PatienceLimits& limits) noexcept {
    const uint64_t start = plat::now();
    for (;;) {
      if (ready(word >> 1)) break;
      if (!(word & kSleepers) &&
          !word_.compare_exchange_weak(word, word | kSleepers, std::memory_order_acquire,
                                       std::memory_order_acquire))  // I2, G2
        continue;
      plat::sleep_on(word_, word | kSleepers);
      word = word_.load(std::memory_order_acquire);  // G2
    }
    patience.slept(polled + (plat::now() - start), limits);
    return word >> 1;
  }

  plat::atomic<uint64_t> word_{0};
};

}  // namespace vicino::sync
