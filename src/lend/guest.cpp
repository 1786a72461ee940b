#include "lend/guest.hpp"

#include "base/cpu_set.hpp"
#include "base/thread_id.hpp"
#include "topo/process_mask.hpp"

namespace vicino::lend {

bool Guest::put(int cpu, int rank, Slot& slot) noexcept {
  rank_ = rank;
  cpu_.store(cpu, std::memory_order_relaxed);
  slot_.store(&slot);
  slot.store(pack(rank, number_.load()));
  if (run(CpuSet::of(cpu))) return true;
  leave_slot();
  return false;
}

void Guest::go_back() noexcept {
  if (is_away()) run(CpuSet::of(cpu()));
}

void Guest::take_home(const CpuSet& share) noexcept {
  leave_slot();
  run(share);
}

void Guest::settle() noexcept {
  number_.store(thread_id());
  if (Slot* const slot = slot_.load()) slot->store(pack(rank_, number_.load()));
  for (int last = kHome; cpu() != last;) {
    last = cpu();
    if (last != kHome) topo::run_on(0, CpuSet::of(last));
  }
}

bool Guest::run(const CpuSet& cpus) const noexcept {
  const auto mask = cpus.to_kernel();
  return pthread_setaffinity_np(thread_, mask.size_bytes(),
                                reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

}  // namespace vicino::lend
