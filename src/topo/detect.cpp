// detect.cpp: where a Machine comes from: hwloc, a recorded file, or nothing but CPU numbers.
#include <errno.h>
#include <sched.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <utility>

#include "base/say.hpp"
#include "topo/hwloc_reader.hpp"
#include "topo/machine.hpp"
#include "topo/quota.hpp"

namespace vicino::topo {
namespace {

// A pointer, so that nothing has to be constructed or destroyed with the library.
const std::string* recorded_path = nullptr;

// The mask of the initial thread: the one that asks first may be some thread that the program has
// already bound.
CpuSet affinity_of_process() {
  constexpr size_t kMostWords = CpuSet::kMaxCpus / 64;
  for (size_t words = 16; words <= kMostWords; words *= 2) {
    std::vector<unsigned long> mask(words);
    auto* const set = reinterpret_cast<cpu_set_t*>(mask.data());
    if (sched_getaffinity(getpid(), words * sizeof(mask[0]), set) == 0)
      return CpuSet::from_kernel(mask);
    if (errno != EINVAL) break;  // EINVAL: the kernel's masks are longer
  }
  return {};
}

CpuSet any_cpus() {
  const CpuSet cpus = affinity_of_process();
  return cpus.empty() ? CpuSet::of(0) : cpus;
}

// hwloc obeys the environment, down to the folder that it loads plugins from: in a set-user-id
// program whoever starts it would choose the code that it runs.
bool may_use_hwloc() { return getauxval(AT_SECURE) == 0; }

Machine detect() {
  if (!may_use_hwloc()) return Machine::flat(any_cpus());
  if (recorded_path) {
    Result<Machine> machine = Machine::from_xml(*recorded_path);
    if (machine) return *std::move(machine);
    say("%s; the machine is taken as it is", machine.error().c_str());
  }
  const Topology topology = load_topology();
  const bool here = topology && is_this_system(topology.get());
  Result<Hardware> hardware = Error{"hwloc cannot read this machine"};
  if (topology)
    hardware = read_hardware(topology.get(), here ? any_cpus() : allowed_cpus(topology.get()));
  if (!hardware) {
    say("%s; taken as one node without shared caches", hardware.error().c_str());
    return Machine::flat(any_cpus());
  }
  hardware->recorded = !here;
  if (here) hardware->quota_cpus = read_quota();
  return Machine(*std::move(hardware));
}

}  // namespace

const Machine& Machine::here() {
  static const Machine* const machine = new Machine(detect());
  return *machine;
}

void Machine::use_recorded(std::string path) { recorded_path = new std::string(std::move(path)); }

Result<Machine> Machine::from_xml(const std::string& path) {
  const Topology topology = load_topology(path);
  if (!topology) return Error{"\"" + path + "\" is no machine that hwloc can read"};
  return from_hwloc(topology.get(), allowed_cpus(topology.get()));
}

Result<Machine> Machine::from_hwloc(hwloc_topology* topology, const CpuSet& allowed) {
  Result<Hardware> hardware = read_hardware(topology, allowed);
  if (!hardware) return Error{hardware.error()};
  hardware->recorded = true;
  return Machine(*std::move(hardware));
}

Machine Machine::flat(const CpuSet& cpus) {
  Hardware hardware;
  cpus.for_each([&](int cpu) {
    const int i = static_cast<int>(hardware.pus.size());
    hardware.pus.push_back(
        {.os_index = cpu, .core = i, .cache_group = i, .node = 0, .package = 0, .kind = 0});
  });
  hardware.node_os = {-1};
  hardware.package_os = {-1};
  hardware.online = cpus;
  hardware.quota_cpus = read_quota();
  return Machine(std::move(hardware));
}

}  // namespace vicino::topo
