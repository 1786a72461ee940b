// reductions.cpp: GCC's task reductions.
//
// The compiled code describes a construct's variables in words; the runtime fills in 2, 5 and 6:
//   0 number of variables     1 bytes of one thread's copies of all variables
//   2 alignment; then the address of the copies
//   3 allocator               4 the next such description, or 0
//   5 the runtime's own       6 the end of the copies
// and from word 7 on three words for each variable: its address, its copy's offset, one for the
// runtime. The compiled code then finds its thread's copies, initialises them (they come zeroed)
// and adds them up.
#include "abi/gomp/reductions.hpp"

#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/gomp/region.hpp"
#include "abi/gomp/task.hpp"
#include "base/line.hpp"
#include "base/say.hpp"
#include "event/work.hpp"
#include "region/constructs.hpp"
#include "region/roots.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/recording.hpp"
#include "tasking/reductions.hpp"
#include "tasking/tasks.hpp"
#include "team/construct_memory.hpp"
#include "team/worker.hpp"

using namespace vicino;
using gomp::Function;
using team::Call;
using team::Member;

namespace {

enum Word {
  kCount = 0,
  kBytes = 1,
  kCopies = 2,
  kNext = 4,
  kEnd = 6,
  kFirst = 7,
  kPerVariable = 3
};

uintptr_t* next(const uintptr_t* data) { return reinterpret_cast<uintptr_t*>(data[kNext]); }

// Memory on lines of its own, with the block's address in front of it: aligned_alloc() takes several times what
// malloc() takes for the few bytes that these usually are.
void* zeroed(size_t bytes, size_t align) {
  align = std::max<size_t>(align, kLinePair);
  void* const block = malloc(align + (bytes + kLinePair - 1) / kLinePair * kLinePair);
  if (block == nullptr) die("out of memory for %zu bytes that a team shares", bytes);
  void* const memory = gomp::align_up(static_cast<void**>(block) + 1, align);
  static_cast<void**>(memory)[-1] = block;
  return memset(memory, 0, bytes);
}
void free_zeroed(void* memory) {
  if (memory != nullptr) free(static_cast<void**>(memory)[-1]);
}

size_t bytes_of(const uintptr_t* data, int threads) {
  return static_cast<size_t>(threads) * data[kBytes];
}
void set_copies(uintptr_t* data, void* copies, int threads) {
  data[kCopies] = reinterpret_cast<uintptr_t>(copies);
  data[kEnd] = data[kCopies] + bytes_of(data, threads);
}
void make_copies(uintptr_t* data, int threads) {
  for (; data != nullptr; data = next(data))
    set_copies(data, zeroed(bytes_of(data, threads), data[kCopies]), threads);
}
void free_copies(uintptr_t* data) {
  for (; data != nullptr; data = next(data)) free_zeroed(reinterpret_cast<void*>(data[kCopies]));
}

class GroupReductions : public tasking::Reductions {
 public:
  explicit GroupReductions(uintptr_t* data) : data_(data) {}

  void* find(Member& member, void* item, void** original) override {
    const auto address = reinterpret_cast<uintptr_t>(item);
    for (const uintptr_t* data = data_; data != nullptr; data = next(data)) {
      const uintptr_t* variable = find_in(data, address);
      if (variable == nullptr) continue;
      if (original != nullptr) *original = reinterpret_cast<void*>(variable[0]);
      const uintptr_t mine =
          data[kCopies] + static_cast<uintptr_t>(tasking::place_of(member)) * data[kBytes];
      return reinterpret_cast<void*>(mine + variable[1]);
    }
    return nullptr;
  }
  void finish(Member&) override { delete this; }
  uintptr_t* data() const { return data_; }

 private:
  // Finds a variable by its own address, or by that of any thread's copy.
  static const uintptr_t* find_in(const uintptr_t* data, uintptr_t address) {
    const bool is_copy = data[kCopies] <= address && address < data[kEnd];
    const uintptr_t offset = is_copy ? (address - data[kCopies]) % data[kBytes] : 0;
    const uintptr_t* variable = data + kFirst;
    for (uintptr_t i = 0; i < data[kCount]; ++i, variable += kPerVariable)
      if (is_copy ? variable[1] == offset : variable[0] == address) return variable;
    return nullptr;
  }

  uintptr_t* data_;
};

void reduce_in_group(Member& member, uintptr_t* data) {
  tasking::refuse_to_record(member, "its tasks reduce a variable");
  member.task().inner->reduce(*new GroupReductions(data));
}

// A group for this member's tasks in a construct of the whole team.
void begin_group_of_construct(Member& member, uintptr_t* data) {
  tasking::begin_group(member);
  member.task().inner->flags = team::Group::kOfConstruct;
  reduce_in_group(member, data);
}

void* shared_memory(Member& member, uint64_t generation, uint64_t generations, size_t bytes,
                    size_t align) {
  return member.team->construct_memory->get(
      member.met.shared++, generation, generations,
      [=]() -> team::ConstructMemory::Block { return {zeroed(bytes, align), free_zeroed}; });
}

void end_copies(Member& member) {
  const auto& reductions = static_cast<GroupReductions&>(*member.task().inner->reductions);
  for (const uintptr_t* data = reductions.data(); data != nullptr; data = next(data))
    member.team->construct_memory->end(reinterpret_cast<void*>(data[kCopies]),
                                       team::memory_generation(member));
}

// Runs in each thread at the start of a region that has a reduction clause with the task modifier.
void run_reducing(Member& member, const Call& call) {
  void* data = call.args[0];
  auto* words = *static_cast<uintptr_t**>(data);
  const int threads = member.team->size;
  const uint64_t generation = team::memory_generation(member);
  member.team->construct_memory->get(member.met.shared++, generation, 1,
                                     [=]() -> team::ConstructMemory::Block {
                                       make_copies(words, threads);  // the compiled code frees them
                                       return {words, nullptr};
                                     });
  begin_group_of_construct(member, words);
  reinterpret_cast<Function>(call.function)(data);
  if (member.id == 0) *static_cast<int*>(call.args[1]) = threads;
  tasking::end_group(member);
}

}  // namespace

void gomp::begin_group_reductions(Member& member, uintptr_t* data) {
  make_copies(data, tasking::places_for(member));
  reduce_in_group(member, data);
}

void gomp::mark_unused(uintptr_t* data) { data[kCopies] = 0; }

void gomp::begin_worksharing(Member& member, uintptr_t* reductions, void** memory) {
  const uint64_t generation =
      team::memory_generation(member);  // the same for all blocks of the construct
  if (reductions != nullptr) {
    // A scope may hold barriers and further constructs, so only its end tells how long.
    for (uintptr_t* data = reductions; data != nullptr; data = next(data))
      set_copies(data,
                 shared_memory(member, generation, team::ConstructMemory::kUntilReleased,
                               bytes_of(data, member.team->size), data[kCopies]),
                 member.team->size);
    begin_group_of_construct(member, reductions);
  }
  if (memory != nullptr) {
    // A scan goes on after the loop, with a barrier for each doubling of the distance.
    constexpr uint64_t kGenerations = 64;
    *memory = shared_memory(member, generation, kGenerations, reinterpret_cast<uintptr_t>(*memory),
                            kLine);
  }
}

VICINO_API void GOMP_taskgroup_reduction_register(uintptr_t* data) {
  gomp::begin_group_reductions(region::me(), data);
}
// The compiled code calls this after the group's end.
VICINO_API void GOMP_taskgroup_reduction_unregister(uintptr_t* data) { free_copies(data); }

// Replaces each address by that of the thread's copy. For the first `originals`, the variables' own
// addresses are also stored, behind all `count` addresses.
VICINO_API void GOMP_task_reduction_remap(size_t count, size_t originals, void** addresses) {
  Member& member = region::me();
  for (size_t i = 0; i < count; ++i) {
    void* original;
    void* copy = tasking::find_reduction(member, addresses[i], &original);
    if (copy == nullptr)
      die("a task reduces the variable at %p, which no taskgroup or reduction clause with the task "
          "modifier around it does",
          addresses[i]);
    addresses[i] = copy;
    if (i < originals) addresses[count + i] = original;
  }
}

// Returns the number of threads that the region had.
VICINO_API unsigned GOMP_parallel_reductions(Function function, void* data, unsigned threads,
                                             unsigned flags) {
  VICINO_WATCHED();
  int size = 1;
  region::fork({run_reducing, reinterpret_cast<void*>(function), 2, {data, &size}},
               gomp::request_of(threads, flags));
  return static_cast<unsigned>(size);
}

VICINO_API void GOMP_scope_start(uintptr_t* reductions) {
  if (VICINO_WATCHED()) event::work_begins(ompt::Work::kScope, 1);
  gomp::begin_worksharing(region::me(), reductions, nullptr);
}
// Each member calls this after the construct's barrier; thread 0 has added up the copies, and no member uses them
// when it has passed the barrier here.
VICINO_API void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  VICINO_WATCHED();
  Member& member = region::me();
  if (member.id == 0) end_copies(member);
  tasking::end_group(member);
  if (!cancelled) region::barrier(member);
}
