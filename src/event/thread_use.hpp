// thread_use.hpp: what a thread knows of its own time: what it is in, whether it works for the program there, and for which
// tasks. useful.cpp tells it what happens, and reads the sums.
//
// How    What a thread is in lies on a list: parts of regions, tasks, waits, regions that it leads. Each entry keeps whether
//        the thread worked before and for which tasks, so that its end restores that. While it works, its clock counts for
//        all parts of regions that are on the list.
//
// All times are in ticks. Only the thread itself uses its Thread; others read its Parts, by (1) and (2) of useful.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/line.hpp"
#include "base/ticks.hpp"
#include "event/loop_shares.hpp"
#include "ompt/records.hpp"
#include "ompt/tool.hpp"

namespace vicino::event {

struct ConstructUse;

namespace use {

using ompt::Data;

// What a thread of a team has worked in one execution of a region. Parts are used again: `region_` says of which
// execution. Only the thread writes: the line that it lies in changes hands once.
class alignas(kLine) Part {
 public:
  LoopShares loops;

  // (1) of useful.hpp comes after the last of these in an execution.
  void add(uint64_t region, uint64_t ticks) noexcept {
    ticks_.store(in(region) + ticks, std::memory_order_relaxed);
    region_.store(region, std::memory_order_relaxed);
  }
  uint64_t in(uint64_t region) const noexcept {
    return region_.load(std::memory_order_relaxed) == region
               ? ticks_.load(std::memory_order_relaxed)
               : 0;
  }
  bool has_begun(uint64_t region) const noexcept {
    return region_.load(std::memory_order_relaxed) == region;
  }

 private:
  plat::atomic<uint64_t> region_{0}, ticks_{0};
};

// A region that is under way.
struct Execution {
  const void* place = nullptr;
  const void* code = nullptr;
  uint64_t begin = 0;
  size_t team = 0;
  bool is_inner = false;
  uint64_t number = 0;  // from 1 on
  std::unique_ptr<Part[]> parts;
  size_t room = 0;
  ConstructUse* sum = nullptr;  // of the last region that this has been, if any
  uint64_t last_mark = 0;       // of the interval that its first thread has ended
};

// A loop that a thread is in.
struct Loop {
  const void* place = nullptr;
  ompt::Work kind = ompt::Work::kNone;  // kNone: it is in none
  uint64_t worked = 0;                  // before
};

// For which tasks a thread works, in one word, so that it fits into what a tool may keep with a task: the place where their
// account began, with its top bit set for a taskloop; 0: none.
using Account = uint64_t;
inline constexpr Account kOfTaskloop = Account{1} << 63;
inline Account account_at(const void* place, Account kind) noexcept {
  return reinterpret_cast<uintptr_t>(place) | kind;
}
inline const void* place_of(Account account) noexcept {
  return reinterpret_cast<const void*>(account & ~kOfTaskloop);
}
inline ompt::Work kind_of(Account account) noexcept {
  return (account & kOfTaskloop) != 0 ? ompt::Work::kTaskloop : ompt::Work::kTasks;
}

// What a thread is in, within what lies before it in its list.
struct Open {
  enum Kind : uint8_t { kTask, kWait, kRegion };
  Kind kind;
  bool worked;                 // before
  Account account;             // before
  const Data* task = nullptr;  // kTask: whose it is
  Part* part = nullptr;        // kTask: of a region, that it implements
  uint64_t region = 0;         // its number
  size_t number = 0;           // of the thread in the team
  Execution* of = nullptr;     // the region, if it has several threads
  Loop loop{};
};

struct Thread {
  std::vector<Open> open;
  bool works = false;
  bool has_led = false;
  uint64_t since = 0;  // when it began to work
  // Of the regions that it has begun, the outermost first. They stay: a thread that comes late to its next region has the
  // address of its part of the last one.
  std::vector<std::unique_ptr<Execution>> executions;
  Thread* ended_before =
      nullptr;  // when this thread has ended: the next of those in useful.cpp's list
  size_t depth = 0;
  const void* next_code = nullptr;  // of the region that begins next
  std::vector<uint64_t> sums;       // a place to work
  Account account = 0;
  uint64_t account_from = 0;  // what it had worked in its part before
  // The account that it has begun itself, if any; since when, and what it was in then.
  Account spawning = 0;
  uint64_t spawning_since = 0;
  size_t spawning_in = 0;

  bool has_part() const noexcept {
    return std::ranges::any_of(open, [](const Open& one) { return one.part != nullptr; });
  }
  void stop(uint64_t now) noexcept {
    if (!works) return;
    works = false;
    for (const Open& one : open) {
      if (one.part != nullptr) one.part->add(one.region, now - since);
    }
  }
  uint64_t worked_in(const Open& part) const noexcept {
    return part.part->in(part.region) + (works ? ticks() - since : 0);
  }
  // The part that the thread is in, without a task between.
  Open* present_part() noexcept {
    const auto top = std::find_if(open.rbegin(), open.rend(),
                                  [](const Open& one) { return one.kind == Open::kTask; });
    return top != open.rend() && top->of != nullptr ? &*top : nullptr;
  }
  // The part of a team of several threads that the thread is in, perhaps by way of tasks.
  Open* part_of_team() noexcept {
    const auto found = std::find_if(open.rbegin(), open.rend(),
                                    [](const Open& one) { return one.part != nullptr; });
    return found != open.rend() && found->of != nullptr ? &*found : nullptr;
  }
  void leave_account() noexcept {
    if (account == 0) return;
    if (Open* const part = part_of_team())
      part->part->loops.add(
          {place_of(account), kind_of(account), 0, worked_in(*part) - account_from});
    account = 0;
  }
  void enter_account(Account its) noexcept {
    account = its;
    Open* const part = its != 0 ? part_of_team() : nullptr;
    if (part != nullptr) account_from = worked_in(*part);
  }
  void switch_account(Account its) noexcept {
    if (its == account) return;
    leave_account();
    enter_account(its);
  }
  void begin_spawning(Account its) noexcept {
    if (part_of_team() == nullptr) return;
    switch_account(its);
    spawning = its;
    spawning_since = ticks();
    spawning_in = open.size();
  }
  // `at_barrier`: it will have ended when the barrier has, to which the thread has come.
  void end_spawning(bool at_barrier) noexcept {
    if (spawning == 0 || spawning_in != open.size()) return;
    leave_account();
    LoopShare share{place_of(spawning), kind_of(spawning), 1};
    if (at_barrier)
      share.since = spawning_since;
    else
      share.span = ticks() - spawning_since;
    if (Open* const part = part_of_team()) part->part->loops.add(share);
    spawning = 0;
  }
  void go_on(uint64_t now, bool as_before = true) noexcept {
    works = as_before;
    since = now;
  }
  void begin_wait(bool goes_on) {
    open.push_back({Open::kWait, goes_on && works, account});
    if (works) stop(ticks());
  }
  // What is open from there on ends.
  void end_from(size_t at) noexcept {
    const bool worked = open[at].worked;
    const Account before = open[at].account;
    const bool changes = before != account;
    if (changes) leave_account();
    if (worked != works) {
      const uint64_t now = ticks();
      stop(now);
      open.resize(at);
      go_on(now, worked);
    } else {
      open.resize(at);
    }
    if (changes) enter_account(before);
  }
  // The innermost for which this holds ends; without one nothing happens.
  template <class Is>
  void end(Is&& is) noexcept {
    for (size_t at = open.size(); at-- > 0;)
      if (is(open[at])) return end_from(at);
  }
  void end_wait() noexcept {
    if (!open.empty() && open.back().kind == Open::kWait) end_from(open.size() - 1);
  }
};

}  // namespace use
}  // namespace vicino::event
