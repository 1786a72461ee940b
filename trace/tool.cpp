// tool.cpp: the trace as a tool of OMPT: the runtime tells events, and each thread records its own.
//
// The runtime is any with OMPT. Vicino tells more (event/more.hpp).
//
// Locks  `state.lock` guards the list of new threads, the texts, and the writer's beginning and end, and nobody holds it while
//        something is written: no thread of the program ever waits for a file. fork() holds it, and the lock of the
//        names of code (sync/cold.hpp), which the writer takes: a child finds both free. It begins anew, with a file of
//        its own, at its first event; what the writer was doing is left as it is.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/process_age.hpp"
#include "base/say.hpp"
#include "base/ticks.hpp"
#include "ompt/records.hpp"
#include "sync/cold.hpp"
#include "thread.hpp"
#include "writer.hpp"

namespace vicino::trace {
namespace {

using ompt::Data;
using ompt::Endpoint;
using ompt::Event;

struct State {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::string file = "vicino.pftrace";
  long owner = 0;
  Writer* writer = nullptr;
  std::vector<Thread*> fresh;  // which the writer does not know yet
  pthread_t thread{};
  bool thread_runs = false;
  uint32_t threads = 0;
  std::set<std::string, std::less<>> texts;
};
State& state = *new State;  // threads outlive main()

// Whether events are recorded. Relaxed: a thread that is late finds its ring, which is not freed before it ends.
constinit plat::atomic<bool> records{false};
constinit thread_local Thread* own = nullptr;

// The writer sleeps on `calls` until it changes; `sleeps` says that a change needs a wake-up.
constinit plat::atomic<uint32_t> calls{0};
constinit plat::atomic<bool> sleeps{false}, has_to_stop{false};

struct Locked {
  Locked() noexcept { pthread_mutex_lock(&state.lock); }
  ~Locked() { pthread_mutex_unlock(&state.lock); }
  Locked(const Locked&) = delete;
};

double drain() {
  std::vector<Thread*> fresh;
  {
    const Locked lock;
    fresh.swap(state.fresh);
  }
  for (Thread* const thread : fresh) state.writer->add(*thread);
  return state.writer->drain();
}

// Whether the writer ends because no thread is left that records. The next thread that does starts another one. Where main()
// has left by pthread_exit(), the process ends with its last thread, and a writer that stayed would keep it for ever.
bool is_left_alone() {
  if (state.writer->has_threads()) return false;
  const Locked lock;
  if (!state.fresh.empty() || has_to_stop.load(std::memory_order_relaxed)) return false;
  pthread_detach(pthread_self());
  state.thread_runs = false;
  return true;
}

void* write_until_stopped(void*) {
  constexpr uint64_t kIdleNs = 10'000'000;  // what a killed process loses
  constexpr uint64_t kBusyNs = 1'000'000;
  constexpr double kBusy = 0.01, kHurried = 0.25;  // of a ring, since the last look
  while (!has_to_stop.load(std::memory_order_relaxed)) {
    const uint32_t seen = calls.load(std::memory_order_relaxed);
    const double filled = drain();
    if (is_left_alone()) break;
    if (filled > kHurried) continue;
    sleeps.store(true, std::memory_order_relaxed);
    plat::sleep_on(calls, seen, filled > kBusy ? kBusyNs : kIdleNs);
    sleeps.store(false, std::memory_order_relaxed);
  }
  return nullptr;
}

// With all signals blocked: they are for the program's threads.
void start_writer() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  state.thread_runs = pthread_create(&state.thread, nullptr, write_until_stopped, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (state.thread_runs) pthread_setname_np(state.thread, "vicino-trace");
}

bool open_output() {
  state.writer = new Writer(state.file, state.owner);
  if (state.writer->ok()) return true;
  say("there is no trace: %s", state.writer->output().error().c_str());
  records.store(false, std::memory_order_relaxed);
  return false;
}

// As the affinity mask of the process has it.
int usable_cpus() {
  cpu_set_t mask;
  return sched_getaffinity(getpid(), sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : get_nprocs();
}

[[gnu::cold, gnu::noinline]] Thread* enlist(bool is_initial) noexcept {
  const Locked lock;
  if (!records.load(std::memory_order_relaxed)) return nullptr;
  if (state.writer == nullptr && !open_output()) return nullptr;
  own = new Thread(++state.threads, is_initial);
  state.fresh.push_back(own);
  if (!state.thread_runs) start_writer();
  if (own->number == 1)
    own->instant(What::kMachine, static_cast<uint64_t>(usable_cpus()),
                 static_cast<uint64_t>(get_nprocs()), static_cast<uint32_t>(process_age() * 1000));
  return own;
}

Thread* self() noexcept {
  if (!records.load(std::memory_order_relaxed)) return nullptr;
  return own != nullptr ? own : enlist(true);
}

// A copy of the text that lives as long as the trace.
uint64_t kept(const char* text) {
  const Locked lock;
  return reinterpret_cast<uintptr_t>(state.texts.emplace(text).first->c_str());
}

uint64_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

// --- OMPT's callbacks

void thread_begin(ompt::ThreadKind kind, Data*) {
  if (own == nullptr) enlist(kind != ompt::ThreadKind::kWorker);
}

void thread_end(Data*) {
  if (own == nullptr) return;
  own->end_from(0, 0);
  own->has_ended.store(true, std::memory_order_release);
  own = nullptr;
}

// What the next region of the thread runs.
thread_local constinit const void* region_function = nullptr;

void region_code(const void* function) { region_function = function; }

// The function lies in the same file as the call, else it is left out.
uint32_t distance_to_code(const void* caller) {
  const auto distance =
      static_cast<int64_t>(number(std::exchange(region_function, nullptr)) - number(caller));
  return distance == static_cast<int32_t>(distance) ? static_cast<uint32_t>(distance) : 0;
}

void parallel_begin(Data*, const ompt::Frame*, Data* parallel, unsigned asked, int flags,
                    const void* caller) {
  parallel->value = number(caller);
  const bool is_league = (static_cast<unsigned>(flags) & ompt::kLeague) != 0;
  if (Thread* const thread = self())
    thread->begin(is_league ? What::kLeague : What::kRegion, 0, number(caller), asked,
                  is_league ? 0 : distance_to_code(caller));
}

void parallel_end(Data*, Data*, int flags, const void*) {
  const bool is_league = (static_cast<unsigned>(flags) & ompt::kLeague) != 0;
  if (Thread* const thread = self()) thread->end(is_league ? What::kLeague : What::kRegion);
}

// A part ends when its thread comes to the barrier at the region's end; a worker is told the region's end only as the
// next begins.
void implicit_task(Endpoint endpoint, Data* parallel, Data* task, unsigned size,
                   unsigned its_number, int flags) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  const bool is_initial = (static_cast<unsigned>(flags) & ompt::kInitialTask) != 0;
  if (endpoint == Endpoint::kEnd) {
    const uint64_t id = task->value;
    thread->end([id](const Thread::Open& one) { return one.what == What::kPart && one.id == id; });
    return;
  }
  task->value = thread->next_implicit();
  if (is_initial && size <= 1) return;
  thread->note_place();
  thread->begin(What::kPart, task->value, parallel != nullptr ? parallel->value : 0, size,
                its_number);
}

void task_create(Data*, const ompt::Frame*, Data* task, int flags, int, const void* caller) {
  constexpr unsigned kNotOfProgram = ompt::kInitialTask | ompt::kImplicitTask | ompt::kTaskwaitTask;
  Thread* const thread = self();
  if (thread == nullptr || (static_cast<unsigned>(flags) & kNotOfProgram) != 0) return;
  task->value = thread->next_task();
  thread->instant(What::kSpawn, number(caller), task->value);
}

// `before` gives way to `next`: it ends or goes on later, if `next` is what it was run in place of; else `next` begins
// within it.
void task_schedule(Data* before, int status, Data* next) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  const auto is = [status](ompt::TaskStatus one) { return status == static_cast<int>(one); };
  if (is(ompt::TaskStatus::kEarlyFulfill) || is(ompt::TaskStatus::kLateFulfill) || next == nullptr)
    return thread->instant(What::kFulfil, before->value);
  if (is(ompt::TaskStatus::kTaskwaitComplete)) return;
  const auto& open = thread->open();
  size_t at = open.size();
  while (at > 0 && open[at - 1].what != What::kTask) --at;
  if (at > 0 && open[at - 1].id == before->value) {
    size_t below = at - 1;
    while (below > 0 && open[below - 1].what != What::kTask) --below;
    const bool was_in_place_of =
        (next->value & kExplicit) == 0 || (below > 0 && open[below - 1].id == next->value);
    if (was_in_place_of) return thread->end_from(at - 1, static_cast<uint32_t>(status));
  }
  if ((next->value & kExplicit) != 0) thread->begin(What::kTask, next->value, next->value);
}

void task_dependence(Data* first, Data* second) {
  if (Thread* const thread = self()) thread->instant(What::kAfter, first->value, second->value);
}

What work_of(ompt::Work work) {
  switch (work) {
    case ompt::Work::kSections:
      return What::kSections;
    case ompt::Work::kSingle:
      return What::kSingle;
    case ompt::Work::kDistribute:
      return What::kDistribute;
    case ompt::Work::kTaskloop:
      return What::kTaskloop;
    case ompt::Work::kScope:
      return What::kScope;
    case ompt::Work::kStaticLoop:
      return What::kStaticLoop;
    case ompt::Work::kDynamicLoop:
      return What::kDynamicLoop;
    case ompt::Work::kGuidedLoop:
      return What::kGuidedLoop;
    case ompt::Work::kOtherLoop:
      return What::kOtherLoop;
    default:
      return What::kEnd;
  }
}

void work(ompt::Work kind, Endpoint endpoint, Data*, Data*, uint64_t count, const void* caller) {
  const What what = work_of(kind);
  Thread* const thread = self();
  if (thread == nullptr || what == What::kEnd) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(what, 0, number(caller), count);
  else
    thread->end(what);
}

void dispatch(Data*, Data*, ompt::DispatchKind kind, Data instance) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (kind == ompt::DispatchKind::kSection) {
    thread->end_chunk();
    return thread->begin(What::kSection, 0, number(instance.pointer));
  }
  const auto& chunk = *static_cast<const ompt::Chunk*>(instance.pointer);
  if (kind == ompt::DispatchKind::kTaskloopChunk)
    return thread->instant(What::kIterations, chunk.start, chunk.iterations);
  thread->end_chunk();
  thread->begin(What::kChunk, 0, chunk.start, chunk.iterations);
}

void masked(Endpoint endpoint, Data*, Data*, const void* caller) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(What::kMasked, 0, number(caller));
  else
    thread->end(What::kMasked);
}

void sync_region_wait(ompt::Sync kind, Endpoint endpoint, Data*, Data*, const void* caller) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  What what = What::kBarrier;
  if (kind == ompt::Sync::kTaskwait) what = What::kTaskwait;
  if (kind == ompt::Sync::kTaskgroup) what = What::kTaskgroup;
  if (kind == ompt::Sync::kParallelBarrier) {
    what = What::kJoin;
    if (endpoint == Endpoint::kBegin) {
      thread->end(What::kPart);
      if (thread->open().empty()) return;  // a worker: idle from here on
    }
  }
  if (endpoint == Endpoint::kBegin)
    thread->begin(what, 0, number(caller));
  else
    thread->end(what);
}

void reduction(ompt::Sync, Endpoint endpoint, Data*, Data*, const void* caller) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(What::kReduction, 0, number(caller));
  else
    thread->end(What::kReduction);
}

What wait_of(ompt::Mutex kind) {
  switch (kind) {
    case ompt::Mutex::kLock:
    case ompt::Mutex::kNestLock:
      return What::kLockWait;
    case ompt::Mutex::kCritical:
      return What::kCriticalWait;
    case ompt::Mutex::kOrdered:
      return What::kOrderedWait;
    case ompt::Mutex::kAtomic:
      return What::kAtomicWait;
    default:
      return What::kEnd;  // a test does not wait
  }
}

// What lies within the program's text as a block; a lock need not be released in the order of its taking.
What block_of(ompt::Mutex kind) {
  switch (kind) {
    case ompt::Mutex::kCritical:
      return What::kCritical;
    case ompt::Mutex::kOrdered:
      return What::kOrdered;
    case ompt::Mutex::kAtomic:
      return What::kAtomic;
    default:
      return What::kEnd;
  }
}

void mutex_acquire(ompt::Mutex kind, unsigned, unsigned, uint64_t lock, const void* caller) {
  Thread* const thread = self();
  if (thread != nullptr && wait_of(kind) != What::kEnd)
    thread->begin(wait_of(kind), lock, number(caller), lock);
}

void mutex_acquired(ompt::Mutex kind, uint64_t lock, const void* caller) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (wait_of(kind) != What::kEnd) thread->end(wait_of(kind));
  if (block_of(kind) != What::kEnd) thread->begin(block_of(kind), lock, number(caller), lock);
}

// The owner of a nest lock gets it again: no mutex_acquired follows.
void nest_lock(Endpoint endpoint, uint64_t lock, const void*) {
  Thread* const thread = self();
  if (thread == nullptr || endpoint != Endpoint::kBegin || thread->open().empty()) return;
  const Thread::Open& last = thread->open().back();
  if (last.what == What::kLockWait && last.id == lock) thread->end(What::kLockWait);
}

void mutex_released(ompt::Mutex kind, uint64_t lock, const void*) {
  Thread* const thread = self();
  if (thread == nullptr || block_of(kind) == What::kEnd) return;
  thread->end(
      [=](const Thread::Open& one) { return one.what == block_of(kind) && one.id == lock; });
}

// A discarded task never begins.
void cancel(Data* task, int flags, const void* caller) {
  const bool is_discarded = (static_cast<unsigned>(flags) & ompt::kDiscardedTask) != 0;
  if (Thread* const thread = self())
    thread->instant(What::kCancel, number(caller), is_discarded ? task->value : 0);
}

void error(ompt::Severity, const char* message, size_t length, const void*) {
  if (Thread* const thread = self())
    thread->instant(What::kError, kept(std::string(message, length).c_str()));
}

void target(ompt::Target, Endpoint endpoint, int, Data*, uint64_t, const void* caller) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(What::kTarget, 0, number(caller));
  else
    thread->end(What::kTarget);
}

int control_tool(uint64_t command, uint64_t, void*, const void*) {
  enum Command { kStart = 1, kPause = 2, kFlush = 3, kEnd = 4 };
  switch (command) {
    case kStart:
      is_paused.store(false, std::memory_order_relaxed);
      return 0;
    case kPause:
    case kEnd:
      is_paused.store(true, std::memory_order_relaxed);
      return 0;
    case kFlush:
      wake_writer();
      return 0;
    default:
      return 1;
  }
}

// --- What Vicino tells besides

void asleep(Endpoint endpoint) {
  if (own == nullptr || !records.load(std::memory_order_relaxed)) return;
  if (endpoint == Endpoint::kBegin)
    own->begin(What::kAsleep, 0);
  else
    own->end(What::kAsleep);
}

void stolen(unsigned from, unsigned level) {
  if (Thread* const thread = self()) thread->instant(What::kSteal, from, level);
}

void decided(const void* caller, const char* schedule, int threads) {
  if (Thread* const thread = self())
    thread->instant(What::kDecision, number(caller), kept(schedule),
                    static_cast<uint32_t>(threads));
}

void pages_moved(const char* what) {
  if (Thread* const thread = self()) thread->instant(What::kPages, kept(what));
}

void crew(Endpoint endpoint, const void* caller, int threads, int domain) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(What::kCrew, 0, number(caller), static_cast<uint64_t>(threads),
                  static_cast<uint32_t>(domain));
  else
    thread->end(What::kCrew);
}

void graph(Endpoint endpoint, const void* caller, uint64_t aggregates) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(What::kGraph, 0, number(caller), aggregates);
  else
    thread->end(What::kGraph);
}

// The dependences are put before the aggregate begins: those that wait for it cannot have begun by then.
void aggregate(Endpoint endpoint, const void* code, uint64_t run, uint32_t its_number,
               uint32_t tasks, const uint32_t* after, size_t waiting) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kEnd)
    return thread->end(What::kAggregate, static_cast<uint32_t>(ompt::TaskStatus::kComplete));
  const uint64_t id = aggregate_of(run, its_number);
  for (size_t i = 0; i < waiting; ++i)
    thread->instant(What::kAfter, id, aggregate_of(run, after[i]));
  thread->begin(What::kAggregate, 0, number(code), id, tasks);
}

// The name lives as long as the process.
void communication(Endpoint endpoint, const char* name, const void* caller, uint64_t bytes) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(What::kCommunication, 0, number(caller), reinterpret_cast<uintptr_t>(name));
  else
    thread->end(What::kCommunication, static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)));
}

void lent(const char* what, int cores) {
  if (Thread* const thread = self())
    thread->instant(What::kLent, kept(what), static_cast<uint64_t>(cores));
}

void named(Endpoint endpoint, const char* name) {
  Thread* const thread = self();
  if (thread == nullptr) return;
  if (endpoint == Endpoint::kBegin)
    thread->begin(What::kNamed, 0, kept(name));
  else
    thread->end(What::kNamed);
}

// --- Beginning and end

void before_fork() {
  pthread_mutex_lock(&state.lock);
  sync::Cold::take();
}
void after_fork_in_parent() {
  sync::Cold::leave();
  pthread_mutex_unlock(&state.lock);
}
// The writer and the other threads are the parent's, and so is the file.
void after_fork_in_child() {
  sync::Cold::leave();
  state.lock = PTHREAD_MUTEX_INITIALIZER;
  if (state.writer != nullptr) state.writer->leave_to_parent();
  state.writer = nullptr;
  state.thread_runs = false;
  state.threads = 0;
  state.fresh.clear();
  own = nullptr;
}

struct Callback {
  Event event;
  ompt::InterfaceFunction function;
};
template <class Function>
Callback on(Event event, Function* function) {
  return {event, reinterpret_cast<ompt::InterfaceFunction>(function)};
}

int initialize(ompt::Lookup lookup, int, Data*) {
  const char* const owner = getenv("VICINO_PROCESS");
  state.owner = owner != nullptr ? atol(owner) : 0;
  choose_ticks();
  if (!open_output()) return 0;
  const Callback all[] = {
      on(Event::kThreadBegin, thread_begin),
      on(Event::kThreadEnd, thread_end),
      on(Event::kParallelBegin, parallel_begin),
      on(Event::kParallelEnd, parallel_end),
      on(Event::kImplicitTask, implicit_task),
      on(Event::kTaskCreate, task_create),
      on(Event::kTaskSchedule, task_schedule),
      on(Event::kTaskDependence, task_dependence),
      on(Event::kWork, work),
      on(Event::kDispatch, dispatch),
      on(Event::kMasked, masked),
      on(Event::kSyncRegionWait, sync_region_wait),
      on(Event::kReduction, reduction),
      on(Event::kMutexAcquire, mutex_acquire),
      on(Event::kMutexAcquired, mutex_acquired),
      on(Event::kMutexReleased, mutex_released),
      on(Event::kNestLock, nest_lock),
      on(Event::kCancel, cancel),
      on(Event::kError, error),
      on(Event::kTarget, target),
      on(Event::kControlTool, control_tool),
      on(Event::kAsleep, asleep),
      on(Event::kStolen, stolen),
      on(Event::kDecided, decided),
      on(Event::kPagesMoved, pages_moved),
      on(Event::kNamed, named),
      on(Event::kRegionCode, region_code),
      on(Event::kCrew, crew),
      on(Event::kGraph, graph),
      on(Event::kAggregate, aggregate),
      on(Event::kCommunication, communication),
      on(Event::kLent, lent),
  };
  using SetCallback = int (*)(int event, ompt::InterfaceFunction function);
  const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  for (const Callback& one : all) set(static_cast<int>(one.event), one.function);
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  records.store(true, std::memory_order_relaxed);
  return 1;
}

// At the program's end; other threads may still run.
void finalize(Data*) {
  constexpr uint64_t kMostNs = 1'000'000'000;  // a reader that is gone is not waited for
  if (Thread* const thread = own) thread->instant(What::kExit);
  records.store(false, std::memory_order_relaxed);
  if (state.writer == nullptr) return;
  state.writer->wait_until(plat::now() + kMostNs);
  bool is_writing;
  {
    const Locked lock;
    has_to_stop.store(true, std::memory_order_relaxed);
    is_writing = std::exchange(state.thread_runs, false);
  }
  wake_writer();
  if (is_writing) pthread_join(state.thread, nullptr);
  drain();
  state.writer->finish();
  const Output& output = state.writer->output();
  const auto events = static_cast<unsigned long long>(state.writer->events());
  const auto dropped = static_cast<unsigned long long>(state.writer->dropped());
  if (!output.error().empty()) say("the trace is not whole: %s", output.error().c_str());
  if (dropped > 0)
    say("%s has %llu events; %llu more were dropped", output.name().c_str(), events, dropped);
  else
    say("%s has %llu events", output.name().c_str(), events);
}

}  // namespace

void wake_writer() noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (sleeps.exchange(false, std::memory_order_relaxed)) plat::wake(calls);
}

}  // namespace vicino::trace

// The file's name, before the tool is started.
extern "C" [[gnu::visibility("default")]] void vicino_trace_into(const char* file) {
  vicino::trace::state.file = file;
}

extern "C" [[gnu::visibility("default")]] vicino::ompt::StartResult* ompt_start_tool(unsigned,
                                                                                     const char*) {
  static vicino::ompt::StartResult result{vicino::trace::initialize, vicino::trace::finalize, {}};
  return &result;
}
