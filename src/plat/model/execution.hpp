// execution.hpp: one execution of a scenario: its threads, their memory, and which thread runs
// next.
//
// Each operation on an atomic, and each wait, is a step. Before a step the scheduler may hand the
// processor to another thread; inside it a load may choose an older store. Each such choice comes
// from the Path, and each choice that is not free is paid from a Budget.
//
// Free: a switch away from a thread that ended, sleeps, or polls a word that has not changed.
// Paid: any other switch (a preemption), a load that does not read the newest store, a futex that
// returns for no reason, a weak compare_exchange that fails for no reason.
//
// Fairness. Suppose a thread polled in vain and polls again although no value has changed since. It
// then runs only when no other thread can, and only once. So loops around a poll end. When only
// such threads and sleepers are left, the scenario hangs: that is a failure, a lost wake-up.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <unordered_map>

#include "plat/model/fiber.hpp"
#include "plat/model/memory.hpp"
#include "plat/model/path.hpp"
#include "plat/model/source_point.hpp"
#include "plat/model/trace.hpp"

namespace vicino::model {

struct Budget {
  unsigned preemptions = 0;
  unsigned stale_reads = 0;
  unsigned spurious = 0;
  // An execution with this budget can do all that one with `other` can.
  bool covers(const Budget& other) const noexcept {
    return preemptions >= other.preemptions && stale_reads >= other.stale_reads &&
           spurious >= other.spurious;
  }
  friend bool operator==(const Budget&, const Budget&) = default;
};

// States that were explored, with the budget that was left there. Every choice below them is known,
// so an execution that reaches one with no more budget adds nothing. A state is what each thread
// has seen and the order of the stores, not the path to it; 64 bits represent it.
using Explored = std::unordered_map<uint64_t, Budget>;

// An atomic object, as the seam passes it.
struct Word {
  const void* address;
  uint64_t value;  // the newest; the first value of memory that was not constructed
};

// The input of one execution, and what it is asked to record. Null: not wanted.
struct Order {
  Budget budget;
  unsigned max_steps = 0;
  unsigned random_values = 1;  // the number of values that rnd() has
  Explored* explored = nullptr;
  Trace* trace = nullptr;
  std::vector<SourcePoint>* points = nullptr;
  const Mutation* mutation = nullptr;
};

class Execution {
 public:
  enum class Outcome { kPassed, kFailed, kKnown };

  // The running execution; null outside of one.
  static Execution* current() noexcept;

  // Runs a scenario: `build` declares threads and the last check.
  Outcome run(Path& path, const Order& order, const std::function<void()>& build);

  const std::string& failure() const noexcept { return failure_; }
  // Whether something was not tried because the budget did not allow it.
  bool limited() const noexcept { return limited_; }
  unsigned switches() const noexcept { return switches_; }
  unsigned steps() const noexcept { return steps_; }
  unsigned deviations() const noexcept;  // the part of the budget that was spent

  // These are called while the scenario is built.
  void thread(std::string name, std::function<void()> body);
  void finally(std::function<void()> check) { finally_ = std::move(check); }
  void name(const void* object, std::size_t size, std::string_view name);

  // The steps.
  void construct(Word word);
  uint64_t load(Word word, std::memory_order order, const Where& where);
  void store(Word word, uint64_t value, std::memory_order order, const Where& where);
  // An RMW in two halves, with the caller's arithmetic on `word.value` in between.
  void begin_rmw(Word word, std::memory_order order, const Where& where);
  void end_rmw(Word word, uint64_t value, std::memory_order order, const Where& where);
  bool compare_exchange(Word word, uint64_t& expected, uint64_t desired, std::memory_order success,
                        std::memory_order failure, bool weak, const Where& where);
  void fence(std::memory_order order, const Where& where);
  // A fence of every running thread, between two fences of the caller.
  void heavy_fence(const Where& where);
  uint64_t wait_on(Word word, uint64_t seen, const Where& where);
  void sleep_on(Word word, uint64_t seen, bool for_ever, const Where& where);
  void wake(Word word, unsigned count, const Where& where);
  void relax(const Where& where);
  uint64_t now() noexcept;
  uint64_t random();
  bool perhaps();  // both answers are tried

  // An access to plain data. It is not a step: a race shows in any order of execution.
  void touch(const void* data, Footprint& footprint, bool writes, const Where& where);

  [[noreturn]] void fail(std::string why);

 private:
  // A thread that dozes sleeps for a time that ends only when no other thread can go on.
  enum class Status : uint8_t { kReady, kStalled, kDozing, kAsleep, kJoining, kDone };
  // Whether it takes a preemption of the budget to switch to another thread here.
  enum class Switch { kCosts, kIsFree };

  struct Thread {
    std::string name;
    std::function<void()> body;
    Fiber fiber;
    Status status = Status::kDone;
    LocationId sleeps_on = 0;
    uint64_t history = 0;      // a digest of all that it has seen
    uint64_t polled = kNever;  // stores_ at its last poll in vain of the newest value
    bool stale = false;        // it has since read a store that was not the newest
    bool retried = false;      // it ran although stalled, since no other thread could
    uint64_t time = 0;
    uint16_t operations = 0;
    void reset() noexcept;
    // Newer stores are left to read, so this is not a wait for another thread.
    void read_stale() noexcept { polled = kNever, stale = true; }
    void polled_at(uint64_t stores) noexcept { polled = stores, stale = false; }
  };
  static constexpr uint64_t kNever = UINT64_MAX;
  static constexpr ThreadId kMain = 0;

  static void enter();
  void run_main();
  [[noreturn]] void leave(Outcome outcome);

  static bool sleeps(const Thread& thread) noexcept {
    return thread.status == Status::kAsleep || thread.status == Status::kDozing;
  }

  Thread& me() noexcept { return threads_[running_]; }
  Event step(Switch to_others);
  void schedule(Switch to_others);
  void stop_if_known(Switch to_others);
  uint64_t state(Switch to_others) noexcept;
  bool others_done() const noexcept;
  [[noreturn]] void hang();

  LocationId find(const Word& word);
  unsigned pick(unsigned options) { return options == 1 ? 0 : path_->pick(options); }
  Time choose(LocationId l, std::memory_order order);
  Time choose_to_compare(LocationId l, uint64_t expected, std::memory_order failure, bool may_fail);
  uint64_t take(LocationId l, Time t, std::memory_order order);
  void stored(LocationId l) noexcept;
  void stall() noexcept;
  void remember(uint64_t what) noexcept { me().history = fold_history(me().history, what); }
  void fence_of(ThreadId thread, std::memory_order order) noexcept;
  static uint64_t fold_history(uint64_t history, uint64_t what) noexcept;

  std::memory_order ask(const Where& where, Part part, std::memory_order order);
  bool mutated(const Where& where, Part part) const noexcept;
  void put(LocationId l, uint64_t value, std::memory_order order, const Where& where);
  void note(const Where& where, std::string_view text);
  std::string label(LocationId l) const;
  std::string staleness(LocationId l, Time t) const;

  Order order_;
  Path* path_ = nullptr;
  const std::function<void()>* build_ = nullptr;
  std::function<void()> finally_;

  Memory memory_;
  Names names_;
  std::array<Thread, kMaxThreads> threads_;
  unsigned count_ = 0;  // threads, the scenario's main thread included
  ThreadId running_ = kMain;
  Fiber caller_;

  Budget budget_;
  unsigned steps_ = 0;
  unsigned switches_ = 0;
  uint64_t stores_ = 0;  // stores by any thread that changed a value
  bool limited_ = false;
  Outcome outcome_ = Outcome::kPassed;
  std::string failure_;
};

}  // namespace vicino::model
