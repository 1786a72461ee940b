// start.hpp: how a new task begins: it is queued for whichever thread takes it, or it is a call.
//
// Why    A task that takes less time than it costs to give it away is better run as a call, unless
//        somebody waits for it: docs/design/tasks.md.
// Rule   Starts::ask(). Its first two parts are public: an entry point that can answer by them does
//        so before it has made anything of the task, in a few instructions. Each may be asked again
//        where it has said no. Called for tied tasks that are not final; note_level() comes before
//        all but takes_free_call().
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "base/spread.hpp"
#include "site/counts.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {

using team::Member;
using team::Task;

enum class Start : uint8_t {
  kQueued,
  kCall,
  kTimedCall,  // a call, by which the thread learns how long such tasks take
};

// What decides how a task may begin: the first that applies.
enum class Situation : uint8_t {
  kWaits,       // it waits for its event, for others by its dependences, or for free agents
  kUndeferred,  // the task that makes it goes on when it has run
  kByRoom,      // it has dependences or a priority: its length does not count
  kAsked,       // takes_free_call() and is_tiny_call() have said no, or need not be asked
  kNothing,
};

class Starts {
 public:
  [[gnu::always_inline]] explicit Starts(Member& member) noexcept : member_(member) {}

  // How the task that runs this code begins.
  [[gnu::always_inline]] Start ask(const void* code, Situation situation) noexcept {
    if (situation == Situation::kWaits) return Start::kQueued;
    if (situation == Situation::kUndeferred) return Start::kCall;
    if (situation == Situation::kByRoom) return runs_at_once() ? Start::kCall : Start::kQueued;
    if (situation == Situation::kNothing && (takes_free_call() || is_tiny_call(code)))
      return Start::kCall;
    return choose(member_, code);
  }

  // Whether a new task is a call by what its parent is; counts it if so. In a team of one every
  // task is a call. What a tiny task makes is a part of its length, so that is a call, too, unless
  // somebody waits for it: then it is asked for by its own code and level.
  [[gnu::always_inline]] bool takes_free_call() noexcept {
    if (member_.team->size == 1) return has_room_alone();
    if (!is_in_tiny_call() || is_awaited()) return false;
    if (!member_.tasks.epoch.is_at_work()) --mine().unasked_;
    return has_room();
  }
  // Notes how deep in the recursion the present task makes a task, in the function with this frame.
  [[gnu::always_inline]] void note_level(const void* frame) noexcept {
    member_.tasks.standing.level().note(frame);
  }
  // Whether a new task is a call because it is known to be tiny. One in so many is left to be timed:
  // so few that the clock costs nothing, and more while a thread looks, which waits for what the
  // task makes if it is tiny no longer. Primes, so that tasks of several kinds that come in a fixed
  // order have their turns. The first one after others were queued is timed: that a member has
  // starved may mean that they are no longer tiny.
  [[gnu::always_inline]] bool is_tiny_call(const void* code) noexcept {
    constexpr uint32_t kOneIn = 1021, kOneInWhileLooking = 37;
    const team::TeamTasks& team = member_.team->tasks;
    if (!has_room() || !team.calls_short || !are_tiny(code)) return false;
    if (feeds()) [[unlikely]] {
      mine().untimed_ = kOneIn;
      return false;
    }
    const bool nobody_looks = member_.tasks.epoch.is_at_work() && !team.hunger.is_felt();
    if (++mine().untimed_ < (nobody_looks ? kOneIn : kOneInWhileLooking)) return true;
    mine().untimed_ = 0;
    return false;
  }
  // Around the body of a task that is_tiny_call().
  [[gnu::always_inline]] void begin_tiny() noexcept {
    mine().tiny_from_ = member_.tasks.standing.bare() + 1;
    mine().unasked_ = kUnasked;
  }
  [[gnu::always_inline]] void end_tiny() noexcept { mine().forget_tiny(); }

  // Whether a task is to be run at once rather than spawned, whatever it is: always in a final
  // task; and, if there is room, in a team of one and where the member's deque already has plenty
  // for others.
  [[gnu::always_inline]] bool runs_at_once() noexcept { return runs_at_once(member_); }

  // A queued task takes its level along, as its depth, which only has to be greater than its
  // parent's.
  void give_level(Task& task) const noexcept {
    const uint32_t depth = member_.tasks.standing.level().depth();
    if (depth > task.depth()) task.set_depth(depth);
  }

  // How many tasks a tiny call makes for itself before an epoch's first task is queued. Until then
  // nobody looks for one, so nobody can be seen to starve. But a task that is tiny in the mean may
  // be long, and then what it makes is needed: so after these somebody is taken to wait.
  static constexpr uint32_t kUnasked = 64;

 private:
  team::StartState& mine() noexcept { return member_.tasks.starts; }
  const team::StartState& mine() const noexcept { return member_.tasks.starts; }

  // Whether a new task may run on top of the present one at all, if it need not: not while the
  // thread holds a lock, which the task may want, nor where the stack of tasks is deep or the stack
  // itself half full.
  [[gnu::always_inline]] bool has_room() const noexcept {
    return member_.worker->budget.allows(member_.tasks.standing.bare()) &&
           member_.worker->stack.has_room();
  }
  // The same in a team of one.
  [[gnu::always_inline]] bool has_room_alone() const noexcept {
    return member_.worker->budget.allows_alone(member_.tasks.standing.bare()) &&
           member_.worker->stack.has_room();
  }
  [[gnu::always_inline]] bool is_in_tiny_call() const noexcept {
    return member_.tasks.standing.bare() >= mine().tiny_from_;
  }
  [[gnu::always_inline]] bool is_awaited() const noexcept {
    if (member_.tasks.epoch.is_at_work()) [[likely]]
      return member_.team->tasks.starvation.is_felt();
    return is_in_tiny_call() && mine().unasked_ == 0;
  }
  // Whether a new task that is known to be tiny is queued nevertheless: while somebody waits for
  // one, each member keeps one task in its deque.
  [[gnu::always_inline]] bool feeds() const noexcept {
    return is_awaited() && member_.tasks.deque.seems_empty();
  }
  [[gnu::always_inline]] bool are_tiny(const void* code) const noexcept {
    return member_.worker->lengths.are_tiny(code, member_.tasks.standing.level().now());
  }

  // Static, so that the object need not lie in memory.
  static bool runs_at_once(Member& member) noexcept;
  static Start choose(Member& member, const void* code) noexcept;
  Start choose(const void* code) noexcept;
  Start choose_by_length(const void* code, task::Length& length) noexcept;
  bool is_call_by_setting() noexcept;
  bool stocks() noexcept;
  void ask_thieves(const void* code) noexcept;

  Member& member_;
};

inline bool runs_at_once(Member& member) noexcept { return Starts(member).runs_at_once(); }

// Adds what it took to run a task of this code, from construction to end().
class Timing {
 public:
  Timing(const Member& member, const void* code) noexcept
      : Timing(member, code, member.tasks.standing.level().now()) {}
  Timing(const Member& member, const void* code, uint32_t level) noexcept
      : code_(code), level_(level), queued_(queued(member)), begin_(plat::now()) {}
  // Returns the task's time in ns. What the task has queued is not in its length: so it is not
  // tiny.
  uint64_t end(const Member& member) const noexcept {
    uint64_t ns = plat::now() - begin_;
    if (has_queued(member)) ns = std::max<uint64_t>(ns, task::kTinyNs + 1);
    member.worker->lengths.add(code_, level_, ns);
    return ns;
  }

 private:
  friend class QueuedTiming;
  bool has_queued(const Member& member) const noexcept { return queued(member) != queued_; }
  static uint64_t queued(const Member& member) noexcept {
    return member.worker->counts().spawned.value();
  }

  const void* code_;
  uint32_t level_;
  uint64_t queued_, begin_;
};

// The same for a task that was queued, where somebody is to learn from it. Made before the task
// runs.
class QueuedTiming {
 public:
  QueuedTiming(const Member& member, Task& task) noexcept : asks_(asker(member, task)) {
    if (asks_ != nullptr || teaches(member, task))
      timing_.emplace(member, task.function, level_of(task));
  }
  // If such tasks are known to be short, one that has queued others teaches nothing: it may have
  // waited long for them.
  void end(const Member& member) const noexcept {
    if (!timing_) return;
    const Timing& timing = *timing_;
    if (timing.has_queued(member) &&
        member.worker->lengths.find(timing.code_, timing.level_).is_short())
      return;
    const uint64_t ns = timing.end(member);
    if (asks_ != nullptr) asks_->worker->asked_length.answer(timing.code_, timing.level_, ns);
  }

 private:
  static uint32_t level_of(Task& task) noexcept { return task.depth() - 1; }
  // The member that made the task, if it is another one and wants to know how long such tasks take.
  // It stays in the team at least until the task is done.
  static Member* asker(const Member& member, Task& task) noexcept {
    Member* const maker = task.parent()->owner();
    if (maker == nullptr || maker == &member) return nullptr;
    const bool asks = maker->worker->asked_length.is_asked(task.function, level_of(task));
    return asks ? maker : nullptr;
  }
  // Whether the thread is to learn from it how long such tasks take. Once they are short it knows
  // that from the calls. But while members look for tasks, short ones that are not tiny are queued,
  // and they may have become tiny since what they make is known to be: so some of them are timed.
  // An untied task has parts, and is never a call.
  static bool teaches(const Member& member, Task& task) noexcept {
    constexpr int kOneInBits = 2;
    if (task.function == nullptr || !member.team->tasks.learns_lengths || task.is(Task::kUntied))
      return false;
    const task::Length& length = member.worker->lengths.find(task.function, level_of(task));
    if (!length.is_short()) return true;
    return !length.is_tiny() && spread(member.worker->counts().executed.value(), kOneInBits) == 0;
  }

  Member* const asks_;
  std::optional<Timing> timing_;
};

}  // namespace vicino::tasking
