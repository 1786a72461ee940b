// detect.cpp: where a Machine comes from (/sys, a recorded file, or CPU numbers alone), and which
// part of it this process may use.
#include <sys/auxv.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/first_made.hpp"
#include "base/quote.hpp"
#include "base/say.hpp"
#include "topo/allowance.hpp"
#include "topo/hw_subset.hpp"
#include "topo/machine.hpp"
#include "topo/process_mask.hpp"
#include "topo/quota.hpp"
#include "topo/rank_share.hpp"
#include "topo/recorded.hpp"
#include "topo/sysfs_reader.hpp"

namespace vicino::topo {
namespace {

// Pointers, so that nothing has to be constructed or destroyed with the library.
const std::string* recorded_path = nullptr;
const std::string* subset_text = nullptr;

// Set while the library is loaded, if the settings are read later.
void (*before_looking)() = nullptr;
void ask_first() {
  if (before_looking != nullptr) before_looking();
}

// In a set-user-id program the user who starts it would choose the file that is read and the code
// that reads it.
bool asks_for_recorded() { return recorded_path != nullptr && getauxval(AT_SECURE) == 0; }

// The CPUs of the machine that KMP_HW_SUBSET leaves; none if it is not set, or asks for too much.
std::optional<CpuSet> find_subset(const Machine& machine) {
  if (subset_text == nullptr) return std::nullopt;
  const Result<HwSubset> subset = parse_hw_subset(*subset_text);
  Result<CpuSet> cpus = subset ? select(*subset, machine) : Error{subset.error()};
  if (cpus) return *std::move(cpus);
  say("KMP_HW_SUBSET='%s': %s; using all CPUs", printable(*subset_text).c_str(),
      cpus.error().c_str());
  return std::nullopt;
}

// Without KMP_HW_SUBSET if a recorded machine is asked for: then the subset is of that machine, if
// it can be read.
Allowance find_allowance() {
  Quota quota = read_quota();
  Allowance found{
      .cpus = process_mask(), .quota_cpus = quota.cpus, .quota_group = std::move(quota.group)};
  if (std::optional<CpuSet> share = find_share(found.cpus))
    found = {.cpus = *std::move(share),
             .quota_cpus = found.quota_cpus / ranks()->size,
             .quota_group = std::move(found.quota_group),
             .is_share = true};
  if (subset_text == nullptr || asks_for_recorded()) return found;
  if (std::optional<CpuSet> subset = find_subset(Machine(read_sysfs(found.cpus)))) {
    found.cpus = *std::move(subset);
    found.is_subset = true;
  }
  return found;
}

const Allowance& own_allowance() {
  static constinit FirstMade<const Allowance> known;
  return known.get(find_allowance);
}

Machine detect() {
  const Allowance& own = own_allowance();
  Result<Hardware> hardware = Error{};
  if (asks_for_recorded()) {
    hardware = read_recorded(*recorded_path, own.cpus);
    if (!hardware) say("%s; the machine is taken as it is", hardware.error().c_str());
  }
  if (!hardware) hardware = read_sysfs(own.cpus);
  if (!hardware->recorded) hardware->quota_cpus = own.quota_cpus;
  if (asks_for_recorded())
    if (const auto subset = find_subset(Machine(*hardware))) hardware = part_of(*hardware, *subset);
  return Machine(*std::move(hardware));
}

// Where a recorded machine was asked for. If it could not be read, `machine` is this process's own,
// or the part of it that KMP_HW_SUBSET leaves.
Allowance allowance_of(const Machine& machine) {
  const Allowance& own = own_allowance();
  const bool is_own = !machine.recorded();
  return {.cpus = machine.cpus(),
          .quota_cpus = machine.quota_cpus(),
          .recorded = machine.recorded(),
          .is_share = is_own && own.is_share,
          .is_subset = is_own && Machine::has_subset() && machine.cpus() != own.cpus};
}

}  // namespace

const Machine& Machine::here() {
  static constinit FirstMade<const Machine> machine;
  return machine.get([] {
    ask_first();
    return detect();
  });
}

const Allowance& allowance() {
  ask_first();
  if (!asks_for_recorded()) return own_allowance();
  static constinit FirstMade<const Allowance> its;
  return its.get([] { return allowance_of(Machine::here()); });
}

int Allowance::default_team_size() const noexcept {
  return topo::default_team_size(cpus.count(), quota_cpus);
}

int default_team_size(int usable_cpus, double quota_cpus) noexcept {
  if (quota_cpus >= usable_cpus) return usable_cpus;
  return std::max(1, static_cast<int>(round_up(quota_cpus)));
}

void Machine::use_recorded(std::string path) { recorded_path = new std::string(std::move(path)); }
void Machine::use_subset(std::string text) { subset_text = new std::string(std::move(text)); }
void Machine::look_after(void (*ask)()) noexcept { before_looking = ask; }
bool Machine::has_subset() noexcept { return subset_text != nullptr; }

Result<Machine> Machine::from_xml(const std::string& path) {
  Result<Hardware> hardware = read_recorded(path, own_allowance().cpus);
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
  hardware.quota_cpus = read_quota().cpus;
  return Machine(std::move(hardware));
}

}  // namespace vicino::topo
