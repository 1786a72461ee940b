#include "topo/rank_share.hpp"

#include <cmath>
#include <utility>

#include "plat/plat.hpp"
#include "topo/allowance.hpp"
#include "topo/process_mask.hpp"
#include "topo/sysfs_folder.hpp"
#include "topo/sysfs_reader.hpp"

namespace vicino::topo {
namespace {

struct Told {
  Ranks ranks;
  std::string instead;
};
// A pointer, so that nothing has to be constructed or destroyed with the library. It is written
// before any other thread asks.
const Told* told = nullptr;

// Whether a thread has ever been given the share. Relaxed: a thread that has the share's mask has
// set this itself, or was started by one that has.
constinit plat::atomic<bool> is_in_use{false};

// The CPUs that the kernel would let the calling thread have. Empty if it refuses to tell.
CpuSet widest_mask() {
  const CpuSet own = mask_of_thread(0);
  if (own.empty() || !run_on(0, CpuSet::range(0, CpuSet::kMaxCpus))) return {};
  CpuSet widest = mask_of_thread(0);
  run_on(0, own);
  return widest;
}

// Whether nobody has chosen CPUs for the process. Those that the kernel was told to isolate when it
// booted are in the cpuset, but no process gets them unasked.
bool is_free(const CpuSet& mask) {
  const CpuSet widest = widest_mask();
  if (widest.empty()) return false;
  if (mask == widest) return true;
  const auto isolated = Folder("/sys/devices/system/cpu").list("isolated");
  return isolated && mask == widest - *isolated;
}

}  // namespace

void set_ranks(Ranks ranks, std::string instead) {
  told = new Told{std::move(ranks), std::move(instead)};
}

const Ranks* ranks() noexcept { return told != nullptr ? &told->ranks : nullptr; }

std::optional<CpuSet> find_share(const CpuSet& mask) {
  if (told == nullptr || !told->instead.empty() || told->ranks.size == 1 || !is_free(mask))
    return std::nullopt;
  return share_of(Machine(read_sysfs(mask)), told->ranks.rank, told->ranks.size);
}

std::string describe_share() {
  if (told == nullptr) return {};
  const Allowance& own = allowance();
  std::string text = "rank " + std::to_string(told->ranks.rank) + " of " +
                     std::to_string(told->ranks.size) + " on this machine, by " +
                     told->ranks.launcher + ": ";
  if (!told->instead.empty())
    return text + (own.is_subset ? "all CPUs that KMP_HW_SUBSET leaves" : "all CPUs") +
           ", because " + told->instead;
  text += (own.cpus.count() == 1 ? "CPU " : "CPUs ") + own.cpus.to_list();
  if (own.is_subset) text += ", which KMP_HW_SUBSET leaves";
  if (told->ranks.size == 1) return text;
  if (!own.is_share)
    return text + (own.is_subset ? " of those" : ",") + " to which it was bound when it began";
  if (own.is_subset) text += " of its share";
  if (std::isinf(own.quota_cpus)) return text;
  return text + " and 1/" + std::to_string(told->ranks.size) + " of the CPU quota";
}

void enter_share() noexcept {
  if ((told == nullptr || !told->instead.empty()) && !Machine::has_subset()) return;
  const Allowance& own = allowance();
  if (!(own.is_share || own.is_subset) || !has_mask(0, process_mask())) return;
  is_in_use.store(true, std::memory_order_relaxed);
  run_on(0, own.cpus);
}

bool is_share(const CpuSet& mask) noexcept {
  return is_in_use.load(std::memory_order_relaxed) && mask == allowance().cpus;
}

const CpuSet* share_of_caller() noexcept {
  if (!is_in_use.load(std::memory_order_relaxed)) return nullptr;
  const CpuSet& share = allowance().cpus;
  return has_mask(0, share) ? &share : nullptr;
}

bool leave_share() noexcept { return share_of_caller() != nullptr && run_on(0, process_mask()); }

bool is_outside_share(const CpuSet& mask) noexcept {
  return is_in_use.load(std::memory_order_relaxed) && mask == process_mask();
}

}  // namespace vicino::topo
