// tasks.cpp: GCC's explicit tasks.
#include "tasking/tasks.hpp"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/dependences.hpp"
#include "abi/gomp/task.hpp"
#include "abi/taskwait.hpp"
#include "abi/watched.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "event/tasks.hpp"
#include "event/useful.hpp"
#include "region/cancel.hpp"
#include "region/roots.hpp"
#include "tasking/dependences.hpp"
#include "tasking/recording.hpp"
#include "team/worker.hpp"

using namespace vicino;
using gomp::Function;
using tasking::Situation;
using tasking::Start;
using tasking::Starts;
using team::Member;
using team::Task;

namespace {

const void* code_of(Function function) { return reinterpret_cast<const void*>(function); }

// A task's own copy of its data lies behind its record, or in a block of its own if it is large.
constexpr uintptr_t kAlign = 16;
bool run(Member&, Task& task) {
  if (task.is(Task::kDiscarded)) [[unlikely]]
    return true;
  reinterpret_cast<Function>(task.function)(task.data);
  return true;
}
bool run_and_free(Member& member, Task& task) {
  run(member, task);
  free(task.data);
  return true;
}

// The handle of a task's event is stored in the variable that the clause names, and in the task's
// copy of it, which comes first in the task's data.
void give_event(Member& member, Task& task, void* data, void* variable) {
  void* const event = tasking::make_event(member, task);
  *static_cast<void**>(variable) = event;
  if (data != nullptr) *static_cast<void**>(data) = event;
}

}  // namespace

Task& gomp::make_task(Member& member, Function function, long bytes, long align, unsigned flags,
                      int priority) {
  // gcc's untied tasks cannot move to another thread either: they have no parts.
  const auto size = static_cast<size_t>(bytes);
  const auto alignment = static_cast<uintptr_t>(std::max(align, 1L));
  const size_t slack = alignment > kAlign ? alignment : 0;
  const uint8_t record_flags = flags & gomp::kFinal ? Task::kFinal : 0;
  Task* task = tasking::new_task(member, size + slack, record_flags);
  void* room;
  if (task != nullptr) {
    room = align_up(task + 1, alignment);
    task->body = run;
  } else {
    task = tasking::new_task(member, 0, record_flags);
    task->body = run_and_free;
    const auto block_align = std::max(alignment, kAlign);
    room = aligned_alloc(block_align, (size + block_align - 1) / block_align * block_align);
    if (room == nullptr) die("out of memory for a task with %zu bytes of data", size);
  }
  task->data = room;
  task->function = reinterpret_cast<void*>(function);
  if (flags & kPriority)
    task->priority = std::clamp(priority, 0, config::settings().max_task_priority);
  return *task;
}

Task& gomp::make_task(Member& member, Function function, void* data, Copy copy, long bytes,
                      long align, unsigned flags, int priority, void* event) {
  Task& task = make_task(member, function, bytes, align, flags, priority);
  if (flags & kDetach) give_event(member, task, data, event);
  if (copy != nullptr) {
    copy(task.data, data);
    task.flags |= Task::kBegun;  // only the task's function can destroy the constructed copy
  } else if (bytes > 0) {
    memcpy(task.data, data, static_cast<size_t>(bytes));
  }
  return task;
}

namespace {

// The contents of an omp_depend_t.
struct DependObject {
  void* address;
  uintptr_t kind;
};

task::Access access_of(const DependObject& object) {
  using task::Access;
  switch (object.kind) {
    case 1:
      return Access::kIn;
    case 2:
    case 3:
      return object.address == nullptr ? Access::kMemory : Access::kOut;
    case 4:
      return Access::kMutex;
    case 5:
      return Access::kSet;
    default:
      die("an omp_depend_t has the dependence type %zu: known are 1 (in), 2 (out), 3 (inout), "
          "4 (mutexinoutset), 5 (inoutset); was it set by a depobj construct?",
          static_cast<size_t>(object.kind));
  }
}

}  // namespace

// The short form has the number of addresses, the number of them that are out, these, and those
// that are in. The long form has 0, the number of all, the numbers of out, mutexinoutset and in,
// then these addresses, and pointers to depend objects. If iterators yield nothing, the short form
// looks like a long one with no address, and only the number of all is valid.
abi::Dependences gomp::dependences_of(void* const* list) {
  using task::Access;
  const auto number = [list](int at) { return reinterpret_cast<size_t>(list[at]); };
  const bool is_long = list[0] == nullptr;
  const size_t all = is_long ? number(1) : number(0);
  const size_t out = is_long ? number(2) : number(1);
  const size_t mutex = is_long ? number(3) : 0;
  const size_t in = is_long ? number(4) : all - out;
  abi::Dependences found(all);
  void* const* const first = list + (is_long ? 5 : 2);
  for (size_t i = 0; i < all; ++i) {
    void* const item = first[i];
    if (i < out) {
      found.add(item, item == nullptr ? Access::kMemory : Access::kOut);
    } else if (i < out + mutex) {
      found.add(item, Access::kMutex);
    } else if (i < out + mutex + in) {
      found.add(item, Access::kIn);
    } else {
      const auto& object = *static_cast<const DependObject*>(item);
      found.add(object.address, access_of(object));
    }
  }
  return found;
}

namespace {

using gomp::dependences_of;

// The arguments of GOMP_task().
struct Call {
  Function function;
  void* data;
  gomp::Copy copy;
  long bytes, align;
  bool deferrable;
  unsigned flags;
  void** depend;
  int priority;
  void* event;

  bool has(unsigned flag) const noexcept { return (flags & flag) != 0; }
  const void* code() const noexcept { return code_of(function); }
  bool deferred() const noexcept { return deferrable && !has(gomp::kFinal); }
  [[gnu::always_inline]] abi::Dependences dependences() const {
    return has(gomp::kDepend) ? dependences_of(depend) : abi::Dependences(0);
  }
};

// The generating thread waits for the task's end, and never looks at these data again.
void run_final_on_original(Member& member, Function function, void* data) {
  Task* const task = tasking::new_task(member, 0, Task::kFinal);
  task->body = run;
  task->function = reinterpret_cast<void*>(function);
  task->data = data;
  tasking::run_at_once(member, *task);
}

// The copy, which fill(room) makes, is needed only while the task runs, here and now.
template <class Fill>
[[gnu::noinline]] void run_on_copy(Member& member, Start start, Function function, Fill fill) {
  alignas(kLine) char room[gomp::kMostOnStack];
  fill(room);
  tasking::run_bare(member, start, code_of(function), [&] { function(room); });
}

class RecordedTask final : public tasking::RecordedTask {
 public:
  explicit RecordedTask(const Call& call)
      : function_(call.function),
        bytes_(call.bytes),
        align_(call.align),
        is_final_(call.has(gomp::kFinal)),
        memory_(std::make_unique<char[]>(static_cast<size_t>(bytes_))) {
    if (bytes_ > 0) memcpy(memory_.get(), call.data, static_cast<size_t>(bytes_));
  }

  void run(Member& member, void*) const override {
    if (!is_final_ && gomp::fits_on_stack(bytes_, align_))
      return run_on_copy(member, Start::kCall, function_, [this](void* room) {
        memcpy(room, memory_.get(), static_cast<size_t>(bytes_));
      });
    Task& task = gomp::make_task(member, function_, memory_.get(), nullptr, bytes_, align_,
                                 is_final_ ? gomp::kFinal : 0u, 0);
    tasking::run_at_once(member, task);
  }

 private:
  Function function_;
  long bytes_, align_;
  bool is_final_;
  std::unique_ptr<char[]> memory_;
};

// Apart from generate(), which it would slow down.
[[gnu::noinline]] void add_to(tasking::Recording& recording, Call call) {
  if (call.copy != nullptr)
    return recording.refuse(
        "a task's private data have constructors, or gcc copies "
        "them as if they had: structures, arrays, references");
  if (call.has(gomp::kDetach)) return recording.refuse("a task has the detach clause");
  abi::Dependences all = call.dependences();
  recording.add(all.span(), call.deferred(), [&] { return std::make_unique<RecordedTask>(call); });
}

[[gnu::cold, gnu::noinline]] void tell_created(Member& member, Task& task, Call call) {
  task.record().memory = task.data;
  task.record().memory_size = static_cast<size_t>(call.bytes);
  // A final task need not be deferred either, but is called undeferred only where its parent is final.
  const bool undeferred = !call.deferrable && !call.has(gomp::kFinal);
  abi::tell_created(member, task, undeferred ? ompt::kUndeferred : 0u, call.dependences());
}

// Tasks with any of these have no short way.
constexpr unsigned kLong = gomp::kFinal | gomp::kDepend | gomp::kDetach;
// Whether the compiler's function for the body can be called as it is.
[[gnu::always_inline]] inline bool is_simple(const Member& member, gomp::Copy copy) {
  return copy == nullptr && member.team->icvs.is_plain();
}

[[gnu::always_inline]] inline Situation situation_of(const Member& member, const Call& call) {
  const bool ordered = call.has(gomp::kDepend);
  if (call.has(gomp::kDetach) || (ordered && !tasking::has_no_order(member)))
    return Situation::kWaits;
  if (!call.deferred()) return Situation::kUndeferred;
  const bool urgent = call.has(gomp::kPriority) && config::settings().max_task_priority > 0;
  if (ordered || urgent) return Situation::kByRoom;
  return is_simple(member, call.copy) ? Situation::kAsked
                                      : Situation::kNothing;  // in call_or_generate()
}

// Whether the generating task may not go on before the task has run, by the program's word.
bool is_undeferred(const Member& member, const Call& call) noexcept {
  return !call.deferrable || member.tasks.standing.is_final();
}

// Runs an undeferred task that has an event, and waits for that. By OpenMP 5.0 the construct ends when the task
// is completed; since 5.1 the end of its block is enough. gcc does not say which version a program was compiled
// for, and its own runtime waits. The wait is one for a dependence, so that this thread runs other tasks
// meanwhile, of which one may fulfil the event.
[[gnu::noinline]] void generate_and_await(Member& member, Task& task, abi::Dependences its) {
  using task::Access;
  const char event = 0;  // only its address counts
  abi::Dependences all(its.span().size() + 1);
  for (const task::Dependence& one : its.span()) all.add(one.address, one.access);
  all.add(&event, Access::kOut);
  tasking::generate(member, task, all.span(), false);
  const task::Dependence end{&event, Access::kIn};
  tasking::wait_for_dependences(member, std::span(&end, 1));
}

// Makes the tasks that GOMP_task() has not run as plain calls. Whatever is called from here gets copies of the
// arguments, none gets their address: so they stay where they came, in registers and in the caller's frame.
[[gnu::always_inline]] inline void generate(Member& member, const Call& call) {
  if (region::is_cancelled(member, region::Construct::kTaskgroup)) return;
  if (tasking::Recording* const recording = tasking::recording_of_all(member)) [[unlikely]]
    add_to(*recording, call);
  const Start start = Starts(member).ask(call.code(), situation_of(member, call));
  const bool at_once = start != Start::kQueued;
  const bool short_cut =
      at_once && !event::is_told_of_all(member.team->icvs);  // a tool is told of real tasks only
  if (short_cut && call.copy == nullptr) {
    if (call.has(gomp::kFinal)) return run_final_on_original(member, call.function, call.data);
    return tasking::run_bare(member, start, call.code(),
                             [function = call.function, data = call.data] { function(data); });
  }
  if (short_cut && gomp::fits_on_stack(call.bytes, call.align) && !call.has(gomp::kFinal))
    return run_on_copy(member, start, call.function,
                       [copy = call.copy, data = call.data](void* room) { copy(room, data); });
  Task& task = gomp::make_task(member, call.function, call.data, call.copy, call.bytes, call.align,
                               call.flags, call.priority, call.event);
  Starts(member).give_level(task);
  if (task.is(Task::kWatched)) [[unlikely]]
    tell_created(member, task, call);
  if (at_once)
    tasking::run_at_once(member, start, task);
  else if (call.has(gomp::kDetach) && is_undeferred(member, call))
    generate_and_await(member, task, call.dependences());
  else if (call.has(gomp::kDepend))
    tasking::generate(member, task, call.dependences().span(), call.deferred());
  else if (task.vertex != nullptr)
    tasking::generate(member, task, {}, call.deferred());
  else
    tasking::spawn(member, task);
}

// The functions below have GOMP_task's arguments as they are: a record of them would be written for each
// tiny task, in GOMP_task's frame.
[[gnu::noinline]] void generate_by(Function function, void* data, gomp::Copy copy, long bytes,
                                   long align, bool deferrable, unsigned flags, void** depend,
                                   int priority, void* event) {
  generate(region::me(),
           {function, data, copy, bytes, align, deferrable, flags, depend, priority, event});
}

[[gnu::noinline]] void run_tiny(Member& member, Function function, void* data) {
  tasking::run_tiny(member, [=] { function(data); });
}

// After GOMP_task's own short way, the one for tiny tasks. It only decides: so it saves few registers.
[[gnu::noinline]] void call_or_generate(Function function, void* data, gomp::Copy copy, long bytes,
                                        long align, bool deferrable, unsigned flags, void** depend,
                                        int priority, void* event) {
  if (Member* const member = team::self) [[likely]] {
    Starts starts(*member);
    starts.note_level(VICINO_FRAME());
    if (deferrable && (flags & kLong) == 0 && is_simple(*member, copy) &&
        starts.is_tiny_call(code_of(function)))
      return run_tiny(*member, function, data);
  }
  asm("" : "+m"(flags), "+m"(depend), "+m"(priority), "+m"(event));  // as in GOMP_task()
  generate_by(function, data, copy, bytes, align, deferrable, flags, depend, priority, event);
}

[[gnu::noinline, gnu::cold]] void call_watched(Function function, void* data, gomp::Copy copy,
                                               long bytes, long align, bool deferrable,
                                               unsigned flags, void** depend, int priority,
                                               void* event, const void* address) {
  abi::keep_caller(address, VICINO_FRAME());
  call_or_generate(function, data, copy, bytes, align, deferrable, flags, depend, priority, event);
}

}  // namespace

VICINO_API void GOMP_task(Function function, void* data, void (*copy)(void*, void*), long bytes,
                          long align, bool deferrable, unsigned flags, void** depend, int priority,
                          void* event) {
  Member* const member = team::self;
  if (member != nullptr && copy == nullptr && (flags & kLong) == 0 &&
      member->team->icvs.is_plain() && !member->tasks.standing.has_child()) {
    const auto body = [=] { function(data); };
    if (deferrable) [[likely]] {
      if (Starts(*member).takes_free_call()) return tasking::run_bare_next(*member, body);
    } else if (member->tasks.recording == nullptr) {
      return tasking::run_bare_next(*member, body);
    }
  }
  // The arguments stay in memory, and what follows is a function of its own: so the way above has
  // registers to spare. Clang would read them for both functions at once, were the two lines the same.
  if (ompt::is_watched()) [[unlikely]] {
    asm("# watched" : "+m"(flags), "+m"(depend), "+m"(priority), "+m"(event));
    return call_watched(function, data, copy, bytes, align, deferrable, flags, depend, priority,
                        event, __builtin_return_address(0));
  }
  asm("" : "+m"(flags), "+m"(depend), "+m"(priority), "+m"(event));
  call_or_generate(function, data, copy, bytes, align, deferrable, flags, depend, priority, event);
}

VICINO_API void GOMP_taskwait() { VICINO_EITHER(abi::watched_taskwait(), void(abi::taskwait())); }
void gomp::wait_for(void** depend) {
  Member& member = region::me();
  abi::Dependences all = dependences_of(depend);
  if (ompt::is_watched()) [[unlikely]]
    return abi::watched_wait_for(member, all);
  tasking::record_wait_for(member, all.span());
  tasking::wait_for_dependences(member, all.span());
}
VICINO_API void GOMP_taskwait_depend(void** depend) {
  VICINO_WATCHED();
  gomp::wait_for(depend);
}
// A taskwait with the nowait clause.
VICINO_API void GOMP_taskwait_depend_nowait(void** depend) {
  Member& member = region::me();
  abi::Dependences all = dependences_of(depend);
  if (tasking::Recording* const recording = tasking::recording_of(member)) [[unlikely]]
    recording->add(all.span(), true, [] { return nullptr; });
  tasking::order_by_dependences(member, all.span());
}
VICINO_API void GOMP_taskyield() {
  VICINO_EITHER(tasking::yield_to_task(region::me()), tasking::yield_to_task(region::me()));
}
VICINO_API void GOMP_taskgroup_start() {
  VICINO_EITHER(tasking::begin_group(region::me()), tasking::begin_group(region::me()));
}
VICINO_API void GOMP_taskgroup_end() { VICINO_EITHER(abi::end_taskgroup(), abi::end_taskgroup()); }
