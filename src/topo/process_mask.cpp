#include "topo/process_mask.hpp"

#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <string_view>

#include "base/first_made.hpp"
#include "topo/recorded.hpp"
#include "topo/sysfs_folder.hpp"

namespace vicino::topo {
namespace {

constexpr size_t kWords = CpuSet::kMaxCpus / 64;
constinit unsigned long early_mask[kWords] = {};
constinit long early_bytes = 0;  // bytes that the kernel filled in; not positive if it refused

// This system call needs nothing of libc: before relocation no function of another library can be
// called. The kernel returns how many bytes it wrote, or a negative error.
__attribute__((no_sanitize("address", "thread", "undefined"))) long read_mask_early() {
#if defined(__x86_64__)
  long result;
  register long size asm("rsi") = sizeof early_mask;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_sched_getaffinity), "D"(0L), "r"(size), "d"(early_mask)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_sched_getaffinity;
  register long first asm("x0") = 0;
  register long size asm("x1") = sizeof early_mask;
  register unsigned long* mask asm("x2") = early_mask;
  asm volatile("svc 0" : "+r"(first) : "r"(number), "r"(size), "r"(mask) : "memory");
  return first;
#else
  return 0;
#endif
}

void nothing() {}

// When the loader relocates the library, it calls this function to learn which function `be_early`
// is. The answer does not matter, but the moment does. A constructor would come too late: the
// loader runs constructors of unrelated libraries in an order of its own, and -z initfirst would
// run all constructors of Vicino before libc's.
extern "C" __attribute__((no_sanitize("address", "thread", "undefined"),
                          used)) void (*vicino_resolve_be_early())() {
  early_bytes = read_mask_early();
  return nothing;
}
[[gnu::ifunc("vicino_resolve_be_early")]] void be_early();

CpuSet read_early() {
  be_early();  // makes the loader resolve it
  if (early_bytes <= 0) return {};
  return CpuSet::from_kernel(
      std::span(early_mask, static_cast<size_t>(early_bytes) / sizeof(long)));
}

bool wants_binding() {
  constexpr std::array kVariables = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY",
                                     "KMP_AFFINITY"};
  return std::ranges::any_of(kVariables,
                             [](const char* name) { return secure_getenv(name) != nullptr; });
}

bool is_runtime(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libgomp") || file.starts_with("libomp") || file.starts_with("libiomp");
}

bool holds_this_code(const dl_phdr_info& object) {
  const auto here = reinterpret_cast<uintptr_t>(&nothing);
  return std::any_of(object.dlpi_phdr, object.dlpi_phdr + object.dlpi_phnum,
                     [&](const auto& header) {
                       return header.p_type == PT_LOAD &&
                              here - object.dlpi_addr - header.p_vaddr < header.p_memsz;
                     });
}

int is_foreign(dl_phdr_info* object, size_t, void*) {
  return static_cast<int>(is_runtime(object->dlpi_name) && !holds_this_code(*object));
}

// A child of fork() could not go through the loader's list if another thread were in it.
bool has_foreign_runtime() {
  hold_reading();
  const bool found = dl_iterate_phdr(is_foreign, nullptr) != 0;
  release_reading();
  return found;
}

struct Masks {
  CpuSet process;
  CpuSet narrowed;  // the initial thread's smaller mask, if another runtime set it; else empty
};

// Where the kernel refuses to tell the mask, as some filters of system calls make it do.
CpuSet online_cpus() {
  const auto online = Folder("/sys/devices/system/cpu").list("online");
  if (online && !online->empty()) return *online;
  return CpuSet::range(0, static_cast<int>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L)));
}

Masks read_masks() {
  CpuSet now = mask_of_thread(getpid());  // the program may have bound the calling thread
  CpuSet early = read_early();
  const bool smaller = early.contains(now) && early != now;
  if (smaller && wants_binding() && has_foreign_runtime())
    return {std::move(early), std::move(now)};
  if (now.empty()) now = online_cpus();
  return {std::move(now), {}};
}

// Once they are known, the initial thread gets its mask back, for threads that it starts inherit it. Not
// earlier: another thread that reads the masks at the same time would not find the smaller one.
const Masks& masks() {
  static constinit FirstMade<const Masks> known;
  // Relaxed: it only keeps others from doing it again.
  static constinit std::atomic<bool> widened{false};
  const Masks& found = known.get(read_masks);
  if (!found.narrowed.empty() && !widened.exchange(true, std::memory_order_relaxed))
    run_on(getpid(), found.process);
  return found;
}

// What the kernel writes of a thread's mask; empty if it refuses.
std::span<const unsigned long> read_mask(pid_t thread,
                                         std::span<unsigned long, kWords> words) noexcept {
  const long bytes = syscall(SYS_sched_getaffinity, thread, words.size_bytes(), words.data());
  return words.first(bytes > 0 ? static_cast<size_t>(bytes) / sizeof words[0] : 0);
}

}  // namespace

CpuSet mask_of_thread(pid_t thread) {
  unsigned long words[kWords];
  return CpuSet::from_kernel(read_mask(thread, words));
}

bool has_mask(pid_t thread, const CpuSet& cpus) noexcept {
  unsigned long words[kWords];
  std::span<const unsigned long> mask = read_mask(thread, words);
  while (!mask.empty() && mask.back() == 0) mask = mask.first(mask.size() - 1);
  return std::ranges::equal(mask, cpus.to_kernel());
}

bool run_on(pid_t thread, const CpuSet& cpus) {
  const auto mask = cpus.to_kernel();
  return sched_setaffinity(thread, mask.size_bytes(),
                           reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

const CpuSet& process_mask() { return masks().process; }

bool bound_by_another_runtime() { return !masks().narrowed.empty(); }

void undo_foreign_binding() {
  if (bound_by_another_runtime() && mask_of_thread(0) == masks().narrowed)
    run_on(0, process_mask());
}

}  // namespace vicino::topo
