#include "event/useful.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "base/process_age.hpp"
#include "base/ticks.hpp"
#include "config/settings.hpp"
#include "event/loop_shares.hpp"
#include "event/thread_use.hpp"
#include "ompt/tool.hpp"
#include "sync/cold.hpp"

namespace vicino::event {
namespace {

using ompt::Data;
using ompt::Endpoint;
using ompt::Event;

// All times here are in ticks, until they are told.
using use::Account;
using use::account_at;
using use::Execution;
using use::kOfTaskloop;
using use::Open;
using use::Part;
using use::Thread;

struct Sums {
  // Regions by their code, and whether they are inner; loops by their places.
  std::map<std::tuple<ompt::Work, const void*, bool>, ConstructUse> constructs;
  int team = 0;
  size_t leaders = 0;
  bool has_inner_threads = false;
  uint64_t in_regions = 0, by_threads = 0;
  // How old the process was when the tool ended, in ns; 0: unknown.
  uint64_t whole = 0;
};
Sums& all_sums() {
  static Sums& its = *new Sums;  // threads outlive main()
  return its;
}

constinit plat::atomic<bool> counts{false};

// Two looks at both clocks.
struct Look {
  uint64_t ticks = 0, ns = 0;
};
constinit Look first_look, last_look;
Look look() noexcept { return {ticks(), plat::now()}; }

double ns_per_tick() noexcept {
  const uint64_t passed = last_look.ticks - first_look.ticks;
  return passed == 0
             ? 1
             : static_cast<double>(last_look.ns - first_look.ns) / static_cast<double>(passed);
}

Thread* self() noexcept {
  return ompt::thread == nullptr ? nullptr : static_cast<Thread*>(ompt::thread->data.pointer);
}

void thread_begin(ompt::ThreadKind, Data* data) { data->pointer = new Thread; }

// Those that stay. Relaxed: nobody follows the list but LeakSanitizer, which would call them lost.
constinit plat::atomic<Thread*> ended{nullptr};

// Its parts stay: see Thread::executions.
void thread_end(Data* data) {
  auto* const thread = static_cast<Thread*>(std::exchange(data->pointer, nullptr));
  if (thread == nullptr) return;
  if (thread->executions.empty()) {
    delete thread;
    return;
  }
  thread->ended_before = ended.load(std::memory_order_relaxed);
  while (!ended.compare_exchange_weak(thread->ended_before, thread, std::memory_order_relaxed)) {
  }
}

void region_code(const void* function) {
  if (Thread* const thread = self()) thread->next_code = function;
}

void parallel_begin(Data*, const ompt::Frame*, Data* parallel, unsigned, int flags,
                    const void* caller) {
  Thread* const thread = self();
  const auto team = static_cast<size_t>(reinterpret_cast<ompt::TeamRecord*>(parallel)->size);
  parallel->pointer = nullptr;
  if (thread == nullptr || (static_cast<unsigned>(flags) & ompt::kLeague) != 0) return;
  const bool is_inner = thread->has_part();
  if (is_inner && team == 1) return;  // a part of the thread's work
  if (thread->executions.size() == thread->depth)
    thread->executions.push_back(std::make_unique<Execution>());
  Execution& its = *thread->executions[thread->depth++];
  if (its.room < team) {
    static_cast<void>(its.parts.release());  // as above
    its.parts = std::make_unique<Part[]>(team);
    its.room = team;
  }
  its.place = caller;
  its.code = thread->next_code;
  its.team = team;
  its.is_inner = is_inner;
  ++its.number;
  parallel->pointer = &its;
  its.begin = ticks();
  thread->open.push_back({Open::kRegion, thread->works, thread->account});
  thread->stop(its.begin);
}

void add(Execution& its, uint64_t length, const metric::Lost& lost) {
  if (its.sum == nullptr || its.sum->code != its.code || its.sum->place != its.place ||
      its.sum->is_inner != its.is_inner) {
    const void* const name = its.code != nullptr ? its.code : its.place;
    its.sum = &all_sums().constructs[{ompt::Work::kNone, name, its.is_inner}];
    its.sum->place = its.place;
    its.sum->code = its.code;
    its.sum->is_inner = its.is_inner;
  }
  ConstructUse& sum = *its.sum;
  const auto team = static_cast<int>(its.team);
  ++sum.executions;
  sum.ns += length;
  sum.team = std::max(sum.team, team);
  sum.lost.add(lost);
  if (its.is_inner) {
    all_sums().has_inner_threads = true;
    return;
  }
  all_sums().team = std::max(all_sums().team, team);
  all_sums().in_regions += length;
  all_sums().by_threads += length * its.team;
}

bool is_loop(ompt::Work kind) noexcept {
  return kind >= ompt::Work::kStaticLoop && kind <= ompt::Work::kOtherLoop;
}

// What the members have worked in the loops and tasks of an interval that all have ended, by now. A member that has not begun
// its part, as one thread did all of it, has worked nothing.
void add_loops(const Execution& its, uint64_t mark, uint64_t now) {
  struct Shares {
    LoopShare sum;
    std::vector<uint64_t> worked;
  };
  std::vector<Shares> all;
  for (size_t i = 0; i < its.team; ++i) {
    const LoopShares& shares = its.parts[i].loops;
    if (!its.parts[i].has_begun(its.number)) continue;
    if (!shares.has(mark)) return;
    shares.each(mark, [&](const LoopShare& one) {
      auto known = std::ranges::find_if(all, [&](const Shares& each) {
        return each.sum.place == one.place && each.sum.kind == one.kind;
      });
      if (known == all.end()) {
        all.push_back({one, std::vector<uint64_t>(its.team)});
        known = all.end() - 1;
      }
      known->sum.times = std::max(known->sum.times, one.times);
      known->sum.ticks = std::max(known->sum.ticks, one.ticks);
      // Members may all spawn tasks, at one time.
      known->sum.span =
          std::max(known->sum.span, one.span + (one.since != 0 ? now - one.since : 0));
      known->worked[i] = one.ticks;
    });
  }
  if (all.empty()) return;
  const sync::Cold cold;
  for (const Shares& one : all) {
    ConstructUse& sum = all_sums().constructs[{one.sum.kind, one.sum.place, false}];
    sum.place = one.sum.place;
    sum.kind = one.sum.kind;
    const uint64_t length = std::max(one.sum.ticks, one.sum.span);
    sum.executions += one.sum.times;
    sum.ns += length;
    sum.team = std::max(sum.team, static_cast<int>(its.team));
    sum.lost.add_region(length, one.worked);
  }
}

// One that lies in a task counts with that.
void taskloop(Thread& thread, Endpoint endpoint, const void* caller) {
  if (endpoint == Endpoint::kEnd || thread.present_part() == nullptr) return;
  thread.end_spawning(false);
  thread.begin_spawning(account_at(caller, kOfTaskloop));
}

// A member of a crew works for the taskloop inside a wait of its implicit task's, so its work is opened like a task's on
// top of that wait.
void crew(Endpoint endpoint, const void* caller, int, int) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kEnd)
    return thread->end(
        [](const Open& one) { return one.kind == Open::kTask && one.task == nullptr; });
  thread->open.push_back({Open::kTask, thread->works, thread->account});
  if (!config::settings().cancellation) thread->switch_account(account_at(caller, kOfTaskloop));
  if (!thread->works) thread->go_on(ticks());
}

void work(ompt::Work kind, Endpoint endpoint, Data*, Data*, uint64_t, const void* caller) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (kind == ompt::Work::kTaskloop) return taskloop(*thread, endpoint, caller);
  if (!is_loop(kind)) return;
  Open* const part = thread->present_part();
  if (part == nullptr) return;
  if (endpoint == Endpoint::kBegin) {
    part->loop = {caller, kind, thread->worked_in(*part)};
  } else if (part->loop.kind != ompt::Work::kNone) {
    part->part->loops.add(
        {part->loop.place, part->loop.kind, 1, thread->worked_in(*part) - part->loop.worked});
    part->loop.kind = ompt::Work::kNone;
  }
}

void parallel_end(Data* parallel, Data*, int, const void*) {
  Thread* const thread = self();
  auto* const its = static_cast<Execution*>(parallel->pointer);
  if (thread == nullptr || its == nullptr) return;
  const uint64_t length = ticks() - its->begin;
  std::vector<uint64_t>& sums = thread->sums;
  sums.clear();
  for (size_t i = 0; i < its->team; ++i) sums.push_back(its->parts[i].in(its->number));  // (2)
  metric::Lost lost;
  lost.add_region(length, sums);
  if (its->team > 1) add_loops(*its, its->last_mark, ticks());
  {
    const sync::Cold cold;
    if (!its->is_inner && !std::exchange(thread->has_led, true)) ++all_sums().leaders;
    add(*its, length, lost);
  }
  --thread->depth;
  thread->end([](const Open& one) { return one.kind == Open::kRegion; });
}

void implicit_task(Endpoint endpoint, Data* parallel, Data* task, unsigned, unsigned number,
                   int flags) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kEnd)
    return thread->end([task](const Open& one) { return one.task == task; });
  const bool is_initial = (static_cast<unsigned>(flags) & ompt::kInitialTask) != 0;
  auto* const its = is_initial ? nullptr : static_cast<Execution*>(parallel->pointer);
  Part* const part = its != nullptr ? &its->parts[number] : nullptr;
  const Account before = thread->account;
  thread->leave_account();
  Open& open = thread->open.emplace_back(Open{Open::kTask, thread->works, before, task, part});
  if (its == nullptr) return;
  open.region = its->number;
  open.number = number;
  if (its->team > 1) {
    open.of = its;
    part->loops.begin(its->number);
  }
  part->add(its->number, 0);
  thread->go_on(ticks());
}

// A worker is told the end of its part only as its next one begins, and does not work until then.
void sync_region_wait(ompt::Sync kind, Endpoint endpoint, Data*, Data*, const void*) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  const bool is_barrier = kind != ompt::Sync::kTaskwait && kind != ompt::Sync::kTaskgroup;
  Open* const part = is_barrier ? thread->present_part() : nullptr;
  if (endpoint == Endpoint::kEnd) {
    thread->end_wait();
    if (!is_barrier) thread->end_spawning(false);
    if (part == nullptr) return;
    part->part->loops.leave_barrier();
    // At a region's end that is done in parallel_end(): here a worker is late.
    if (part->number == 0 && kind != ompt::Sync::kParallelBarrier)
      add_loops(*part->of, part->of->last_mark, ticks());
    return;
  }
  if (part != nullptr) {
    thread->end_spawning(true);
    const uint64_t mark = part->part->loops.end_interval();
    if (part->number == 0) part->of->last_mark = mark;
  }
  thread->begin_wait(kind != ompt::Sync::kParallelBarrier);
}

void reduction(ompt::Sync, Endpoint endpoint, Data*, Data*, const void*) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kEnd) return thread->end_wait();
  thread->begin_wait(true);
}

void task_create(Data*, const ompt::Frame*, Data* task, int flags, int, const void* caller) {
  constexpr unsigned kNotOfProgram = ompt::kInitialTask | ompt::kImplicitTask;
  Thread* const thread = self();
  if (thread == nullptr || (static_cast<unsigned>(flags) & kNotOfProgram) != 0) return;
  if ((static_cast<unsigned>(flags) & ompt::kTaskwaitTask) != 0)
    return thread->begin_wait(true);  // a taskwait with dependences
  if (thread->account == 0 && thread->present_part() != nullptr && !config::settings().cancellation)
    thread->begin_spawning(account_at(caller, 0));
  task->value = thread->account;
}

// If `next` lies right below `before` among what this thread has begun, `before` has ended or is suspended, and `next`
// goes on. Else `next` begins on top of `before`.
void task_schedule(Data* before, int status, Data* next) {
  Thread* const thread = self();
  if (thread == nullptr || next == nullptr) return;  // its event is fulfilled
  if (status == static_cast<int>(ompt::TaskStatus::kTaskwaitComplete)) return thread->end_wait();
  const auto is_task = [](const Open& one) { return one.kind == Open::kTask; };
  auto& open = thread->open;
  const auto top = std::find_if(open.rbegin(), open.rend(), is_task);
  if (top != open.rend() && top->task == before) {
    const auto below = std::find_if(top + 1, open.rend(), is_task);
    if (below != open.rend() && below->task == next)
      return thread->end_from(static_cast<size_t>(open.rend() - top) - 1);
  }
  open.push_back({Open::kTask, thread->works, thread->account, next});
  thread->switch_account(next->value);
  if (!thread->works) thread->go_on(ticks());
}

bool waits(ompt::Mutex kind) noexcept {
  return kind != ompt::Mutex::kTestLock && kind != ompt::Mutex::kTestNestLock;
}
void mutex_acquire(ompt::Mutex kind, unsigned, unsigned, uint64_t, const void*) {
  Thread* const thread = self();
  if (thread != nullptr && waits(kind)) thread->begin_wait(true);
}
void mutex_acquired(ompt::Mutex kind, uint64_t, const void*) {
  Thread* const thread = self();
  if (thread != nullptr && waits(kind)) thread->end_wait();
}

// The owner of a nest lock gets it again: no mutex_acquired follows, so this ends the wait that mutex_acquire began.
void nest_lock(Endpoint, uint64_t, const void*) {
  if (Thread* const thread = self()) thread->end_wait();
}

// For the program there is no tool: what omp_control_tool() returns without one.
int control_tool(uint64_t, uint64_t, void*, const void*) { return -2; }

void set(Event event, auto* function) {
  ompt::set_callback(event, reinterpret_cast<ompt::InterfaceFunction>(function));
}

}  // namespace

void begin_counting() noexcept {
  set(Event::kThreadBegin, thread_begin);
  set(Event::kThreadEnd, thread_end);
  set(Event::kRegionCode, region_code);
  set(Event::kParallelBegin, parallel_begin);
  set(Event::kParallelEnd, parallel_end);
  set(Event::kImplicitTask, implicit_task);
  set(Event::kSyncRegionWait, sync_region_wait);
  set(Event::kReduction, reduction);
  if (!config::settings().cancellation) set(Event::kWork, work);
  set(Event::kTaskCreate, task_create);
  set(Event::kTaskSchedule, task_schedule);
  set(Event::kMutexAcquire, mutex_acquire);
  set(Event::kMutexAcquired, mutex_acquired);
  set(Event::kNestLock, nest_lock);
  set(Event::kCrew, crew);
  set(Event::kControlTool, control_tool);
  choose_ticks();
  first_look = look();
  counts.store(true, std::memory_order_relaxed);
}

bool is_counting() noexcept { return counts.load(std::memory_order_relaxed); }

void end_counting() noexcept {
  const sync::Cold cold;
  last_look = look();
  all_sums().whole = static_cast<uint64_t>(process_age() * 1e9);
}

Use use_of_threads() {
  Use use;
  use.is_counted = is_counting();
  if (!use.is_counted) return use;
  const sync::Cold cold;
  const double scale = ns_per_tick();
  const auto in_ns = [scale](uint64_t ticks) {
    return static_cast<uint64_t>(static_cast<double>(ticks) * scale);
  };
  for (const auto& [key, construct] : all_sums().constructs) {
    ConstructUse& told = use.constructs.emplace_back(construct);
    told.ns = in_ns(told.ns);
    for (uint64_t* const one : {&told.lost.useful, &told.lost.imbalance, &told.lost.scheduling})
      *one = in_ns(*one);
    if (told.is_region() && !told.is_inner) use.lost.add(told.lost);
  }
  std::ranges::sort(use.constructs, std::greater(), [](const ConstructUse& one) {
    return std::pair(one.is_region(), one.lost.imbalance + one.lost.scheduling);
  });
  use.team = all_sums().team;
  use.is_known = all_sums().leaders == 1 && !all_sums().has_inner_threads && all_sums().whole > 0;
  const uint64_t in_regions = in_ns(all_sums().in_regions);
  use.lost.add_rest(std::max(all_sums().whole, in_regions), in_regions,
                    in_ns(all_sums().by_threads), all_sums().team);
  return use;
}

// The thread is in its initial task from here on.
void forget_use() noexcept {
  if (!is_counting()) return;
  all_sums() = {};
  first_look = look();
  Thread* const thread = self();
  if (thread == nullptr) return;
  thread->works = thread->has_led = false;
  thread->depth = 0;
  thread->account = thread->spawning = 0;
  for (const auto& one : thread->executions) one->sum = nullptr;
  if (!thread->open.empty()) thread->open.resize(1);
}

}  // namespace vicino::event
