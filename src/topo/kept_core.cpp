#include "topo/kept_core.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>

#include "base/first_made.hpp"
#include "plat/lost_time.hpp"
#include "plat/plat.hpp"

namespace vicino::topo {
namespace {

constexpr int kBits = 64;
// The cores that sleeping threads keep. Relaxed: each bit is won by one RMW, and nothing else goes with it. In a child of
// fork() bits stay set for threads that it does not have; then its threads keep other cores.
constinit std::array<plat::atomic<uint64_t>, CPU_SETSIZE / kBits> kept{};

plat::atomic<uint64_t>& word_of(int core) noexcept {
  return kept[static_cast<size_t>(core / kBits)];
}
uint64_t bit_of(int core) noexcept { return uint64_t{1} << core % kBits; }

bool win(int core) noexcept {
  return (word_of(core).fetch_or(bit_of(core), std::memory_order_relaxed) & bit_of(core)) == 0;
}
void lose(int core) noexcept { word_of(core).fetch_and(~bit_of(core), std::memory_order_relaxed); }

// This core, or the next one of the mask that nobody keeps; -1: there is none. One where no other thread of Vicino's is, if
// there is one: a thread that has ended may seem to be somewhere.
int win_near(int core, const cpu_set_t& mask, int primary) noexcept {
  for (const bool all : {false, true})
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      const int other = (core + i) % CPU_SETSIZE;
      if (other != primary && CPU_ISSET(other, &mask) &&
          (all || plat::is_free_for_this_thread(other)) && win(other))
        return other;
    }
  return -1;
}

cpu_set_t only(int core) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return set;
}

// The offset from a thread's pointer, which glibc has since 2.35. This library may be built with an older one.
std::ptrdiff_t offset_of_words() noexcept {
  static constinit FirstMade<std::ptrdiff_t> offset;
  return offset.get([] {
    const void* const its = dlsym(RTLD_DEFAULT, "__rseq_offset");
    const void* const size = dlsym(RTLD_DEFAULT, "__rseq_size");
    const bool has = its != nullptr && size != nullptr && *static_cast<const unsigned*>(size) != 0;
    return has ? *static_cast<const std::ptrdiff_t*>(its) : 0;
  });
}

}  // namespace

CoreWord core_word() noexcept {
  constexpr size_t kCore = 4;  // of the kernel's struct rseq: its cpu_id
  const std::ptrdiff_t offset = offset_of_words();
  if (offset == 0) return nullptr;
  return reinterpret_cast<CoreWord>(static_cast<char*>(__builtin_thread_pointer()) + offset +
                                    kCore);
}

void KeptCore::keep(CoreWord primary) noexcept {
  const int here = sched_getcpu();
  if (here < 0 || sched_getaffinity(0, sizeof mask_, &mask_) != 0 || CPU_COUNT(&mask_) < 2) return;
  core_ = win_near(here, mask_, primary == nullptr ? -1 : static_cast<int>(*primary));
  if (core_ < 0) return;
  const cpu_set_t own = only(core_);
  if (sched_setaffinity(0, sizeof own, &own) == 0) return;
  lose(core_);
  core_ = -1;
}

void KeptCore::leave() const noexcept {
  const cpu_set_t own = only(core_);
  cpu_set_t now;
  if (sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &own))
    sched_setaffinity(0, sizeof mask_, &mask_);
  lose(core_);
}

}  // namespace vicino::topo
