// waits.cpp: an OMPT tool that adds up how evenly teams have worked, for `vicino doctor -- program`.
//
// Why    gcc's static loops never call a runtime, and nobody counts clang's. But each ends at a barrier, or at the
//        region's end. What each thread has computed up to there shows how much of the time others wait.
// How    Between two barriers each thread's CPU time is added to its team's sums. The last thread to arrive adds
//        these to the place's, before it waits itself: no thread passes a barrier before all have come, so one set of
//        sums for each team is enough. CPU time leaves out what other processes took.
// Cost   two system calls for each thread at each barrier, so times in the run are not the program's own.
// Not    executions in which tasks were made: a barrier runs them.
// See    docs/reference/doctor.md; tools/vicino/doctor_run.cpp reads the file.
//
// Memory order: a team's sums are read by its last thread, which finds by `arrived` that it is the last: its acquire
// (1) pairs with the releases (1) of the others' increments. They are reset before the last thread goes on into the
// barrier, which all others leave after it.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "ompt/records.hpp"

namespace {

using namespace vicino::ompt;

constexpr int kMostThreads = 256, kMostPlaces = 4096;

// All executions that ended at one place of the program.
struct Place {
  const void* address = nullptr;
  const void* function = nullptr;  // that a region runs whose end this is
  uint64_t executions = 0, work_ns = 0, longest_ns = 0;
  uint64_t by_thread[kMostThreads] = {};
  int threads = 0;
  bool is_single = false;
  // The library gave out some loop's iterations: in a block for each thread, or in pieces that threads take as they come.
  // gcc's static loops never ask.
  bool has_blocks = false, has_chunks = false;
  Place* next = nullptr;
};

struct Team {
  const void* address = nullptr;  // of the region
  const void* function = nullptr;
  std::atomic<int> threads{0};  // each member sets it, to the same number
  std::atomic<int> arrived{0};
  std::atomic<bool> has_tasks{false}, has_single{false}, has_blocks{false}, has_chunks{false};
  uint64_t work_ns[kMostThreads] = {};
};

// Of one implicit task; a thread has several where regions are nested.
struct Segment {
  Team* team;
  int number;
  uint64_t began_ns;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
Place* places = nullptr;
int count_of_places = 0;
pid_t process = 0;

uint64_t cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// The caller holds the lock. Null if there are too many.
Place* place_at(const void* address) {
  for (Place* each = places; each != nullptr; each = each->next)
    if (each->address == address) return each;
  if (count_of_places == kMostPlaces) return nullptr;
  auto* const made = new Place;
  ++count_of_places;
  made->address = address;
  made->next = places;
  return places = made;
}

// Of the region that begins next on the thread.
thread_local constinit const void* region_function = nullptr;

void on_region_code(const void* function) { region_function = function; }

void end_execution(Team& team, int threads, const void* address) {
  if (!team.has_tasks.load(std::memory_order_relaxed)) {
    pthread_mutex_lock(&lock);
    if (Place* const place = place_at(address); place != nullptr) {
      ++place->executions;
      if (address == team.address) place->function = team.function;
      place->threads = std::max(place->threads, threads);
      place->is_single |= team.has_single.load(std::memory_order_relaxed);
      place->has_blocks |= team.has_blocks.load(std::memory_order_relaxed);
      place->has_chunks |= team.has_chunks.load(std::memory_order_relaxed);
      uint64_t longest = 0;
      for (int i = 0; i < threads; ++i) {
        place->work_ns += team.work_ns[i];
        place->by_thread[i] += team.work_ns[i];
        longest = std::max(longest, team.work_ns[i]);
      }
      place->longest_ns += longest;
    }
    pthread_mutex_unlock(&lock);
  }
  for (int i = 0; i < threads; ++i) team.work_ns[i] = 0;
  team.has_tasks.store(false, std::memory_order_relaxed);
  team.has_single.store(false, std::memory_order_relaxed);
  team.has_blocks.store(false, std::memory_order_relaxed);
  team.has_chunks.store(false, std::memory_order_relaxed);
  team.arrived.store(0, std::memory_order_relaxed);
}

void on_parallel_begin(Data*, const void*, Data* parallel, unsigned, int, const void* address) {
  auto* const team = new Team;
  team->address = address;
  team->function = region_function;
  region_function = nullptr;
  parallel->pointer = team;
}

void on_parallel_end(Data* parallel, Data*, int, const void*) {
  delete static_cast<Team*>(parallel->pointer);
  parallel->pointer = nullptr;
}

void on_implicit_task(Endpoint endpoint, Data* parallel, Data* task, unsigned threads,
                      unsigned number, int flags) {
  if ((static_cast<unsigned>(flags) & kInitialTask) != 0) return;
  if (endpoint == Endpoint::kEnd) {
    delete static_cast<Segment*>(task->pointer);
    task->pointer = nullptr;
    return;
  }
  auto* const team = parallel == nullptr ? nullptr : static_cast<Team*>(parallel->pointer);
  if (team == nullptr || threads < 2 || threads > kMostThreads) return;
  team->threads.store(static_cast<int>(threads), std::memory_order_relaxed);
  task->pointer = new Segment{team, static_cast<int>(number), cpu_time()};
}

void on_sync_region(Sync kind, Endpoint endpoint, Data*, Data* task, const void* address) {
  const bool is_barrier = kind == Sync::kExplicitBarrier || kind == Sync::kImplementationBarrier ||
                          kind == Sync::kWorkshareBarrier || kind == Sync::kParallelBarrier;
  auto* const segment = task == nullptr ? nullptr : static_cast<Segment*>(task->pointer);
  if (!is_barrier || segment == nullptr) return;
  if (endpoint == Endpoint::kEnd) {
    segment->began_ns = cpu_time();
    return;
  }
  Team& team = *segment->team;
  team.work_ns[segment->number] = cpu_time() - segment->began_ns;
  const int arrived = team.arrived.fetch_add(1, std::memory_order_acq_rel) + 1;  // (1)
  if (const int threads = team.threads.load(std::memory_order_relaxed); arrived == threads)
    // A worker's end of a region is called by no code of the program.
    end_execution(team, threads,
                  kind == Sync::kParallelBarrier || address == nullptr ? team.address : address);
}

void on_work(Work kind, Endpoint endpoint, Data* parallel, Data*, uint64_t, const void*) {
  if (endpoint != Endpoint::kBegin || parallel == nullptr || parallel->pointer == nullptr) return;
  Team& team = *static_cast<Team*>(parallel->pointer);
  if (kind == Work::kSingle) team.has_single.store(true, std::memory_order_relaxed);
  if (kind >= Work::kStaticLoop && kind <= Work::kOtherLoop)
    (kind == Work::kStaticLoop ? team.has_blocks : team.has_chunks)
        .store(true, std::memory_order_relaxed);
}

// Tasks of taskloops come here, too.
void on_task_create(Data* parent, const void*, Data*, int, int, const void*) {
  auto* const segment = parent == nullptr ? nullptr : static_cast<Segment*>(parent->pointer);
  if (segment != nullptr) segment->team->has_tasks.store(true, std::memory_order_relaxed);
}

void write_places() {
  const char* const folder = getenv("DOCTOR_FOLDER");
  if (folder == nullptr || getpid() != process) return;  // a forked child has its parent's sums
  char name[4096];
  snprintf(name, sizeof name, "%s/meetings-%d", folder, static_cast<int>(getpid()));
  FILE* const file = fopen(name, "w");
  if (file == nullptr) return;
  pthread_mutex_lock(&lock);
  for (const Place* each = places; each != nullptr; each = each->next) {
    Dl_info info{};
    const bool known = each->address != nullptr && dladdr(each->address, &info) != 0;
    const auto base = reinterpret_cast<uintptr_t>(known ? info.dli_fbase : nullptr);
    Dl_info of_function{};
    const bool has_function = known && each->function != nullptr &&
                              dladdr(each->function, &of_function) != 0 &&
                              of_function.dli_fbase == info.dli_fbase;
    fprintf(file, "%llx %llx %llu %d %d %llu %llu",
            static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(each->address) - base),
            static_cast<unsigned long long>(
                has_function ? reinterpret_cast<uintptr_t>(each->function) - base : 0),
            static_cast<unsigned long long>(each->executions), each->threads,
            (each->is_single ? 1 : 0) + (each->has_blocks ? 2 : 0) + (each->has_chunks ? 4 : 0),
            static_cast<unsigned long long>(each->work_ns),
            static_cast<unsigned long long>(each->longest_ns));
    for (int i = 0; i < each->threads; ++i)
      fprintf(file, " %llu", static_cast<unsigned long long>(each->by_thread[i]));
    fprintf(file, " %s\n", known && info.dli_fname != nullptr ? info.dli_fname : "?");
  }
  pthread_mutex_unlock(&lock);
  fclose(file);
}

using SetCallback = int (*)(Event, InterfaceFunction);

int start(Lookup lookup, int, Data*) {
  process = getpid();
  const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  set(Event::kParallelBegin, reinterpret_cast<InterfaceFunction>(on_parallel_begin));
  set(Event::kParallelEnd, reinterpret_cast<InterfaceFunction>(on_parallel_end));
  set(Event::kImplicitTask, reinterpret_cast<InterfaceFunction>(on_implicit_task));
  set(Event::kSyncRegion, reinterpret_cast<InterfaceFunction>(on_sync_region));
  set(Event::kWork, reinterpret_cast<InterfaceFunction>(on_work));
  set(Event::kRegionCode, reinterpret_cast<InterfaceFunction>(on_region_code));
  set(Event::kTaskCreate, reinterpret_cast<InterfaceFunction>(on_task_create));
  return 1;
}

void end(Data*) { write_places(); }

}  // namespace

extern "C" [[gnu::visibility("default")]] StartResult* ompt_start_tool(unsigned, const char*) {
  static StartResult result{.initialize = start, .finalize = end, .tool_data = {}};
  return &result;
}
