#include "machine_facts.hpp"

#include <gnu/libc-version.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "base/file.hpp"
#include "say.hpp"
#include "topo/rank_share.hpp"

namespace vicino::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using topo::Level;

double load() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0;
}

std::string levels(const topo::Machine& machine) {
  std::string text;
  for (const auto& [level, noun] :
       {std::pair{Level::kPackage, "package"}, std::pair{Level::kNode, "NUMA node"},
        std::pair{Level::kCacheGroup, "last-level cache"}, std::pair{Level::kCore, "core"},
        std::pair{Level::kThread, "hardware thread"}})
    text += (text.empty() ? "" : ", ") + several(machine.count(level), noun);
  return text;
}

std::string cpus(const topo::Machine& machine) {
  const std::string mine = machine.cpus().to_list(), all = machine.online().to_list();
  return mine == all ? mine : fmt::format("{} (the machine has {})", mine, all);
}

// Of one CPU: "L1 data 32K, L1 instruction 32K, L2 512K, L3 16384K for CPUs 0-7".
std::string caches(int cpu) {
  std::string text;
  for (int i = 0; i < 10; ++i) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu{}/cache/index{}/", cpu, i);
    const std::string level = line_of(folder + "level");
    if (level.empty()) break;
    std::string type = line_of(folder + "type");
    std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
    text +=
        fmt::format("{}L{}{}{} {}", text.empty() ? "" : ", ", level, type == "unified" ? "" : " ",
                    type == "unified" ? "" : type, line_of(folder + "size"));
    if (const std::string sharing = line_of(folder + "shared_cpu_list");
        sharing.find_first_of(",-") != sharing.npos)
      text += fmt::format(" for CPUs {}", sharing);
  }
  return text;
}

std::string memory(const topo::Machine& machine) {
  std::string text;
  for (const topo::Memory& each : machine.memories())
    text += fmt::format("{}node {}: {:.1f} GiB{}{}", text.empty() ? "" : ", ", each.os_index,
                        static_cast<double>(each.bytes) / (1 << 30), each.sort.empty() ? "" : " ",
                        each.sort);
  return text;
}

std::string distances(const topo::Machine& machine) {
  const int nodes = machine.count(Level::kNode);
  if (nodes < 2 || !machine.distances_known()) return "";
  std::string text;
  for (int a = 0; a < nodes; ++a) {
    text += a == 0 ? "" : "; ";
    for (int b = 0; b < nodes; ++b)
      text += fmt::format("{}{}", b == 0 ? "" : " ", machine.distance(a, b));
  }
  return text;
}

bool is_virtual() { return read_file("/proc/cpuinfo").find(" hypervisor") != std::string::npos; }

// Docker, Podman, Apptainer and Singularity, systemd-nspawn and LXC, Kubernetes.
std::string container(const Environment& environment) {
  std::error_code ignored;
  for (const char* variable : {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"})
    if (environment.get(variable)) return variable[0] == 'A' ? "Apptainer" : "Singularity";
  if (environment.get("KUBERNETES_SERVICE_HOST")) return "Kubernetes";
  if (fs::exists("/run/.containerenv", ignored)) return "Podman";
  if (fs::exists("/.dockerenv", ignored)) return "Docker";
  if (const auto kind = environment.get("container"); kind && !kind->empty())
    return std::string(*kind);
  return "none that is known";
}

// What a scheduler of jobs says of this one: SLURM's names without SLURM_, in this order.
std::string slurm_job(const Environment& environment) {
  std::string text;
  for (const char* name : {"JOB_ID", "JOB_PARTITION", "JOB_NUM_NODES", "NTASKS", "CPUS_ON_NODE",
                           "CPUS_PER_TASK", "JOB_CPUS_PER_NODE", "CPU_BIND", "MEM_BIND"}) {
    const auto value = environment.get(std::string("SLURM_") + name);
    if (value && !value->empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, *value);
  }
  return text;
}

std::string quota(const topo::Machine& machine) {
  return std::isfinite(machine.quota_cpus()) ? fmt::format("{:.2f} CPUs", machine.quota_cpus())
                                             : "none";
}

}  // namespace

std::string line_of(const std::string& file) {
  std::string text = read_file(file);
  return text.substr(0, text.find('\n'));
}

std::string chosen(const std::string& file) {
  const std::string line = line_of(file);
  const size_t begin = line.find('['), end = line.find(']');
  return begin < end && end != line.npos ? line.substr(begin + 1, end - begin - 1) : line;
}

std::string machine_line() {
  const topo::Machine& machine = topo::Machine::here();
  std::string line =
      fmt::format("{}, {}, {}", machine.name(), several(machine.count(Level::kThread), "CPU"),
                  several(machine.count(Level::kNode), "NUMA node"));
  if (std::isfinite(machine.quota_cpus()))
    line += fmt::format(", quota {:.2g} CPUs", machine.quota_cpus());
  return line + fmt::format(", load {:.1f}", load());
}

json machine_json(const topo::Machine& machine) {
  json result = {{"name", machine.name()},
                 {"default_team_size", machine.default_team_size()},
                 {"default_team_reason", machine.default_team_reason()}};
  for (int level = 0; level < topo::kLevels; ++level) {
    const auto each = static_cast<Level>(level);
    result["counts"][std::string(level_name(each))] = machine.count(each);
  }
  if (std::isfinite(machine.quota_cpus())) result["quota_cpus"] = machine.quota_cpus();
  return result;
}

json machine_json() {
  json result = machine_json(topo::Machine::here());
  utsname system;
  if (uname(&system) == 0) result["kernel"] = fmt::format("{} {}", system.sysname, system.release);
  result["load"] = load();
  if (const topo::Ranks* ranks = topo::ranks())
    result["ranks"] = {{"rank", ranks->rank},
                       {"of", ranks->size},
                       {"launcher", ranks->launcher},
                       {"cpus", topo::Machine::here().cpus().to_list()},
                       {"reason", topo::describe_share()}};
  return result;
}

Facts machine_facts(const Environment& environment) {
  const topo::Machine& machine = topo::Machine::here();
  utsname system{};
  uname(&system);
  const int cpu = machine.pus()[0].os_index;
  const Facts all = {
      {"processor", machine.name()},
      {"usable", levels(machine)},
      {"CPUs", cpus(machine)},
      {"default team", machine.default_team_reason()},
      {"job of SLURM", slurm_job(environment)},
      {"caches", caches(cpu)},
      {"memory", memory(machine)},
      {"distances of nodes", distances(machine)},
      {"kernel", fmt::format("{} {}, {}", system.sysname, system.release, system.machine)},
      {"C library", fmt::format("glibc {}", gnu_get_libc_version())},
      {"virtual machine", is_virtual() ? "yes" : "not known to be one"},
      {"container", container(environment)},
      {"CPU quota", quota(machine)},
      {"clock governor",
       line_of(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", cpu))},
      {"huge pages", chosen("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"balancing of nodes by the kernel", line_of("/proc/sys/kernel/numa_balancing")},
  };
  Facts known;
  std::ranges::copy_if(all, std::back_inserter(known),
                       [](const auto& fact) { return !fact.second.empty(); });
  return known;
}

nlohmann::ordered_json facts_json(const Facts& facts) {
  nlohmann::ordered_json result = machine_json();
  for (const auto& [name, text] : facts) result["facts"][name] = text;
  return result;
}

}  // namespace vicino::cli
