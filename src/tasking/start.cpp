#include "tasking/start.hpp"

#include "base/hash.hpp"
#include "config/settings.hpp"

namespace vicino::tasking {

namespace {

// Whether thieves need no more tasks of the member: they do not empty a deque that holds so many. A
// recursion seldom leaves as many there, so its long tasks are queued. By VICINO_TASK_CALLS=none
// tasks wait, however many do: one that is run at once may wait for the code after it.
bool has_plenty(Member& member) noexcept {
  constexpr uint64_t kPlenty = 256;
  return member.tasks.deque.holds(kPlenty) &&
         config::settings().task_calls.way != config::TaskCalls::kNone;
}

// Whether another member looks for a task, or would: before an epoch's first task is queued none
// does.
bool is_wanted(const Member& member) noexcept {
  return !member.tasks.epoch.is_at_work() || member.team->tasks.hunger.is_felt();
}

}  // namespace

// VICINO_TASK_CALLS with another value than short. A member's random numbers depend on nothing else
// that happens.
bool Starts::is_call_by_setting() noexcept {
  const config::TaskCalls& setting = config::settings().task_calls;
  if (member_.team->tasks.queue != task::QueueKind::kDeque) return false;
  if (setting.way != config::TaskCalls::kDrawn) return setting.way == config::TaskCalls::kAll;
  const uint64_t number = uint64_t{static_cast<uint32_t>(member_.id)} << 40 | mine().drawn_++;
  return splitmix64(splitmix64(setting.seed) ^ number) >> 63 != 0;
}

// Whether a short task that the member makes is to lie in its deque for others: when they look for
// one, and from then on while they take what lies there. A member that has taken a short task will
// soon look again; if it had to ask for each, it would wait longer than it works.
bool Starts::stocks() noexcept {
  // Where a member stops at two, thieves find its deque empty more often, and fib takes a tenth
  // longer (docs/design/tasks.md).
  constexpr uint64_t kEnoughReady = 32;
  // So many short tasks more, each longer than a tiny one, take longer than a thief needs to run the
  // one that it has taken and to look again.
  constexpr uint32_t kUntaken = 64;
  team::StartState& its = mine();
  const uint64_t stolen = member_.tasks.deque.stolen();
  if (is_wanted(member_) || stolen != its.stolen_before_)
    its.stocks_on_ = kUntaken;
  else if (its.stocks_on_ > 0)
    --its.stocks_on_;
  its.stolen_before_ = stolen;
  return its.stocks_on_ > 0 && member_.tasks.deque.size() < kEnoughReady;
}

// While thieves take all tasks that the member makes, it runs none of them, and learns from the
// thieves.
void Starts::ask_thieves(const void* code) noexcept {
  const uint64_t stolen = member_.tasks.deque.stolen();
  if (stolen == std::exchange(mine().stolen_asked_, stolen)) return;
  team::Worker& worker = *member_.worker;
  const uint32_t level = member_.tasks.standing.level().now();
  if (const std::optional<uint32_t> ns = worker.asked_length.ask(code, level))
    worker.lengths.add(code, level, *ns);
}

Start Starts::choose_by_length(const void* code, task::Length& length) noexcept {
  if (!length.is_tiny()) ask_thieves(code);
  if (!length.is_short()) return Start::kQueued;
  if (length.is_tiny()) {
    if (feeds()) return Start::kQueued;
    // is_tiny_call() has left this one to be timed.
    if (member_.team->tasks.calls_short && are_tiny(code)) return Start::kTimedCall;
    if (is_wanted(member_)) length.time_soon();
  } else if (stocks()) {
    return Start::kQueued;
  }
  return length.takes_call() ? Start::kCall : Start::kTimedCall;
}

Start Starts::choose(const void* code) noexcept {
  task::Length& length = member_.worker->lengths.find(code, member_.tasks.standing.level().now());
  const team::TeamTasks& team = member_.team->tasks;
  if (runs_at_once())
    return team.learns_lengths && !length.is_known() ? Start::kTimedCall : Start::kCall;
  // A waiting task of a higher priority comes first; whether one is taken meanwhile does not
  // matter.
  if (!has_room() || !team.urgent.empty()) return Start::kQueued;
  if (team.learns_lengths) return choose_by_length(code, length);
  return is_call_by_setting() ? Start::kCall : Start::kQueued;
}

Start Starts::choose(Member& member, const void* code) noexcept {
  return Starts(member).choose(code);
}

bool Starts::runs_at_once(Member& member) noexcept {
  member.worker->stack.look();
  if (member.tasks.standing.is_final()) return true;
  const Starts starts(member);
  return member.team->size == 1 ? starts.has_room_alone() : has_plenty(member) && starts.has_room();
}

}  // namespace vicino::tasking
