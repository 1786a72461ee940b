// team.hpp: members of a team as fibers under virtual time. Each has a clock of its own.
//
// Why    The schedulers' own code decides which member gets which iterations. Here it runs on
//        machines and for durations that nobody has, and gives the same result each time.
// How    Discrete events: a member runs on until it uses an atomic; there it gives way to the
//        members whose clocks are behind its own. So atomics are used in the order of virtual time;
//        members with equal clocks go by their numbers.
// Cost   a switch of fibers where another member is behind; some nanoseconds of the host.
//
// Rules
//  T1 a member uses an atomic when no other member that can run has a smaller clock, or an equal one
//     and a smaller number. The use takes effect then, and its cost moves the clock.
//  T2 a line has one owner, the core that updated it last, and cores that have copies. An update by
//     a core that has it alone costs Costs::own, a load from a copy Costs::hit.
//  T3 any other access moves the line: from its owner; where the owner itself updates a line of which
//     others have copies, from the farthest copy; a line that nobody has used comes from memory.
//  T4 updates that move a line are served one at a time: one begins when the last has ended. By T1
//     that is first come, first served. A load waits for an update that is under way, but loads do
//     not wait for each other.
//  T5 a compare-and-swap that fails costs what one that succeeds does; stores are updates.
//  T6 a member that waits for a word looks again when another has updated it.
//  T7 a load that moves a line right after another such load, with no time between them, costs the
//     part Costs::overlap of its transfer: a core has several lines on their way at once. Loads that
//     depend on each other count as if they did not.
//  T8 members of one core (Costs::members_per_core) share its copies of lines.
//  T9 with Costs::keeps_line, an update right after a compare-and-swap of the same word that failed
//     costs Costs::own: the core that fails has the line, and tries again before the line leaves.
//     Without, such a member queues anew behind all others, and of n members that compete each
//     success takes n transfers. Machines lie between, near the former: their counters by
//     compare-and-swap are two or three times as slow as those by addition, with 48 cores and more.
// Nothing else costs time: work() is the member's own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "plat/sim/costs.hpp"
#include "plat/sim/lines.hpp"

namespace vicino::sim {

class Team {
 public:
  static constexpr uint32_t kMostMembers = 1024;
  static constexpr Time kNever = UINT64_MAX;

  // The team whose member runs on this thread; null outside of run().
  static Team* current() noexcept;

  Team(uint32_t members, const Costs& costs);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Runs body(m) for each member m, from the time begins[m] on. Returns when all have ended.
  // `seed`: for random(). A team may be run again and again; it keeps only its memory.
  void run(std::span<const Time> begins, uint64_t seed, const std::function<void(uint32_t)>& body);

  uint32_t size() const noexcept { return size_; }
  // When the member ended the last run.
  Time ended(uint32_t member) const noexcept;
  Time last_end() const noexcept;
  const Costs& costs() const noexcept { return costs_; }

  // The rest is called by the member that runs.
  uint32_t member() const noexcept { return running_; }
  Time clock() const noexcept { return times_[running_]; }
  void work(Time time) noexcept { times_[running_] += time; }
  // Returns when no other member comes before this one: what it reads of others is up to date then.
  void give_way();
  uint64_t random() noexcept;

  void load(const void* address);
  void update(const void* address);  // RMWs, and stores
  void failed(const void* address);  // the compare-and-swap whose update() was the last use
  // Returns at the next update of the word by another member, or when the clock is `until`.
  void wait_for_update(const void* word, Time until);
  // As above, but only wake() wakes the member.
  void sleep(const void* word, Time until);
  void wake(const void* word, uint32_t count);

 private:
  struct Member;
  enum class State : uint8_t { kReady, kWaits, kSleeps, kEnded };

  void leave();
  void block(State state, const void* word, Time until);
  void make_ready(uint32_t member, Time time) noexcept;
  void end() noexcept;
  bool choose();
  bool before(uint32_t a, uint32_t b) const noexcept {
    return times_[a] < times_[b] || (times_[a] == times_[b] && a < b);
  }
  void put(uint32_t member);
  void rise(std::size_t place) noexcept;
  void sink(uint32_t member) noexcept;
  uint32_t core() const noexcept { return running_ / costs_.members_per_core; }
  [[noreturn]] void hang() const;

  const Costs costs_;
  const uint32_t size_;
  std::vector<Member> members_;
  std::vector<Time> times_;  // each member's clock; when it goes on, if it waits
  // A heap of the members that have not ended and do not run, the earliest first, and where each is.
  std::vector<uint32_t> heap_, place_;
  Lines lines_;
  std::unique_ptr<std::byte[]> stacks_;
  const std::function<void(uint32_t)>* body_ = nullptr;
  struct Caller;
  std::unique_ptr<Caller> caller_;
  uint32_t running_ = 0;
  uint32_t blocked_ = 0;  // members that wait or sleep
  // The earliest other member: this one runs on while it comes before that.
  Time next_time_ = kNever;
  uint32_t next_ = 0;
};

}  // namespace vicino::sim
