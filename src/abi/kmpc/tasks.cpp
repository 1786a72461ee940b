// tasks.cpp: LLVM's explicit tasks.
#include "tasking/tasks.hpp"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/dependences.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/task.hpp"
#include "abi/taskwait.hpp"
#include "abi/watched.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "event/sync.hpp"
#include "event/tasks.hpp"
#include "plat/plat.hpp"
#include "region/roots.hpp"
#include "tasking/dependences.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/ready.hpp"
#include "tasking/recording.hpp"

using namespace vicino;
using kmpc::Ident;
using kmpc::KmpTask;
using tasking::Situation;
using tasking::Start;
using team::Member;

// The head of a task as compilers lay it out (kmp_task_t); the data that they append lie behind it,
// then the block of shareds.
struct kmpc::KmpTask {
  void* shareds;
  int32_t (*routine)(int32_t gtid, KmpTask* task);
  int32_t part_id;
  int32_t (*destructors)(int32_t gtid, KmpTask* task);  // if flags has kDestructors
  int32_t priority;                                     // if flags has kPriority
};
static_assert(sizeof(KmpTask) == 40);

namespace {

constexpr int32_t kTied = 0x1;
constexpr int32_t kFinal = 0x2;
constexpr int32_t kDestructors = 0x8;
constexpr int32_t kProxy = 0x10;
constexpr int32_t kPriority = 0x20;
constexpr int32_t kForPool = 0x80;  // threadset(omp_pool)
// The transparent clause. clang sets it whatever the clause's value is, and passes the value
// nowhere. So the task imports and exports, which orders no task less than any other value does.
constexpr int32_t kTransparent = 0x100;

// The runtime's data before a KmpTask. It lies behind the record, or begins a block of its own if
// the task is large.
struct alignas(16) Header {
  team::Task* memory;  // of the record; its origin is known, the rest only if it is made
  uint32_t bytes;      // the size of this header, the KmpTask and all that follows it
  bool has_destructors;
  bool apart : 1;      // not in the record's memory
  bool proxy : 1;      // it ends when it is told so, too: __kmpc_proxy_task_completed()
  bool is_made : 1;    // the record; a task that is a call needs none
  uint8_t state = 0;   // of State
  bool again = false;  // an untied task gave back its continuation

  enum State : uint8_t {
    kRunning = 1,                     // it runs or has run
    kWatched = team::Task::kWatched,  // a tool is to be told of it
  };
  bool running() const noexcept { return (state & kRunning) != 0; }

  team::Task& record() noexcept {
    if (!is_made) make_record();
    return *memory;
  }
  [[gnu::noinline]] void make_record() noexcept;
  KmpTask* task() noexcept { return reinterpret_cast<KmpTask*>(this + 1); }
  static Header& of(KmpTask* task) noexcept { return reinterpret_cast<Header*>(task)[-1]; }
  static Header& of(const team::Task& record) noexcept {
    return *static_cast<Header*>(record.data);
  }
};
static_assert(sizeof(Header) == 16);

// A proxy's completion is told by the address of its KmpTask, maybe after its body has ended; the
// record is there until both have come. Where the KmpTask is apart from the record, the two are
// counted in front of the header, and the last one frees the memory.
struct alignas(Header) ProxyParts {
  plat::atomic<uint32_t> to_come{2};
};
ProxyParts& parts_of(Header& header) noexcept { return reinterpret_cast<ProxyParts*>(&header)[-1]; }

// acq_rel (P1): the one that comes last frees what the first one has read and written; pairs with
// itself.
void free_apart(Header& header) {
  if (!header.proxy) return free(&header);
  ProxyParts& parts = parts_of(header);
  if (parts.to_come.fetch_sub(1, std::memory_order_acq_rel) == 1) free(&parts);
}

void end(Header& header, int32_t gtid) {
  if (header.has_destructors) header.task()->destructors(gtid, header.task());
  if (header.apart) free_apart(header);
}

// Calls the compiled function from a frame that a tool may ask for (OMPT).
[[gnu::noinline]] void call_watched(team::Task& record, KmpTask* task, int32_t gtid) {
  record.record().frame.exit.pointer = __builtin_frame_address(0);
  task->routine(gtid, task);
  asm volatile("");  // the frame is in use until here
}

[[gnu::cold]] bool run_special_part(team::Task& record, Header& header, int32_t gtid) {
  if (!record.is(team::Task::kDiscarded)) {
    header.state = Header::kRunning;
    header.again = false;
    call_watched(record, header.task(), gtid);
    if (header.again) return false;
  } else if (header.apart && header.proxy) {
    // Its body never ran, so nobody will tell of its completion; no other thread has its address.
    parts_of(header).to_come.store(1, std::memory_order_relaxed);
  }
  end(header, gtid);
  return true;
}

// Runs a part of the task; the last part is the one that does not pass the task to __kmpc_omp_task
// again.
bool run_part(Member& member, team::Task& record) {
  Header& header = Header::of(record);
  const int32_t gtid = member.worker->gtid();
  constexpr int kSpecial = team::Task::kDiscarded | team::Task::kWatched;
  if ((record.flags & kSpecial) != 0) [[unlikely]]
    return run_special_part(record, header, gtid);
  header.state = Header::kRunning;
  header.again = false;
  header.task()->routine(gtid, header.task());
  if (header.again) return false;
  end(header, gtid);
  return true;
}

// A task without a routine represents a taskwait with dependences and nowait.
bool run_nothing(Member& member, team::Task& record) {
  end(Header::of(record), member.worker->gtid());
  return true;
}

// A dependence as compilers lay it out (kmp_depend_info); an omp_depend_t points to such records,
// too.
struct KmpDependence {
  const void* address;
  size_t bytes;  // OpenMP forbids partial overlap: dependences begin together or are disjoint
  uint8_t kind;
};
static_assert(sizeof(KmpDependence) == 24);

// An entry of an affinity clause as compilers lay it out (kmp_task_affinity_info); no flag is in
// use.
struct KmpAffinity {
  const void* address;
  size_t bytes;
  int32_t flags;
};
static_assert(sizeof(KmpAffinity) == 24);

task::Access access_of(const KmpDependence& dependence) {
  using task::Access;
  const bool everywhere = reinterpret_cast<intptr_t>(dependence.address) == -1;
  switch (dependence.kind) {
    case 0x01:
      return Access::kIn;
    case 0x02:
    case 0x03:
      return everywhere ? Access::kMemory : Access::kOut;
    case 0x04:
      return Access::kMutex;
    case 0x08:
      return Access::kSet;
    case 0x80:
      return Access::kMemory;
    default:
      die("a task has a dependence of type %#x: known are 1 (in), 2 (out), 3 (inout), "
          "4 (mutexinoutset), 8 (inoutset), 0x80 (omp_all_memory)",
          dependence.kind);
  }
}

// The dependences of both lists of a call.
abi::Dependences dependences_of(int32_t count, const KmpDependence* list, int32_t more_count,
                                const KmpDependence* more) {
  abi::Dependences all(static_cast<size_t>(count + more_count));
  for (const auto& d : std::span(list, static_cast<size_t>(count)))
    all.add(d.address, access_of(d));
  for (const auto& d : std::span(more, static_cast<size_t>(more_count)))
    all.add(d.address, access_of(d));
  return all;
}

// The compiled code stores the priority in the task after its allocation.
void take_priority(Header& header) {
  team::Task& record = header.record();
  if (record.priority <= 0) return;
  record.priority = std::clamp(header.task()->priority, 0, config::settings().max_task_priority);
}

constexpr size_t kAlign = alignof(Header);

Header* begin_header(team::Task& record, void* memory, size_t bytes, bool has_destructors,
                     bool apart) {
  auto* header = new (memory) Header{.memory = &record,
                                     .bytes = static_cast<uint32_t>(bytes),
                                     .has_destructors = has_destructors,
                                     .apart = apart,
                                     .proxy = false,
                                     .is_made = true};
  header->state = record.flags & Header::kWatched;
  record.body = run_part;
  record.data = header;
  return header;
}

// Allocates a usual task, tied and without clauses, in a region that cannot be cancelled and that no
// tool watches: its record is made when it is needed.
[[gnu::always_inline]] inline Header* allocate_unmade(Member& member, size_t bytes) {
  task::Heap::Origin origin;
  auto* const memory =
      static_cast<team::Task*>(member.worker->records().take(sizeof(team::Task) + bytes, origin));
  memory->set_origin(origin);
  return new (memory + 1) Header{.memory = memory,
                                 .bytes = static_cast<uint32_t>(bytes),
                                 .has_destructors = false,
                                 .apart = false,
                                 .proxy = false,
                                 .is_made = false};
}

// The body of a task whose record is not made, and its end.
[[gnu::always_inline]] inline auto unmade_body(Member& member, Header& header) {
  return [&member, &header] {
    header.state = Header::kRunning;
    header.task()->routine(member.worker->gtid(), header.task());
  };
}
[[gnu::always_inline]] inline void free_unmade(Member& member, Header& header) {
  member.worker->records().give(header.memory, header.memory->origin());
}
[[gnu::always_inline]] inline void run_unmade(Member& member, Header& header,
                                              tasking::Start start) {
  tasking::run_bare(member, start, kmpc::code_of(header.task()), unmade_body(member, header));
  free_unmade(member, header);
}

// Allocates a task that is too large for a record.
[[gnu::noinline]] Header* allocate_apart(Member& member, size_t bytes, uint8_t record_flags,
                                         bool has_destructors, bool proxy) {
  team::Task* const record = tasking::new_task(member, 0, record_flags);
  const size_t before = proxy ? sizeof(ProxyParts) : 0;
  void* const memory = aligned_alloc(kAlign, before + (bytes + kAlign - 1) / kAlign * kAlign);
  if (memory == nullptr) abort();
  if (proxy) new (memory) ProxyParts;
  return begin_header(*record, static_cast<char*>(memory) + before, bytes, has_destructors, true);
}

// Allocates a record with `bytes` for a header and the data behind it; only the header is
// initialised.
[[gnu::always_inline]] inline Header* allocate(Member& member, size_t bytes, uint8_t record_flags,
                                               bool has_destructors, bool proxy = false) {
  team::Task* const record = tasking::new_task(member, bytes, record_flags);
  if (record == nullptr) [[unlikely]]
    return allocate_apart(member, bytes, record_flags, has_destructors, proxy);
  return begin_header(*record, record + 1, bytes, has_destructors, false);
}

// Copies a task that has not begun, of `bytes` without its header.
void copy_data(KmpTask* to, const KmpTask* from, size_t bytes) {
  memcpy(static_cast<void*>(to), from, bytes);
  if (from->shareds != nullptr)
    to->shareds = reinterpret_cast<char*>(to) +
                  (static_cast<const char*>(from->shareds) - reinterpret_cast<const char*>(from));
}

// What the compiler gives with a replayable task; each may be null.
struct Replayable {
  // Makes the task's pointers to what it shares lead to the variables of that execution of the
  // taskgraph construct to which `captures` belongs.
  void (*relocate)(KmpTask* task, void* captures) = nullptr;
  // Constructs the private data of a copy.
  void (*construct)(KmpTask* copy, KmpTask* task, int32_t last) = nullptr;
};

class RecordedTask final : public tasking::RecordedTask {
 public:
  RecordedTask(Header& header, const Replayable& replayable)
      : bytes_(header.bytes - sizeof(Header)),
        flags_(header.record().flags & (team::Task::kFinal | team::Task::kUntied)),
        has_destructors_(header.has_destructors),
        replayable_(replayable),
        memory_(new char[bytes_]) {
    copy(task(), header.task());
  }
  ~RecordedTask() override {
    if (!has_destructors_) return;
    const Member* const member = team::self;
    task()->destructors(member != nullptr ? member->worker->gtid() : 0, task());
  }

  void run(Member& member, void* captures) const override {
    if (task()->routine == nullptr) return;  // a taskwait that does not wait
    if (flags_ == 0 && bytes_ <= kMostOnStack) return run_on_stack(member, captures);
    Header& header = *allocate(member, sizeof(Header) + bytes_, flags_, has_destructors_);
    make_ready(header.task(), captures);
    tasking::run_at_once(member, header.record());
  }

 private:
  static constexpr size_t kMostOnStack = 512;

  KmpTask* task() const noexcept { return reinterpret_cast<KmpTask*>(memory_.get()); }
  void copy(KmpTask* to, KmpTask* from) const {
    copy_data(to, from, bytes_);
    if (replayable_.construct != nullptr) replayable_.construct(to, from, 0);
  }
  void make_ready(KmpTask* its_copy, void* captures) const {
    copy(its_copy, task());
    if (captures != nullptr && replayable_.relocate != nullptr)
      replayable_.relocate(its_copy, captures);
  }
  void run_on_stack(Member& member, void* captures) const {
    alignas(kAlign) char room[sizeof(Header) + kMostOnStack];
    auto& header = *new (room) Header{.memory = nullptr,
                                      .bytes = static_cast<uint32_t>(sizeof(Header) + bytes_),
                                      .has_destructors = has_destructors_,
                                      .apart = false,
                                      .proxy = false,
                                      .is_made = true,
                                      .state = Header::kRunning};
    make_ready(header.task(), captures);
    const int32_t gtid = member.worker->gtid();
    tasking::run_bare(member, [&] {
      header.task()->routine(gtid, header.task());
      end(header, gtid);
    });
  }

  size_t bytes_;
  uint8_t flags_;
  bool has_destructors_;
  Replayable replayable_;
  std::unique_ptr<char[]> memory_;
};

[[gnu::noinline]] void add_to(tasking::Recording& recording, Header& header,
                              std::span<const task::Dependence> dependences, bool deferred,
                              const Replayable& replayable = {}) {
  if (header.has_destructors && replayable.construct == nullptr)
    return recording.refuse("a task's private data have destructors");
  recording.add(dependences, deferred,
                [&] { return std::make_unique<RecordedTask>(header, replayable); });
}
// Records the task, which the present task generates, if that is being recorded.
[[gnu::always_inline]] inline void record_task(const Member& member, Header& header,
                                               std::span<const task::Dependence> dependences,
                                               bool deferred) {
  if (tasking::Recording* const recording = tasking::recording_of_all(member)) [[unlikely]]
    add_to(*recording, header, dependences, deferred);
}

// Tells a tool of the task.
[[gnu::cold]] void tell_created(Member& member, Header& header, unsigned flags,
                                abi::Dependences dependences) {
  team::Task& record = header.record();
  if (!record.is(team::Task::kWatched)) return;
  kmpc::tell_memory(header.task());
  abi::tell_created(member, record, flags, std::move(dependences));
}

void generate(Member& member, Header& header, std::span<const task::Dependence> dependences) {
  record_task(member, header, dependences, true);
  take_priority(header);
  header.record().function =
      reinterpret_cast<void*>(header.task()->routine);  // tasking/repeated.hpp
  tasking::generate(member, header.record(), dependences, true);
}

// Of a task without dependences. One whose record is made has something that is not usual.
Situation situation_of(Member& member, Header& header) {
  if (!header.is_made) return Situation::kAsked;
  return tasking::goes_to_agents(member, header.record()) ? Situation::kWaits : Situation::kByRoom;
}

// Begins a task without dependences in any other way than __kmpc_omp_task() itself does.
[[gnu::noinline]] void begin(Member& member, Header& header) {
  const void* const code = kmpc::code_of(header.task());
  tasking::Starts starts(member);
  starts.note_level(VICINO_FRAME());
  if (!header.is_made && starts.is_tiny_call(code)) {
    tasking::run_tiny(member, unmade_body(member, header));
    return free_unmade(member, header);
  }
  const Start start = starts.ask(code, situation_of(member, header));
  if (start != Start::kQueued && !header.is_made) return run_unmade(member, header, start);
  team::Task& record = header.record();
  starts.give_level(record);
  if (record.vertex != nullptr) return generate(member, header, {});
  record.function = reinterpret_cast<void*>(header.task()->routine);
  if (start != Start::kQueued) return tasking::run_at_once(member, start, record);
  record_task(member, header, {}, true);
  take_priority(header);
  tasking::spawn(member, record);
}

// How much __kmpc_omp_task_alloc() allocates: a header, the task, and behind it the shareds. These
// begin at the next multiple of a word: flang 21 and newer count on that where they copy a taskloop's
// tasks.
struct TaskSize {
  TaskSize(size_t task, size_t its_shareds)
      : shareds_at((task + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*)),
        shareds(its_shareds) {}
  size_t bytes() const noexcept { return sizeof(Header) + shareds_at + shareds; }

  size_t shareds_at;
  size_t shareds;
};

// The compiled code sets the other fields if the task's flags say that it has them.
[[gnu::always_inline]] inline void begin_task(KmpTask& task, TaskSize size,
                                              int32_t (*routine)(int32_t, KmpTask*)) {
  task.shareds = size.shareds > 0 ? reinterpret_cast<char*>(&task) + size.shareds_at : nullptr;
  task.routine = routine;
  task.part_id = 0;
}

void* make_event(Member& member, team::Task& record) {
  tasking::refuse_to_record(member, "a task has the detach clause");
  return tasking::make_event(member, record);
}

[[gnu::noinline]] KmpTask* allocate_unusual(int32_t flags, TaskSize size,
                                            int32_t (*routine)(int32_t, KmpTask*)) {
  const auto record_flags = static_cast<uint8_t>((flags & kFinal ? team::Task::kFinal : 0) |
                                                 (flags & kTied ? 0 : team::Task::kUntied));
  const bool has_destructors = (flags & kDestructors) != 0, proxy = (flags & kProxy) != 0;
  Member& member = region::me();
  Header& header = *allocate(member, size.bytes(), record_flags, has_destructors, proxy);
  KmpTask* const task = header.task();
  *task = {};
  begin_task(*task, size, routine);
  team::Task& record = header.record();
  if (proxy) {
    header.proxy = true;
    make_event(member, record);
  }
  if ((flags & kTransparent) != 0) {
    tasking::refuse_to_record(member, "a task has the transparent clause");
    tasking::make_transparent(member, record, {});
  }
  const bool is_urgent = (flags & kPriority) != 0 && config::settings().max_task_priority > 0;
  if (is_urgent)
    record.priority = 1;  // it has a clause; take_priority() reads the value when it is stored
  else if ((flags & kForPool) != 0)
    record.priority = team::Task::kForAgents;
  if (routine == nullptr) record.body = run_nothing;
  return task;
}

void Header::make_record() noexcept {
  const task::Heap::Origin origin = memory->origin();
  team::Task& record = tasking::make_task(memory, origin, region::me().task(), 0);
  record.flags &= static_cast<uint8_t>(~team::Task::kWatched);  // the tool has ended meanwhile
  record.body = run_part;
  record.data = this;
  is_made = true;
}

}  // namespace

team::Task& kmpc::record_of(KmpTask* task) noexcept { return Header::of(task).record(); }

void kmpc::tell_memory(KmpTask* task) noexcept {
  ompt::TaskRecord& record = record_of(task).record();
  record.memory = task;
  record.memory_size = Header::of(task).bytes - sizeof(Header);
}

const void* kmpc::code_of(const KmpTask* task) noexcept {
  return reinterpret_cast<const void*>(task->routine);
}

KmpTask* kmpc::copy_of(Member& member, KmpTask* task) {
  constexpr uint8_t kKept = team::Task::kFinal | team::Task::kUntied;
  Header& from = Header::of(task);
  KmpTask* const copy =
      allocate(member, from.bytes, from.record().flags & kKept, from.has_destructors)->task();
  copy_data(copy, task, from.bytes - sizeof(Header));
  Header::of(copy).record().priority = from.record().priority;
  if (tasking::is_importing(from.record()))
    tasking::make_transparent(member, Header::of(copy).record(), {});
  take_priority(Header::of(copy));
  return copy;
}

void kmpc::destroy(Member& member, KmpTask* task) noexcept {
  team::Task& record = record_of(task);
  end(Header::of(task), member.worker->gtid());
  tasking::discard_vertex(member, record);
  tasking::discard(member, record);
}

VICINO_API KmpTask* __kmpc_omp_task_alloc(Ident*, int32_t, int32_t flags, size_t task_size,
                                          size_t shareds_size,
                                          int32_t (*routine)(int32_t, KmpTask*)) {
  const TaskSize size(task_size, shareds_size);
  constexpr int32_t kUnusual = kFinal | kDestructors | kProxy | kPriority | kForPool | kTransparent;
  if (team::self == nullptr || !team::self->team->icvs.is_plain() ||
      (flags & (kTied | kUnusual)) != kTied || routine == nullptr ||
      sizeof(team::Task) + size.bytes() > task::Heap::kSmall) [[unlikely]]
    return allocate_unusual(flags, size, routine);
  KmpTask* const task = allocate_unmade(*team::self, size.bytes())->task();
  begin_task(*task, size, routine);
  return task;
}

namespace {

// Whether a running task passes itself: this is the end of one of its parts.
bool gives_back(Header& header) {
  header.again = header.running();
  return header.again;
}

}  // namespace

VICINO_API int32_t __kmpc_omp_task(Ident*, int32_t, KmpTask* task) {
  Header& header = Header::of(task);
  if (header.state != 0) [[unlikely]] {
    if (gives_back(header)) return 0;
    if (VICINO_WATCHED()) tell_created(region::me(), header, 0, abi::Dependences(0));
  }
  Member& member = region::me();
  if (header.is_made || member.tasks.standing.has_child() ||
      !tasking::Starts(member).takes_free_call()) {
    begin(member, header);
    return 0;
  }
  tasking::run_bare_next(member, unmade_body(member, header));
  free_unmade(member, header);
  return 0;
}
VICINO_API int32_t __kmpc_omp_task_with_deps(Ident*, int32_t, KmpTask* task, int32_t count,
                                             const KmpDependence* list, int32_t more_count,
                                             const KmpDependence* more) {
  Header& header = Header::of(task);
  if (header.state != 0) [[unlikely]] {
    if (gives_back(header)) return 0;
    if (VICINO_WATCHED())
      tell_created(region::me(), header, 0, dependences_of(count, list, more_count, more));
  }
  Member& member = region::me();
  team::Task& record = header.record();
  if (tasking::runs_at_once(member) && tasking::has_no_order(member) && record.vertex == nullptr &&
      record.priority >= 0)
    tasking::run_at_once(member, record);
  else
    generate(member, header, dependences_of(count, list, more_count, more).span());
  return 0;
}

namespace {

void record_replayable(Member& member, Header& header,
                       std::span<const task::Dependence> dependences,
                       const Replayable& replayable) {
  tasking::Recording* const recording = tasking::recording_of(member);
  // What records every task records this one, too, where it is generated.
  if (recording == nullptr || recording->takes_all()) return;
  if (header.task()->shareds != nullptr && replayable.relocate == nullptr)
    return recording->refuse("nothing tells where the variables are that a task shares");
  add_to(*recording, header, dependences, true, replayable);
}

}  // namespace

// A replayable task; `list` has its dependences. Its flags and sizes are those of its allocation. The
// name is ours as long as LLVM's is not released: taskgraph.cpp.
VICINO_API int32_t vicino_kmpc_taskgraph_task(Ident* where, int32_t gtid, KmpTask* task, int32_t,
                                              size_t, size_t, int32_t count,
                                              const KmpDependence* list,
                                              void (*relocate)(KmpTask*, void*),
                                              void (*construct)(KmpTask*, KmpTask*, int32_t)) {
  Header& header = Header::of(task);
  if (!header.running())
    record_replayable(region::me(), header, dependences_of(count, list, 0, nullptr).span(),
                      {relocate, construct});
  return count > 0 ? __kmpc_omp_task_with_deps(where, gtid, task, count, list, 0, nullptr)
                   : __kmpc_omp_task(where, gtid, task);
}
// The name by which Intel's older compilers queue the parts of untied tasks.
VICINO_API int32_t __kmpc_omp_task_parts(Ident* where, int32_t gtid, KmpTask* task) {
  return __kmpc_omp_task(where, gtid, task);
}
VICINO_API void* __kmpc_task_allow_completion_event(Ident*, int32_t, KmpTask* task) {
  return make_event(region::me(), Header::of(task).record());
}

// A proxy stands for work that goes on elsewhere. Intel's libomptarget tells of its completion, by
// a thread of the team or by any other one ("out of order").
namespace {

void complete_proxy(Header& header) {
  void* const event = tasking::event_of(header.record());
  if (header.apart) free_apart(header);
  tasking::fulfill(event, region::become_root);
}

}  // namespace

VICINO_API void __kmpc_proxy_task_completed(int32_t, KmpTask* task) {
  complete_proxy(Header::of(task));
}
VICINO_API void __kmpc_proxy_task_completed_ooo(KmpTask* task) { complete_proxy(Header::of(task)); }
VICINO_API int32_t __kmpc_omp_reg_task_with_affinity(Ident*, int32_t, KmpTask* task, int32_t count,
                                                     const KmpAffinity* list) {
  const std::span entries(list, static_cast<size_t>(count));
  const auto largest = std::ranges::max_element(entries, {}, &KmpAffinity::bytes);
  if (largest != entries.end())
    tasking::prefer_memory(region::me(), Header::of(task).record(), largest->address);
  return 0;
}

// if(0): the compiled code itself runs the routine between these two calls; if the task is untied,
// it runs only the first part.
namespace {

void begin_if0(Member& member, Header& header) {
  if (header.is_made && tasking::is_importing(header.record())) tasking::wait_for_imports(member);
  if (tasking::Recording* const recording = tasking::recording_of(member)) [[unlikely]] {
    if (recording->takes_all())
      add_to(*recording, header, {}, false);
    else  // it may be a replayable one
      recording->refuse("a task is not deferred");
  }
  header.state |= Header::kRunning;
  team::Task& record = header.record();
  record.function = new tasking::Suspended(tasking::begin_at_once(member, record));
}

// The body is a part of the function that has called the entry point; the frame pointer that this function
// saves first is that function's.
[[gnu::noinline, gnu::cold]] void begin_watched_if0(const void* address, Header& header) {
  void* const frame = *static_cast<void**>(__builtin_frame_address(0));
  Member& member = region::me();
  if (abi::keep_caller(address, VICINO_FRAME()))
    tell_created(member, header, ompt::kUndeferred, abi::Dependences(0));
  begin_if0(member, header);
  event::body_begins(member, header.record());
  header.record().record().frame.exit.pointer = frame;
}

}  // namespace

VICINO_API void __kmpc_omp_task_begin_if0(Ident*, int32_t, KmpTask* task) {
  Header& header = Header::of(task);
  if (header.state != 0) [[unlikely]]
    return begin_watched_if0(__builtin_return_address(0), header);
  begin_if0(region::me(), header);
}
VICINO_API void __kmpc_omp_task_complete_if0(Ident*, int32_t gtid, KmpTask* task) {
  Header& header = Header::of(task);
  while (header.again) {
    header.again = false;
    task->routine(gtid, task);
  }
  team::Task& record = header.record();
  const auto* outer = static_cast<tasking::Suspended*>(record.function);
  if (record.is(team::Task::kWatched)) [[unlikely]]
    event::body_ends(record, tasking::status_of(region::me(), record, true));
  end(header, gtid);
  tasking::end_at_once(region::me(), record, *outer);
  delete outer;
}

VICINO_API void __kmpc_omp_wait_deps(Ident*, int32_t, int32_t count, const KmpDependence* list,
                                     int32_t more_count, const KmpDependence* more) {
  Member& member = region::me();
  abi::Dependences all = dependences_of(count, list, more_count, more);
  if (VICINO_WATCHED()) return abi::watched_wait_for(member, all);
  tasking::record_wait_for(member, all.span());
  tasking::wait_for_dependences(member, all.span());
}
VICINO_API void __kmpc_omp_taskwait_deps_51(Ident*, int32_t, int32_t count,
                                            const KmpDependence* list, int32_t more_count,
                                            const KmpDependence* more, int32_t nowait) {
  abi::Dependences all = dependences_of(count, list, more_count, more);
  Member& member = region::me();
  if (nowait) {
    if (tasking::Recording* const recording = tasking::recording_of(member)) [[unlikely]]
      recording->add(all.span(), true, [] { return nullptr; });
    return tasking::order_by_dependences(member, all.span());
  }
  if (VICINO_WATCHED()) return abi::watched_wait_for(member, all);
  tasking::record_wait_for(member, all.span());
  tasking::wait_for_dependences(member, all.span());
}
VICINO_API int32_t __kmpc_omp_taskwait(Ident*, int32_t) {
  VICINO_EITHER((abi::watched_taskwait(), 0), abi::taskwait());
}
VICINO_API int32_t __kmpc_omp_taskyield(Ident*, int32_t, int) {
  VICINO_EITHER((tasking::yield_to_task(region::me()), 0),
                (tasking::yield_to_task(region::me()), 0));
}
VICINO_API void __kmpc_taskgroup(Ident*, int32_t) {
  VICINO_EITHER(tasking::begin_group(region::me()), tasking::begin_group(region::me()));
}
VICINO_API void __kmpc_end_taskgroup(Ident*, int32_t) {
  VICINO_EITHER(abi::end_taskgroup(), abi::end_taskgroup());
}
