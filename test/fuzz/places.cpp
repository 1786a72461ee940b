// OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY as far as it gives places, and KMP_HW_SUBSET. The first line says which of
// them the rest is. What is accepted gives CPUs that the machine has.
#include "topo/places.hpp"

#include <array>
#include <optional>

#include "config/affinity.hpp"
#include "config/kmp_affinity.hpp"
#include "target.hpp"
#include "topo/hw_subset.hpp"

using namespace vicino;

namespace {

// Two packages of four nodes with two cores of two threads.
topo::Hardware hardware() {
  topo::Hardware hardware;
  for (int cpu = 0; cpu < 16; ++cpu) {
    hardware.pus.push_back({.os_index = cpu,
                            .core = cpu / 2,
                            .cache_group = cpu / 4,
                            .node = cpu / 4,
                            .package = cpu / 8,
                            .kind = 0});
    hardware.online.set(cpu);
  }
  hardware.node_os = {0, 1, 2, 3};
  hardware.package_os = {0, 1};
  return hardware;
}

std::optional<std::string> places_in(std::string_view kind, std::string_view text) {
  if (kind == "kmp") {
    const auto affinity = config::read_kmp_affinity(text);
    if (!affinity) MUST(fuzz::is_plain(affinity.error()));
    return affinity ? std::optional(affinity->places) : std::nullopt;
  }
  if (kind == "gomp") return config::CpuAffinity::parse(text);
  return std::string(text);
}

void check(const std::string& text, const topo::Machine& machine) {
  const auto list = topo::parse_places(text, machine);
  if (!list) return MUST(fuzz::is_plain(list.error()));
  MUST(list->size() > 0);
  for (const CpuSet& place : list->places) {
    MUST(place.count() > 0);
    for (int cpu = place.first(); cpu >= 0; cpu = place.next(cpu))
      MUST(machine.pu_of(cpu) != nullptr);
  }
  for (const std::string& note : list->notes) MUST(fuzz::is_plain(note));
}

void check_subset(std::string_view text, const topo::Machine& machine) {
  const auto subset = topo::parse_hw_subset(text);
  if (!subset) return MUST(fuzz::is_plain(subset.error()));
  const auto cpus = topo::select(*subset, machine);
  if (!cpus) return MUST(fuzz::is_plain(cpus.error()));
  MUST(!cpus->empty() && machine.cpus().contains(*cpus));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::array kMachines{topo::Machine(hardware()),
                                    topo::Machine::flat(CpuSet::range(0, 3))};
  const std::string_view input = fuzz::text_of(data, size);
  const size_t line = input.find('\n');
  if (line == input.npos) return 0;
  if (input.substr(0, line) == "subset") {
    for (const topo::Machine& machine : kMachines) check_subset(input.substr(line + 1), machine);
    return 0;
  }
  const auto text = places_in(input.substr(0, line), input.substr(line + 1));
  if (!text) return 0;
  for (const topo::Machine& machine : kMachines) check(*text, machine);
  return 0;
}
