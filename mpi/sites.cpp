#include "sites.hpp"

#include <pthread.h>
#include <unistd.h>
#include <unwind.h>

#include "base/thread_id.hpp"

extern "C" void* __libc_stack_end;  // where the first thread's stack begins

namespace vicino::pmpi {
namespace {

constinit Site table[kSites];
constinit Site others;

// A thread's stack begins at its descriptor, which the C library puts at its end.
const char* stack_begin() noexcept {
  thread_local constinit const char* begin = nullptr;
  if (begin == nullptr)
    begin = thread_id() == getpid() ? static_cast<const char*>(__libc_stack_end)
                                    : reinterpret_cast<const char*>(pthread_self());
  return begin;
}

// 0 for a frame on another stack, such as a fiber's: the fibers of one function are then one site.
uint64_t depth_of(const void* frame) noexcept {
  constexpr uint64_t kDeepest = uint64_t{1} << 30;
  const auto depth = static_cast<uint64_t>(stack_begin() - static_cast<const char*>(frame));
  return depth < kDeepest ? depth : 0;
}

uint64_t key_of(const Function& function, const Caller& caller) noexcept {
  uint64_t key = reinterpret_cast<uintptr_t>(caller.address);
  key = (key ^ (key >> 32)) * kGolden;
  key ^= depth_of(caller.frame) * 0xc2b2ae3d27d4eb4fu;
  key ^= reinterpret_cast<uintptr_t>(&function);
  key = (key ^ (key >> 29)) * 0xbf58476d1ce4e5b9u;
  key ^= key >> 32;
  return key != 0 ? key : 1;
}

struct Walk {
  const void* from;
  std::array<const void*, Site::kFrames>* path;
  int found;
};

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const auto address = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  if (walk.found == 0 && address != walk.from) return _URC_NO_REASON;  // still in this layer
  (*walk.path)[static_cast<unsigned>(walk.found++)] = address;
  return walk.found < Site::kFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void describe(Site& site, const Function& function, const Caller& caller) noexcept {
  site.function = &function;
  Walk walk{caller.address, &site.path, 0};
  _Unwind_Backtrace(note_frame, &walk);
  site.path[0] = caller.address;                      // also where the stack cannot be walked
  site.ready.store(true, std::memory_order_release);  // S1
}

Site& find_in_table(const Function& function, const Caller& caller) noexcept {
  constexpr uint64_t kProbes = 64;
  const uint64_t key = key_of(function, caller);
  for (uint64_t i = 0; i < kProbes; ++i) {
    Site& site = table[(key + i) % kSites];
    uint64_t found = site.key.load(std::memory_order_relaxed);
    if (found == key) return site;
    if (found != 0) continue;
    if (site.key.compare_exchange_strong(found, key, std::memory_order_relaxed)) {
      describe(site, function, caller);
      return site;
    }
    if (found == key) return site;
  }
  others.ready.store(true, std::memory_order_release);  // S1
  return others;
}

}  // namespace

void find_site(Recent& recent, const Function& function, Caller caller) noexcept {
  recent = {caller.address, caller.frame, &function, &find_in_table(function, caller)};
}

void for_each_site(void (*visit)(const Site& site, void* data), void* data) {
  for (const Site& site : table)
    if (site.ready.load(std::memory_order_acquire)) visit(site, data);    // S1
  if (others.ready.load(std::memory_order_acquire)) visit(others, data);  // S1
}

}  // namespace vicino::pmpi
