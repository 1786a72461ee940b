// termination.hpp: whether a team has explicit tasks that are not done, without counting each of
// them in a place that all threads write.
//
// Why    A barrier ends when all members have come and all tasks are done. Spawning and finishing a
//        task are too frequent for a shared counter, and a member's own counter says nothing about
//        the team. So each member keeps its own balance, spawned less finished, and writes it here
//        when it runs out of work.
// Cost   one RMW on a shared word when a member begins to deal with tasks and one when it runs dry;
//        none per task, and none in a region without tasks.
//
// The word: balance written so far (signed, top) | members at work | epoch. An epoch is the time
// between two of the team's barriers, and every member knows its number; a termination detector
// that holds another number counts as empty. A team has two termination detectors, used in turn: a
// member that has left a barrier may begin with the next one while another still looks at the last.
// Invariants
//  I1 a member takes tasks, or spawns them, only while it is counted at work.
//  I2 sum of all balances, written or not = tasks that are not done.
//  I3 join() is for members that have not arrived at their barrier, or that are counted by running
//     a task of the epoch; enter() is for the others, and refuses when the word is at rest.
// At rest means that no member is at work, and the balance is 0. Then every balance is written (a
// member writes its own as it leaves), so by I2 no task is left. If all members have arrived, no
// new task can come: only a task could spawn one, or (I3) a member that has not arrived. So the
// epoch is over for good.
// Memory order
//  L1 leave() and settle_one() are releases; they pair with
//  L2 the acquires of over(), enter(), leave() and settle_one(): what a task did is seen by the
//     thread that finds the epoch over. Every change is an RMW, so the release sequences run
//     through.
//  opened() is relaxed: after a barrier or gather() the spawns before it are visible (B1 and B2 of
//  sync/barrier.hpp). Elsewhere a member that reads too old a word only looks for tasks later;
//  before it sleeps it calls enter() (A2 of sleep.hpp).
#pragma once

#include <cstdint>
#include <utility>

#include "plat/plat.hpp"

namespace vicino::task {

class Termination {
 public:
  // The calling member deals with tasks from now on.
  void join(uint64_t epoch) noexcept {
    uint64_t word = word_.load(std::memory_order_relaxed);
    uint64_t next;
    do next = (is_of(word, epoch) ? word : fresh(epoch)) + kWorker;
    while (!word_.compare_exchange_weak(word, next, std::memory_order_seq_cst,  // A2 of sleep.hpp
                                        std::memory_order_relaxed));
  }

  // As join(), if there is anything to do; else false.
  bool enter(uint64_t epoch) noexcept {
    uint64_t word = word_.load(std::memory_order_seq_cst);  // A2 of sleep.hpp
    do
      if (!is_of(word, epoch) || at_rest(word)) return false;
    while (!word_.compare_exchange_weak(word, word + kWorker, std::memory_order_acq_rel,  // L2
                                        std::memory_order_relaxed));
    return true;
  }

  // The calling member has run dry; `balance`: what it spawned less what it finished since it
  // joined. True if the termination detector is at rest by this.
  bool leave(int64_t balance) noexcept {
    const uint64_t change = (static_cast<uint64_t>(balance) << kBalanceAt) - kWorker;
    return at_rest(word_.fetch_add(change, std::memory_order_acq_rel) + change);  // L1, L2
  }

  // A thread that is not counted at work has finished a task: it belongs to another team, and has
  // fulfilled the task's event.
  bool settle_one() noexcept {
    const uint64_t change = ~uint64_t{0} << kBalanceAt;
    return at_rest(word_.fetch_add(change, std::memory_order_acq_rel) + change);  // L1, L2
  }

  // Whether tasks of the epoch were ever spawned, and whether some are not done.
  bool opened(uint64_t epoch) const noexcept {
    return is_of(word_.load(std::memory_order_relaxed), epoch);
  }
  bool over(uint64_t epoch) const noexcept { return over_by(word(), epoch); }
  static bool over_by(uint64_t word, uint64_t epoch) noexcept {
    return !is_of(word, epoch) || at_rest(word);
  }
  uint64_t word() const noexcept { return word_.load(std::memory_order_acquire); }  // L2
  const plat::atomic<uint64_t>& words() const noexcept { return word_; }

 private:
  // The tasks that are alive while no member is at work are those whose events are not fulfilled:
  // there may be 2^23 of them. Otherwise the sum may wrap without harm. An epoch's number comes
  // again after 2^26 epochs: only a member that slept through as many barriers of its own team
  // could mistake it.
  static constexpr int kEpochBits = 26, kWorkerBits = 14;
  static constexpr int kBalanceAt = kEpochBits + kWorkerBits;
  static constexpr uint64_t kEpochMask = (uint64_t{1} << kEpochBits) - 1;
  static constexpr uint64_t kWorker = uint64_t{1} << kEpochBits;

  static bool is_of(uint64_t word, uint64_t epoch) { return ((word ^ epoch) & kEpochMask) == 0; }
  static bool at_rest(uint64_t word) { return word >> kEpochBits == 0; }
  static uint64_t fresh(uint64_t epoch) { return epoch & kEpochMask; }

  plat::atomic<uint64_t> word_{0};
};

// What a member knows of its present epoch. It is *at work* while the termination detector counts it.
class Epoch {
 public:
  // It lasts until the next barrier.
  void begin(Termination& termination, uint64_t number) noexcept {
    termination_ = &termination;
    number_ = number;
  }
  // Between regions there is none.
  void end() noexcept { termination_ = nullptr; }

  // Whether explicit tasks were spawned in it.
  bool has_tasks() const noexcept {
    return termination_ != nullptr && termination_->opened(number_);
  }
  bool is_at_work() const noexcept { return at_work_; }
  void join() noexcept {
    termination_->join(number_);
    at_work_ = true;
  }
  // The member is at work from now on, if it was not and there is anything to do; else false.
  bool enter() noexcept {
    if (termination_ == nullptr) return false;
    return at_work_ || (at_work_ = termination_->enter(number_));
  }
  // True if the termination detector is at rest by this.
  bool leave() noexcept {
    at_work_ = false;
    return termination_->leave(std::exchange(balance_, 0));
  }
  // The member, at work, has spawned a task, or finished one.
  void spawn_one() noexcept { ++balance_; }
  void spawn(int64_t tasks) noexcept { balance_ += tasks; }
  void finish_one() noexcept { --balance_; }

  Termination& termination() const noexcept { return *termination_; }
  uint64_t number() const noexcept { return number_; }

 private:
  Termination* termination_ = nullptr;
  uint64_t number_ = 0;
  int64_t balance_ = 0;  // spawned less finished since it is at work
  bool at_work_ = false;
};

}  // namespace vicino::task
