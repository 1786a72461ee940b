// extensions.cpp: LLVM's own routines besides OpenMP's, called by libraries that were built for
// libomp and libiomp5: how long threads wait, memory, stack size. Each name exists three times: for
// C, for LLVM's C headers (kmpc_), and for Fortran by reference; some exist again for flang's
// integer(8).
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include <algorithm>

#include "abi/api.hpp"
#include "abi/omp/get.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "region/roots.hpp"
#include "team/pool.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"

using namespace vicino;

namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr int kDefaultBlocktime = 200;  // libomp's answer when nothing was set

void set_blocktime(int milliseconds) {
  if (milliseconds < 0) return say("kmp_set_blocktime(%d): negative; ignored", milliseconds);
  team::set_blocktime(static_cast<uint64_t>(milliseconds) * kMillisecond);
}
int get_blocktime() {
  const auto ns = team::blocktime();
  if (!ns) return kDefaultBlocktime;
  return static_cast<int>(std::min<uint64_t>(*ns / kMillisecond, INT_MAX));
}

void set_stacksize(size_t size) {
  if (size == 0) return say("kmp_set_stacksize(0): no stack; ignored");
  team::set_stack_size(size);
}

// kmp_get_library()'s answers. The blocktime sets, or the call site learns, how a thread waits, so
// turnaround and throughput, which differ only in waiting, are one kind of library here. The serial
// kind runs no region on more than one thread.
constexpr int kSerial = 1, kTurnaround = 2, kThroughput = 3;

// 0: the program has set none. Relaxed: it carries no data.
constinit plat::atomic<int> library{0};

int get_library() {
  const int set = library.load(std::memory_order_relaxed);
  if (set != 0) return set;
  return config::settings().wait_policy == config::WaitPolicy::kActive ? kTurnaround : kThroughput;
}
void set_library(int kind) {
  if (kind < kSerial || kind > kThroughput)
    return say(
        "kmp_set_library(%d): the kinds are 1 (serial), 2 (turnaround) and 3 (throughput); "
        "ignored",
        kind);
  const bool was_serial = get_library() == kSerial;
  library.store(kind, std::memory_order_relaxed);
  if (kind == kSerial)
    region::writable_icvs_now().max_active_levels = 0;
  else if (was_serial)
    region::writable_icvs_now().max_active_levels = config::settings().max_active_levels;
}

// Vicino's loops need no buffers: each waits for the loop before the last to end.
void set_dispatch_buffers(int count) {
  if (count < 1) say("kmp_set_disp_num_buffers(%d): not positive; ignored", count);
}

void* aligned(size_t size, size_t alignment) {
  void* memory = nullptr;
  const int error = posix_memalign(&memory, std::max(alignment, sizeof(void*)), size);
  if (error != 0) errno = error;
  return error == 0 ? memory : nullptr;
}

}  // namespace

VICINO_API void kmp_set_blocktime(int milliseconds) { set_blocktime(milliseconds); }
VICINO_API void kmpc_set_blocktime(int milliseconds) { set_blocktime(milliseconds); }
VICINO_API void kmp_set_blocktime_(const int* milliseconds) { set_blocktime(*milliseconds); }
VICINO_INTEGER8(void, set_blocktime, set_blocktime)
VICINO_API int kmp_get_blocktime() { return get_blocktime(); }
VICINO_API int kmp_get_blocktime_() { return get_blocktime(); }

VICINO_API void kmp_set_warnings_on() { set_warnings(true); }
VICINO_API void kmp_set_warnings_on_() { set_warnings(true); }
VICINO_API void kmp_set_warnings_off() { set_warnings(false); }
VICINO_API void kmp_set_warnings_off_() { set_warnings(false); }

VICINO_API void kmp_set_stacksize(int size) { set_stacksize(static_cast<size_t>(size)); }
VICINO_API void kmpc_set_stacksize(int size) { set_stacksize(static_cast<size_t>(size)); }
VICINO_API void kmp_set_stacksize_(const int* size) { set_stacksize(static_cast<size_t>(*size)); }
VICINO_INTEGER8(void, set_stacksize, kmp_set_stacksize)
VICINO_API void kmp_set_stacksize_s(size_t size) { set_stacksize(size); }
VICINO_API void kmpc_set_stacksize_s(size_t size) { set_stacksize(size); }
VICINO_API void kmp_set_stacksize_s_(const size_t* size) { set_stacksize(*size); }
VICINO_API int kmp_get_stacksize() { return static_cast<int>(team::stack_size()); }
VICINO_API int kmp_get_stacksize_() { return static_cast<int>(team::stack_size()); }
VICINO_API size_t kmp_get_stacksize_s() { return team::stack_size(); }
VICINO_API size_t kmp_get_stacksize_s_() { return team::stack_size(); }

VICINO_API int kmp_get_library() { return get_library(); }
VICINO_API int kmp_get_library_() { return get_library(); }
VICINO_API void kmp_set_library(int kind) { set_library(kind); }
VICINO_API void kmpc_set_library(int kind) { set_library(kind); }
VICINO_API void kmp_set_library_(const int* kind) { set_library(*kind); }
VICINO_INTEGER8(void, set_library, set_library)
VICINO_API void kmp_set_library_serial() { set_library(kSerial); }
VICINO_API void kmp_set_library_serial_() { set_library(kSerial); }
VICINO_API void kmp_set_library_turnaround() { set_library(kTurnaround); }
VICINO_API void kmp_set_library_turnaround_() { set_library(kTurnaround); }
VICINO_API void kmp_set_library_throughput() { set_library(kThroughput); }
VICINO_API void kmp_set_library_throughput_() { set_library(kThroughput); }

VICINO_API void kmp_set_disp_num_buffers(int count) { set_dispatch_buffers(count); }
VICINO_API void kmpc_set_disp_num_buffers(int count) { set_dispatch_buffers(count); }
VICINO_API void kmp_set_disp_num_buffers_(const int* count) { set_dispatch_buffers(*count); }
VICINO_INTEGER8(void, set_disp_num_buffers, set_dispatch_buffers)

VICINO_API void omp_set_default_device(int number);
VICINO_INTEGER8(void, set_default_device, omp_set_default_device)

VICINO_API int kmp_get_num_known_threads() { return team::Pool::get().known_threads(); }
VICINO_API int kmp_get_num_known_threads_() { return team::Pool::get().known_threads(); }

VICINO_API void* kmp_malloc(size_t size) { return malloc(size); }
VICINO_API void* kmpc_malloc(size_t size) { return malloc(size); }
VICINO_API void* kmp_malloc_(const size_t* size) { return malloc(*size); }
VICINO_API void* kmp_calloc(size_t count, size_t size) { return calloc(count, size); }
VICINO_API void* kmpc_calloc(size_t count, size_t size) { return calloc(count, size); }
VICINO_API void* kmp_calloc_(const size_t* count, const size_t* size) {
  return calloc(*count, *size);
}
VICINO_API void* kmp_realloc(void* memory, size_t size) { return realloc(memory, size); }
VICINO_API void* kmpc_realloc(void* memory, size_t size) { return realloc(memory, size); }
VICINO_API void* kmp_realloc_(void** memory, const size_t* size) { return realloc(*memory, *size); }
VICINO_API void* kmp_aligned_malloc(size_t size, size_t alignment) {
  return aligned(size, alignment);
}
VICINO_API void* kmpc_aligned_malloc(size_t size, size_t alignment) {
  return aligned(size, alignment);
}
VICINO_API void* kmp_aligned_malloc_(const size_t* size, const size_t* alignment) {
  return aligned(*size, *alignment);
}
VICINO_API void kmp_free(void* memory) { free(memory); }
VICINO_API void kmpc_free(void* memory) { free(memory); }
VICINO_API void kmp_free_(void** memory) { free(*memory); }
