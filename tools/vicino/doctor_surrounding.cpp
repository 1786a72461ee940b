#include "doctor_surrounding.hpp"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <system_error>
#include <thread>

#include "base/file.hpp"
#include "doctor_variables.hpp"
#include "linked_files.hpp"
#include "machine_facts.hpp"
#include "probe.hpp"
#include "say.hpp"
#include "topo/allowance.hpp"
#include "topo/places.hpp"
#include "topo/process_mask.hpp"
#include "topo/quota.hpp"
#include "topo/rank_share.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

using topo::Level;

uint64_t number_in(std::string_view text) {
  uint64_t value = 0;
  const size_t begin = std::min(text.find_first_of("0123456789"), text.size());
  std::from_chars(text.data() + begin, text.data() + text.size(), value);
  return value;
}

// What follows "name:" in a file of lines such as /proc/PID/status.
std::string field(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    if (!line.starts_with(name) || line.substr(name.size(), 1) != ":") continue;
    line.remove_prefix(name.size() + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return std::string(line);
  }
  return {};
}

CpuSet list_in(const std::string& text) {
  auto set = CpuSet::parse_list(text);
  return set ? *std::move(set) : CpuSet();
}

// --- Who has bound this process ---

// The kernel leaves of any mask the CPUs of the cpuset.
CpuSet obtainable(const CpuSet& online) {
  const CpuSet before = topo::mask_of_thread(0);
  if (before.empty() || !topo::run_on(0, online)) return before.empty() ? online : before;
  CpuSet all = topo::mask_of_thread(0);
  topo::run_on(0, before);
  return all;
}

void find_binder(Surrounding& facts, const std::string& root) {
  int process = getpid();
  for (int levels = 0; levels < 64; ++levels) {
    const std::string status = read_file(fmt::format("{}/proc/{}/status", root, process));
    const int parent = static_cast<int>(number_in(field(status, "PPid")));
    if (parent <= 0) return;
    const std::string its = read_file(fmt::format("{}/proc/{}/status", root, parent));
    if (list_in(field(its, "Cpus_allowed_list")) != facts.cpus) return;
    facts.bound_since = fmt::format("process {} ({})", parent, field(its, "Name"));
    process = parent;
  }
}

// --- Other processes ---

using Ticks = std::map<int, uint64_t>;  // CPU time by process

std::vector<int> processes(const std::string& root) {
  std::vector<int> all;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root + "/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") == name.npos)
      all.push_back(static_cast<int>(number_in(name)));
  }
  return all;
}

// The fields of /proc/PID/stat behind the name, which may hold blanks and brackets.
Ticks ticks_of_all(const std::string& root) {
  Ticks ticks;
  for (const int process : processes(root)) {
    const std::string text = read_file(fmt::format("{}/proc/{}/stat", root, process));
    const size_t bracket = text.rfind(')');
    if (bracket == text.npos) continue;
    std::string_view rest = std::string_view(text).substr(bracket + 1);
    constexpr int kBeforeUserTime = 12;
    for (int i = 0; i < kBeforeUserTime; ++i) take_until(rest, ' ');
    const uint64_t user = number_in(take_until(rest, ' ')),
                   system = number_in(take_until(rest, ' '));
    ticks[process] = user + system;
  }
  return ticks;
}

// The file of an OpenMP runtime that the process has mapped.
std::string mapped_runtime(std::string_view maps) {
  while (!maps.empty()) {
    const std::string_view line = take_until(maps, '\n');
    const size_t slash = line.rfind('/');
    if (slash != line.npos && is_runtime(line.substr(slash + 1)))
      return std::string(line.substr(slash + 1));
  }
  return {};
}

bool has_dynamic(const std::string& environment) {
  for (std::string_view rest = environment; !rest.empty();) {
    const std::string_view entry = take_until(rest, '\0');
    if (entry.starts_with("OMP_DYNAMIC=")) {
      const std::string_view value = entry.substr(entry.find('=') + 1);
      return value == "true" || value == "TRUE" || value == "1" || value == "yes" || value == "on";
    }
  }
  return false;
}

// CPU time that the threads of a process had and waited for, in nanoseconds.
struct Demand {
  double had = 0, waited = 0;
};

Demand demand_of(int process, const std::string& root) {
  Demand demand;
  std::error_code ignored;
  for (const auto& task :
       fs::directory_iterator(fmt::format("{}/proc/{}/task", root, process), ignored)) {
    const std::string text = read_file((task.path() / "schedstat").string());
    std::string_view rest = text;
    demand.had += static_cast<double>(number_in(take_until(rest, ' ')));
    demand.waited += static_cast<double>(number_in(take_until(rest, ' ')));
  }
  return demand;
}

// Seconds that have passed.
double pause(double seconds) {
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The processes that had CPU time meanwhile and have several threads, one of them perhaps OpenMP's.
std::vector<Neighbour> active_processes(const Ticks& before, const Ticks& after,
                                        const std::string& root, int& hidden) {
  std::vector<Neighbour> found;
  for (const auto& [process, ticks] : after) {
    const auto its = before.find(process);
    if (its == before.end() || its->second == ticks || process == getpid()) continue;
    const std::string folder = fmt::format("{}/proc/{}/", root, process);
    const std::string status = read_file(folder + "status");
    const int threads = static_cast<int>(number_in(field(status, "Threads")));
    if (threads < 2) continue;
    const std::string maps = read_file(folder + "maps");
    hidden += maps.empty() ? 1 : 0;
    const std::string runtime = mapped_runtime(maps);
    if (runtime.empty()) continue;
    found.push_back({.process = process,
                     .name = field(status, "Name"),
                     .runtime = runtime,
                     .threads = threads,
                     .cpus = list_in(field(status, "Cpus_allowed_list")),
                     .dynamic = has_dynamic(read_file(folder + "environ"))});
  }
  return found;
}

// On a crowded machine a process has less CPU time than it wants, so both are looked at, but only of the few that
// may matter.
void watch_neighbours(Surrounding& facts, const std::string& root) {
  constexpr double kSeconds = 0.1, kBusy = 0.25;
  const Ticks before = ticks_of_all(root);
  if (before.empty()) {
    facts.not_seen.emplace_back("other processes (/proc)");
    return;
  }
  pause(kSeconds);
  int hidden = 0;
  std::vector<Neighbour> active = active_processes(before, ticks_of_all(root), root, hidden);
  if (hidden > 0)
    facts.not_seen.push_back(
        fmt::format("the libraries of {} at work", several(hidden, "other process")));
  if (active.empty()) return;
  std::map<int, Demand> began;
  for (const Neighbour& each : active) began[each.process] = demand_of(each.process, root);
  const double ns = 1e9 * pause(2 * kSeconds);
  for (Neighbour& each : active) {
    const Demand now = demand_of(each.process, root), then = began[each.process];
    each.uses = std::max(0.0, now.had - then.had) / ns;
    each.waits = std::max(0.0, now.waited - then.waited) / ns;
    if (each.uses + each.waits >= kBusy) facts.neighbours.push_back(each);
  }
}

// --- Memory ---

void find_memory(Surrounding& facts, const topo::Machine& machine, const std::string& root) {
  CpuSet with_memory;  // the machine's nodes
  for (const topo::Memory& each : machine.memories())
    if (each.os_index >= 0) with_memory.set(each.os_index);
  for (const topo::Domain& node : machine.domains(Level::kNode))
    if (node.os_index >= 0 && with_memory.test(node.os_index)) facts.nodes.set(node.os_index);
  if (facts.nodes.empty() || with_memory.count() < 2 || machine.recorded()) return;

  const std::string allowed = field(read_file(root + "/proc/self/status"), "Mems_allowed_list");
  if (allowed.empty())
    facts.not_seen.emplace_back("the cpuset's nodes of memory (/proc/self/status)");
  facts.memory_nodes = allowed.empty() ? with_memory : (list_in(allowed) & with_memory);
  constexpr size_t kWords = 1024 / (8 * sizeof(unsigned long));
  unsigned long mask[kWords] = {};
  int mode = MPOL_DEFAULT;
  constexpr int kPreferredMany = 5;  // not in older headers
  if (root.empty() && syscall(SYS_get_mempolicy, &mode, mask, 8 * sizeof mask, nullptr, 0) != 0)
    facts.not_seen.emplace_back("the memory policy");
  else if (mode == MPOL_BIND || mode == MPOL_PREFERRED || mode == kPreferredMany) {
    if (const CpuSet nodes = CpuSet::from_kernel(mask); !nodes.empty()) {
      facts.memory_nodes &= nodes;
      facts.memory_policy = mode == MPOL_BIND ? "to bind pages" : "to prefer pages";
    }
  }

  if (facts.nodes.count() < 2) return;  // what follows is about pages of several nodes
  const std::string balancing = line_of(root + "/proc/sys/kernel/numa_balancing");
  if (balancing.empty())
    facts.not_seen.emplace_back("whether the kernel balances nodes (/proc/sys/kernel)");
  facts.balancing = number_in(balancing) != 0;
  facts.huge_pages = chosen(root + "/sys/kernel/mm/transparent_hugepage/enabled");
  if (facts.huge_pages.empty()) facts.not_seen.emplace_back("huge pages (/sys/kernel/mm)");
}

void find_clocks(Surrounding& facts, const std::string& root) {
  facts.cpus.for_each([&](int cpu) {
    const std::string folder = fmt::format("{}/sys/devices/system/cpu/cpu{}/cpufreq/", root, cpu);
    Clock clock{.governor = line_of(folder + "scaling_governor"),
                .driver = line_of(folder + "scaling_driver"),
                .lowest = number_in(line_of(folder + "scaling_min_freq")),
                .highest = number_in(line_of(folder + "scaling_max_freq")),
                .possible = number_in(line_of(folder + "cpuinfo_max_freq"))};
    if (clock.governor.empty()) return;
    const auto same = std::ranges::find_if(facts.clocks, [&](const Clock& other) {
      return std::tie(other.governor, other.driver, other.lowest, other.highest, other.possible) ==
             std::tie(clock.governor, clock.driver, clock.lowest, clock.highest, clock.possible);
    });
    if (same != facts.clocks.end()) return same->cpus.set(cpu);
    clock.cpus.set(cpu);
    facts.clocks.push_back(clock);
  });
  if (facts.clocks.empty()) facts.not_seen.emplace_back("the clock's governor");
}

void find_quota(Surrounding& facts) {
  const topo::Allowance& allowed = topo::allowance();
  facts.quota = allowed.quota_cpus;
  facts.quota_group = allowed.quota_group;
  if (facts.quota_group.empty()) return;
  const std::string text = read_file(facts.quota_group + "/cpu.stat");
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_until(rest, '\n');
    if (line.starts_with("nr_periods ")) facts.periods = number_in(line);
    if (line.starts_with("nr_throttled ")) facts.throttled = number_in(line);
  }
}

}  // namespace

void Surrounding::read_settings() {
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables)
    if (name != "KMP_WARNINGS") entries.push_back(fmt::format("{}={}", name, value));
  std::vector<const char*> pointers;
  for (const std::string& entry : entries) pointers.push_back(entry.c_str());
  warnings.clear();
  settings = config::parse(config::Environment(pointers), warnings);
}

int Surrounding::default_team() const {
  return topo::default_team_size(std::max(1, cpus.count()), quota);
}

int Surrounding::team() const {
  const int team = settings.num_threads.empty() ? default_team() : settings.num_threads[0];
  return std::min(team, settings.thread_limit);
}

Surrounding look_around(const Environment& environment, const topo::Machine& machine,
                        const std::string& root) {
  Surrounding facts;
  environment.for_each([&](std::string_view name, std::string_view value) {
    const bool ours = std::ranges::any_of(
        kRuntimePrefixes, [=](std::string_view prefix) { return name.starts_with(prefix); });
    if (ours || !meant_by(name).empty()) facts.variables.emplace_back(name, value);
  });
  facts.read_settings();
  facts.recorded = machine.recorded();
  facts.cpus = machine.cpus();
  facts.obtainable = machine.recorded()            ? machine.online()
                     : topo::allowance().is_subset ? facts.cpus
                                                   : obtainable(machine.online());
  facts.is_rank = topo::ranks() != nullptr;
  if (!facts.settings.places.empty())
    if (const auto places = topo::parse_places(facts.settings.places, machine)) {
      facts.places.emplace();
      for (const CpuSet& place : places->places) *facts.places |= place;
    }
  find_memory(facts, machine, root);
  if (facts.recorded) {
    facts.not_seen.emplace_back(
        "what a recorded machine does not tell: masks, quota, clock, other processes");
    return facts;
  }
  find_quota(facts);
  find_binder(facts, root);
  watch_neighbours(facts, root);
  find_clocks(facts, root);
  return facts;
}

std::vector<LinkedRuntime> linked_runtimes(const fs::path& program,
                                           const Environment& environment) {
  std::vector<LinkedRuntime> found;
  any_linked_file(program, environment, [&](const fs::path& file, const Needs& needs) {
    const bool is_fortran = std::ranges::any_of(
        needs.libraries, [](const std::string& name) { return name.starts_with("libgfortran"); });
    for (const std::string& name : needs.libraries)
      if (is_runtime(name) && std::ranges::count(found, name, &LinkedRuntime::name) == 0)
        found.push_back({name, file.string(), is_fortran});
    return false;
  });
  return found;
}

}  // namespace vicino::cli
