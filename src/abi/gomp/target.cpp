// target.cpp: GCC's target constructs.
//
// A target region gets the addresses of its variables. The host's own memory is the device's, so the
// addresses stay, and only firstprivate variables are copied. A deferred region is a task with its
// own copy of the addresses.
#include "region/target.hpp"

#include <string.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <new>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/gomp/task.hpp"
#include "base/say.hpp"
#include "event/target.hpp"
#include "region/cancel.hpp"
#include "region/roots.hpp"
#include "tasking/dependences.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/worker.hpp"

using namespace vicino;
using gomp::Function;
using team::Member;
using team::Task;

namespace {

// Device numbers of the ABI that no user sees.
constexpr int kOfIcv = -1;         // no device clause
constexpr int kHostFallback = -2;  // an if clause that is false, or the host by name

void need_device(const char* construct, int device) {
  if (device == kHostFallback) return;
  region::need_device(construct, device == kOfIcv ? region::default_device() : device);
}

enum TargetFlag : unsigned { kNowait = 1 << 0 };

// The arguments of teams and thread_limit clauses: a list that ends with a null pointer. An entry
// has a device, a kind, and either its value or a mark that the next entry is the value.
namespace argument {
constexpr intptr_t kDevices = 0x7f;  // 0: the value is for every device
constexpr intptr_t kValueFollows = 1 << 7;
constexpr intptr_t kKinds = 0xff00;
constexpr intptr_t kThreadLimit = 2 << 8;
constexpr int kValueShift = 16;
}  // namespace argument

// 0: there is no limit.
int thread_limit_of(void* const* list) {
  if (list == nullptr) return 0;
  while (*list != nullptr) {
    const auto entry = reinterpret_cast<intptr_t>(*list++);
    const bool apart = (entry & argument::kValueFollows) != 0;
    const intptr_t value =
        apart ? reinterpret_cast<intptr_t>(*list++) : entry >> argument::kValueShift;
    if ((entry & argument::kDevices) == 0 && (entry & argument::kKinds) == argument::kThreadLimit)
      return static_cast<int>(std::clamp<intptr_t>(value, 0, INT_MAX));
  }
  return 0;
}

// The variables of a construct. The low byte of a kind says how the variable is mapped, the high
// byte has the binary logarithm of its alignment.
struct Variables {
  size_t count;
  void** addresses;
  const size_t* bytes;
  const uint16_t* kinds;

  static constexpr unsigned kMapKind = 0xff, kFirstprivate = 12, kAttach = 0x50;  // GOMP_MAP_*

  bool is(size_t i, unsigned kind) const {
    return i < count && (kinds[i] & kMapKind) == kind;
  }
  // Fortran's optional arguments that are absent have no address.
  bool is_firstprivate(size_t i) const { return is(i, kFirstprivate) && addresses[i] != nullptr; }
  // What follows the data of a firstprivate allocatable array (gfortran 16): the copied descriptor has to lead to the
  // copied data. Its address is that of the descriptor's place in `addresses`, its size the number of words before the
  // pointer.
  bool is_attached(size_t i) const { return is(i, kAttach); }
  uintptr_t align(size_t i) const { return uintptr_t{1} << (kinds[i] >> 8); }
};

// Memory for copies of all firstprivate variables, with the gaps that alignment asks for wherever
// the memory begins.
size_t room_for_private(const Variables& variables) {
  size_t bytes = 0;
  for (size_t i = 0; i < variables.count; ++i)
    if (variables.is_firstprivate(i)) bytes += variables.bytes[i] + variables.align(i) - 1;
  return bytes;
}

// Copies the firstprivate variables to `room`, and puts their new addresses into `addresses`, which may be those of
// `variables`. An entry that leads to no place in their list is left alone.
void copy_private(const Variables& variables, char* room, void** addresses) {
  for (size_t i = 0; i < variables.count; ++i) {
    if (!variables.is_firstprivate(i)) continue;
    void* const copy = gomp::align_up(room, variables.align(i));
    memcpy(copy, variables.addresses[i], variables.bytes[i]);
    addresses[i] = copy;
    room = static_cast<char*>(copy) + variables.bytes[i];
    if (!variables.is_attached(i + 1)) continue;
    const auto before = reinterpret_cast<uintptr_t>(variables.addresses[i + 1]) -
                        reinterpret_cast<uintptr_t>(variables.addresses);
    if (const size_t place = before / sizeof(void*); place < i)
      static_cast<void**>(addresses[place])[variables.bytes[i + 1]] = copy;
  }
}

void run_now(Function function, const Variables& variables, int thread_limit) {
  char few[256];
  const size_t bytes = room_for_private(variables);
  const std::unique_ptr<char[]> many(bytes > sizeof few ? new (std::nothrow) char[bytes] : nullptr);
  if (bytes > sizeof few && many == nullptr)
    die("out of memory for a target region with %zu bytes of firstprivate data", bytes);
  copy_private(variables, many == nullptr ? few : many.get(), variables.addresses);
  const event::Target told(ompt::Target::kRegion, region::kHostDevice);
  region::run_target(gomp::plain_call(function, variables.addresses), thread_limit);
}

// The data of a target task; the addresses follow, then the firstprivate copies.
struct TargetTask {
  Function function;
  int thread_limit;
  bool nowait;

  void** addresses() { return reinterpret_cast<void**>(this + 1); }
};
static_assert(sizeof(TargetTask) % alignof(void*) == 0);

void run_task(void* data) {
  auto& target = *static_cast<TargetTask*>(data);
  const event::Target told(ompt::Target::kRegion, region::kHostDevice, target.nowait);
  region::run_target(gomp::plain_call(target.function, target.addresses()), target.thread_limit);
}

Task& make_target_task(Member& member, Function function, const Variables& variables,
                       int thread_limit, bool nowait) {
  const size_t addresses_bytes = variables.count * sizeof(void*);
  const size_t bytes = sizeof(TargetTask) + addresses_bytes + room_for_private(variables);
  Task& task = gomp::make_task(member, run_task, static_cast<long>(bytes), 1, 0, 0);
  auto* const target = new (task.data) TargetTask{function, thread_limit, nowait};
  void** const addresses = target->addresses();
  std::copy_n(variables.addresses, variables.count, addresses);
  copy_private(variables, reinterpret_cast<char*>(addresses + variables.count), addresses);
  return task;
}

void target(Function function, const Variables& variables, bool nowait, void** depend,
            int thread_limit) {
  Member& member = region::me();
  const bool ordered = depend != nullptr && !tasking::has_no_order(member);
  const bool at_once = !nowait || tasking::runs_at_once(member);
  if (at_once && !ordered) return run_now(function, variables, thread_limit);
  if (region::is_cancelled(member, region::Construct::kTaskgroup)) return;
  tasking::refuse_to_record(member, "it has a target region");
  Task& task = make_target_task(member, function, variables, thread_limit, nowait);
  if (depend != nullptr)
    tasking::generate(member, task, gomp::dependences_of(depend).span(), nowait);
  else
    tasking::spawn(member, task);
}

// The region of a data construct is nothing to the runtime. A tool is told of its two ends.
void begin_data(int device) {
  need_device("target data", device);
  const event::Target told(ompt::Target::kEnterData, region::kHostDevice);
}

// A construct that moves data has none to move here. It still has its place in the order of the
// tasks.
void move_data(ompt::Target kind, void** depend, bool nowait) {
  const event::Target told(kind, region::kHostDevice, nowait);
  if (depend == nullptr) return;
  if (region::is_cancelled(region::me(), region::Construct::kTaskgroup)) return;
  if (nowait)
    GOMP_taskwait_depend_nowait(depend);
  else
    gomp::wait_for(depend);
}

}  // namespace

VICINO_API void GOMP_target_ext(int device, Function function, size_t count, void** addresses,
                                size_t* bytes, unsigned short* kinds, unsigned flags, void** depend,
                                void** arguments) {
  VICINO_WATCHED();
  need_device("target", device);
  target(function, {count, addresses, bytes, kinds}, (flags & kNowait) != 0, depend,
         thread_limit_of(arguments));
}
VICINO_API void GOMP_target_data_ext(int device, size_t, void**, size_t*, unsigned short*) {
  VICINO_WATCHED();
  begin_data(device);
}
VICINO_API void GOMP_target_end_data() {
  VICINO_WATCHED();
  const event::Target told(ompt::Target::kExitData, region::kHostDevice);
}
VICINO_API void GOMP_target_update_ext(int device, size_t, void**, size_t*, unsigned short*,
                                       unsigned flags, void** depend) {
  VICINO_WATCHED();
  need_device("target update", device);
  move_data(ompt::Target::kUpdate, depend, (flags & kNowait) != 0);
}
VICINO_API void GOMP_target_enter_exit_data(int device, size_t, void**, size_t*, unsigned short*,
                                            unsigned flags, void** depend) {
  constexpr unsigned kExit = 1 << 1;
  VICINO_WATCHED();
  const bool exits = (flags & kExit) != 0;
  need_device(exits ? "target exit data" : "target enter data", device);
  move_data(exits ? ompt::Target::kExitData : ompt::Target::kEnterData, depend,
            (flags & kNowait) != 0);
}

// The forms of old compilers, before OpenMP 4.5 had firstprivate variables and target tasks.
VICINO_API void GOMP_target(int device, Function function, const void*, size_t, void** addresses,
                            size_t*, unsigned char*) {
  VICINO_WATCHED();
  need_device("target", device);
  const event::Target told(ompt::Target::kRegion, region::kHostDevice);
  region::run_target(gomp::plain_call(function, addresses), 0);
}
VICINO_API void GOMP_target_data(int device, const void*, size_t, void**, size_t*, unsigned char*) {
  VICINO_WATCHED();
  begin_data(device);
}
VICINO_API void GOMP_target_update(int device, const void*, size_t, void**, size_t*,
                                   unsigned char*) {
  VICINO_WATCHED();
  need_device("target update", device);
  const event::Target told(ompt::Target::kUpdate, region::kHostDevice);
}

// A program hands over its code for devices as it is loaded. No device will ask for it.
VICINO_API void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
VICINO_API void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
VICINO_API void GOMP_offload_register(const void*, int, const void*) {}
VICINO_API void GOMP_offload_unregister(const void*, int, const void*) {}

// The interop construct: objects that are made, used and destroyed. Without devices every object is
// omp_interop_none, so there is nothing to wait for but the tasks of a depend clause.
VICINO_API void GOMP_interop(int device, int made_count, uintptr_t** made, const void*, const void*,
                             int, const uintptr_t*, int destroyed_count, uintptr_t** destroyed,
                             unsigned flags, void** depend) {
  VICINO_WATCHED();
  if (made_count > 0) need_device("interop", device);
  for (int i = 0; i < made_count; ++i) *made[i] = 0;
  for (int i = 0; i < destroyed_count; ++i) *destroyed[i] = 0;
  if (depend == nullptr) return;
  if ((flags & kNowait) != 0)
    GOMP_taskwait_depend_nowait(depend);
  else
    gomp::wait_for(depend);
}
// The address of a host's function is the device's, too.
VICINO_API void* GOMP_target_map_indirect_ptr(void* function) { return function; }
