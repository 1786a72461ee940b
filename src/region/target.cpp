// target.cpp: target constructs on the host.
//
// Relaxed atomics: target-offload-var is a single value, and orders nothing.
#include "region/target.hpp"

#include <algorithm>

#include "base/say.hpp"
#include "config/settings.hpp"
#include "region/fork.hpp"
#include "region/roots.hpp"
#include "tasking/recording.hpp"
#include "team/contention.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using config::TargetOffload;
namespace {

// What the program has set; below 0: the settings hold.
constinit plat::atomic<int> offload_var{-1};

}  // namespace

TargetOffload target_offload() noexcept {
  const int set = offload_var.load(std::memory_order_relaxed);
  return set >= 0 ? static_cast<TargetOffload>(set) : config::settings().target_offload;
}
void set_target_offload(TargetOffload offload) noexcept {
  offload_var.store(static_cast<int>(offload), std::memory_order_relaxed);
}

int default_device(int devices) {
  const int chosen = icvs_now().default_device;
  if (chosen != team::Icvs::kUnsetDevice) return chosen;
  const std::optional<int> asked = config::settings().default_device;
  const bool must_be_device = devices == 0 && target_offload() == TargetOffload::kMandatory;
  return must_be_device && asked != kHostDevice ? kInvalidDevice : asked.value_or(0);
}

void need_device(const char* construct, int device) {
  if (is_host(device)) return;
  if (target_offload() == TargetOffload::kMandatory)
    die("the program asks for a device in a '%s' construct, and OMP_TARGET_OFFLOAD=mandatory "
        "forbids to run it on the host: there is no device (omp_get_num_devices() is 0). %s",
        construct,
        offload_var.load(std::memory_order_relaxed) >= 0
            ? "The program has set this by kmp_set_defaults(); it could set default there"
            : "Unset OMP_TARGET_OFFLOAD, or set it to default");
  if (device == kInvalidDevice)
    die("a '%s' construct names the device omp_invalid_device", construct);
}

void run_target(const team::Call& call, int thread_limit) {
  tasking::refuse_to_record(me(), "it has a target region");
  // A device would not know what the program has set on the host.
  team::Icvs icvs = team::initial_icvs();
  if (thread_limit > 0) icvs.thread_limit = std::min(thread_limit, icvs.thread_limit);
  team::Contention group;
  team::Member& initial = begin_initial(group, icvs);
  call.run(initial, call);
  end_initial();
}

}  // namespace vicino::region
