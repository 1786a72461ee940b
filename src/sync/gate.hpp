// gate.hpp: a number that threads wait on; the base of every other wait in Vicino.
//
// Why    Fork, join, barriers and ordered turns are all "wait until this number has come so far".
//        One word holds the number and whether anybody sleeps on it, so that opening a gate nobody
//        sleeps on is one exchange and never a system call.
// Cost   open: one exchange on the gate's line, and a futex wake when there are sleepers.
//        wait: one load when the number is there already; otherwise polls, then sleeps.
//
// The word is `value << 1 | sleepers`.
// Invariants
//  I1 only open() and open_from() change the value; they clear `sleepers`. nudge() clears it alone.
//  I2 a thread sleeps only on a word whose `sleepers` bit is set.
// No wake-up is lost: a sleeper set the bit (or saw it set) in a word with the old value; whoever
// opens the gate after that takes the bit away in the same exchange that changes the value, and so
// knows to wake. If the exchange came first, the futex finds another word and does not sleep.
// The futex compares 32 bits: a change of the value that leaves these alone is impossible between
// setting the bit and sleeping, since every change clears the bit, which is one of them.
// Whoever clears the bit wakes all: those for whom it was too early set it again.
//
// Memory order
//  G1 open() is a release; it pairs with
//  G2 the acquire loads of value() and wait(): what was written before the opening is visible to
//     whoever saw it. Setting the sleepers bit is an RMW and continues the release sequence.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"
#include "sync/patience.hpp"

namespace vicino::sync {

class Gate {
 public:
  uint64_t value() const noexcept { return word_.load(std::memory_order_acquire) >> 1; }  // G2

  // For a check by one who knows the value already: orders nothing, so no check hides a race.
  uint64_t peek() const noexcept { return word_.load(std::memory_order_relaxed) >> 1; }

  // Sets the value and wakes whoever waits. Callers are ordered by other means (one owner at a
  // time).
  void open(uint64_t value) noexcept {
    if (word_.exchange(value << 1, std::memory_order_release) & kSleepers) plat::wake(word_);  // G1
  }

  // Sets the value to `to` if it is `from`, and wakes as open() does; false if it was another.
  bool open_from(uint64_t from, uint64_t to) noexcept {
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

  // Waits until ready(value) holds; gives that value. The predicate must stay true until the caller
  // has acted on it, or be about values that the caller alone can bring on.
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

  // As wait(), but it ends when over() holds, too, and the value is then what it is. Whoever brings
  // that about nudges afterwards.
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
      doze([&](bool) {
        word = word_.load(std::memory_order_acquire);  // G2
        return done();
      });
    patience.slept(start_budget + (plat::now() - start), limits);
    return word >> 1;
  }

  // For waits that can end otherwise, too: the word to poll, and one round of sleep, which ends by
  // open(), by nudge(), or early. `awake` is asked when whoever nudges from then on will wake us,
  // and told whether we are the first here since the last nudge. Sleeps for `most_ns` at most.
  //
  // A nudge leaves the value alone, so one who was nudged just before he would sleep may find his
  // word back, because another has come and set the bit. If that one goes on without sleeping, for
  // what he waited for has come, the first must not sleep either: hence the nudge of our own.
  const plat::atomic<uint64_t>& word() const noexcept { return word_; }
  static uint64_t value_of(uint64_t word) noexcept { return word >> 1; }
  template <class Awake>
  void doze(Awake awake, uint64_t most_ns = plat::kForever) noexcept {
    const uint64_t before = word_.fetch_or(kSleepers, std::memory_order_acq_rel);  // I2, G2
    const bool first = !(before & kSleepers);
    if (!awake(first))
      plat::sleep_on(word_, before | kSleepers, most_ns);
    else if (first)
      nudge();
  }

  // Wakes whoever sleeps here, and leaves the value alone. By anyone. What was written before is
  // seen by whoever dozes after (G1, G2).
  void nudge() noexcept {
    if (word_.fetch_and(~kSleepers, std::memory_order_acq_rel) & kSleepers) plat::wake(word_);
  }

 private:
  static constexpr uint64_t kSleepers = 1;

  // `word`: in, what was seen last, out, what was then. False when the budget is used up.
  template <class Done, class Poll>
  static bool poll_until(Done done, Poll poll, uint64_t& word, plat::Budget& budget,
                         Patience& patience, const PatienceLimits& limits) noexcept {
    for (;;) {
      const uint64_t before = word;
      word = poll();
      patience.polled(budget, limits);
      if (done()) return true;
      if (word != before)
        budget.ns /= 2;  // but not for us: half the patience is left
      else if (!budget.lost_core || limits.learned())
        return false;
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
                                       std::memory_order_acquire))  // I2
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
