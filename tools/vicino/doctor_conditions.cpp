// doctor_conditions.cpp: conditions of the CPUs, the memory, the clock, and of other processes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "doctor_finding.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

constexpr const char* kCrowdedPage =
    "bench/crowded/performance.json: loop-10us, under a quota of one core";

std::string limit_in_words(const Surrounding& facts) {
  std::string text = fmt::format("CPUs {} may be used", facts.cpus.to_list());
  if (std::isfinite(facts.quota))
    text += fmt::format(", and the quota is {:.3g} CPUs ({})", facts.quota,
                        facts.quota_group.empty() ? "a part of a group's" : facts.quota_group);
  return text;
}

bool quota_is_less(const Surrounding& facts) { return facts.quota < facts.cpus.count(); }

// What the group has suffered from so far, if it has.
void add_throttled(const Surrounding& facts, std::vector<std::string>& seen) {
  if (facts.throttled > 0)
    seen.push_back(fmt::format("the group was stopped in {} of {} periods so far", facts.throttled,
                               facts.periods));
}

// The variable that gave a setting its value, as it is written.
std::string given(const Surrounding& facts, std::string_view setting) {
  for (const auto& [name, value] : facts.variables)
    if (name == setting || name == fmt::format("{}_ALL", setting))
      return fmt::format("{}={}", name, value);
  return std::string(setting);
}

Findings too_many_threads(const Surrounding& facts) {
  const config::Settings& settings = facts.settings;
  if (settings.num_threads.empty() || settings.dynamic) return {};
  const int limit = facts.default_team();
  const int first = settings.num_threads[0];
  // Levels that the settings name; deeper ones are as the last, and most programs have none.
  const size_t levels = std::min(settings.num_threads.size(),
                                 static_cast<size_t>(std::max(settings.max_active_levels, 0)));
  double all = 1;
  for (size_t i = 0; i < levels; ++i) all *= settings.num_threads[i];
  all = std::min(all, static_cast<double>(settings.thread_limit));
  if (all <= limit) return {};
  Finding found;
  found.what = fmt::format("{:.0f} threads are asked for where {} is right.", all,
                           limit == 1 ? "one" : fmt::format("{}", limit));
  found.seen = {given(facts, "OMP_NUM_THREADS"), limit_in_words(facts)};
  if (quota_is_less(facts)) {
    add_throttled(facts, found.seen);
    found.cost =
        "Short loops on four threads under a quota of one CPU took 2.1 to 2.5 times as long on "
        "Vicino as without OpenMP, 2.3 to 5.8 times on libiomp5, libomp and libgomp, and no longer "
        "with OMP_DYNAMIC=true.";
    found.source = kCrowdedPage;
    found.times = 2.1;
  } else {
    found.cost =
        "An empty region of 4 threads on 2 CPUs took 4.1 us on Vicino and 37 us on libgomp; one of "
        "2 threads took 0.16 us and 0.43 us.";
    found.source = "bench/performance.md: more threads than cores; constructs, 2 threads";
    found.times = 1.4;
  }
  found.mend = first <= limit && levels > 1
                   ? fmt::format("export OMP_NUM_THREADS={},{}", first, std::max(1, limit / first))
                   : "unset OMP_NUM_THREADS";
  if (first > limit &&
      facts.variables.end() != std::ranges::find(facts.variables, "OMP_NUM_THREADS_ALL",
                                                 &std::pair<std::string, std::string>::first))
    found.mend += " OMP_NUM_THREADS_ALL";
  return {found};
}

// Polling costs nothing where each thread has a CPU.
Findings polls_for_ever(const Surrounding& facts) {
  const config::Settings& settings = facts.settings;
  const bool polls = settings.blocktime_ns ? *settings.blocktime_ns == config::kForever
                                           : settings.wait_policy == config::WaitPolicy::kActive;
  const int team = facts.team();
  if (!polls || team <= std::min(facts.quota, static_cast<double>(facts.cpus.count()))) return {};
  Finding found;
  found.what = "Threads that wait keep their CPUs, and there are fewer CPUs than threads.";
  for (const char* name :
       {"OMP_WAIT_POLICY", "OMP_WAIT_POLICY_ALL", "KMP_LIBRARY", "KMP_BLOCKTIME", "GOMP_SPINCOUNT"})
    for (const auto& [variable, value] : facts.variables)
      if (variable == name) found.seen.push_back(fmt::format("{}={}", variable, value));
  std::string variables;
  for (const std::string& each : found.seen) variables += " " + each.substr(0, each.find('='));
  found.mend = "unset" + variables;
  found.seen.push_back(fmt::format("{} in a team", several(team, "thread")));
  found.seen.push_back(limit_in_words(facts));
  if (quota_is_less(facts)) add_throttled(facts, found.seen);
  found.cost =
      "Time that one thread polls away is lost to the one it waits for: beside a thread that never "
      "sleeps, loops of 20 us took 1.3 to more than 12 times as long as they had to on libiomp5, "
      "libomp and libgomp.";
  found.source = "bench/crowded/performance.json: loop-20us, beside endless processes";
  found.times = 1.3;
  return {found};
}

Findings one_cpu(const Surrounding& facts) {
  const double others = std::min(facts.quota, static_cast<double>(facts.obtainable.count()));
  if (facts.recorded || facts.is_rank || facts.cpus.count() != 1 || others < 2) return {};
  const auto& asked = facts.settings.num_threads;
  if (!asked.empty() && asked[0] == 1) return {};  // it is meant
  Finding found;
  found.what = "This process may use one CPU only, and passes that on to what it starts.";
  found.seen = {fmt::format("the affinity mask is {}; the machine has CPUs {}",
                            facts.cpus.to_list(), facts.obtainable.to_list())};
  if (!facts.bound_since.empty())
    found.seen.push_back(fmt::format("so it has been since {}", facts.bound_since));
  found.cost = fmt::format(
      "A team has one thread: work that {:.0f} CPUs could share takes up to {:.0f} times as long.",
      others, others);
  found.times = others;
  found.mend = fmt::format("taskset -pc {} $$", facts.obtainable.to_list());
  return {found};
}

Findings few_places(const Surrounding& facts) {
  if (facts.recorded || !facts.places || facts.places->empty()) return {};
  const auto& bind = facts.settings.proc_bind;
  const int team = facts.team(), cpus = facts.places->count();
  if ((!bind.empty() && bind[0] == topo::Bind::kFalse) || team <= cpus || facts.settings.dynamic)
    return {};
  if (team > facts.default_team()) return {};  // told as too many threads
  Finding found;
  found.what =
      fmt::format("A team of {} is bound to {}.", several(team, "thread"), several(cpus, "CPU"));
  for (const auto& [name, value] : facts.variables)
    if (name.starts_with("OMP_PLACES") || name == "GOMP_CPU_AFFINITY" || name == "KMP_AFFINITY")
      found.seen.push_back(fmt::format("{}={}", name, value));
  found.seen.push_back(limit_in_words(facts));
  found.times = static_cast<double>(team) / cpus;
  found.cost = fmt::format(
      "Threads take turns: work that is shared evenly takes {:.2g} times as long.", found.times);
  found.mend = fmt::format("export OMP_NUM_THREADS={}", cpus);
  return {found};
}

// Copies of programs that each start a team of all CPUs.
Findings busy_neighbours(const Surrounding& facts) {
  const config::Settings& settings = facts.settings;
  if (settings.dynamic || facts.is_rank || std::isfinite(facts.quota)) return {};
  double wanted = 0;
  std::vector<std::string> seen;
  for (const Neighbour& each : facts.neighbours) {
    if (!each.cpus.intersects(facts.cpus)) continue;
    wanted += each.uses + each.waits;
    seen.push_back(fmt::format(
        "process {} ({}) has {} and {}, may run on CPUs {}, uses {:.1f} of them and waits for "
        "{:.1f}{}",
        each.process, each.name, each.runtime, several(each.threads, "thread"), each.cpus.to_list(),
        each.uses, each.waits, each.dynamic ? ", with OMP_DYNAMIC=true" : ""));
  }
  const int team = facts.team();
  // Half a CPU is less than a thread that works.
  if (wanted < 0.5 || team + wanted <= facts.cpus.count() + 0.5) return {};
  Finding found;
  found.what = fmt::format(
      "Other programs with OpenMP threads are at work on the CPUs that a team of {} would use.",
      several(team, "thread"));
  found.seen = std::move(seen);
  found.seen.push_back("OMP_DYNAMIC is not true here");
  found.cost =
      "Two to eight copies of a program with loops of 20 us at once took 1.3 to 1.6 times the "
      "least time on Vicino, and hardly more than that time with OMP_DYNAMIC=true; on libgomp more "
      "than 12 times.";
  found.source = "bench/crowded/performance.json: loop-20us, copies at once";
  found.times = 1.3;
  const auto& bind = settings.proc_bind;
  const bool bound = !bind.empty() && bind[0] != topo::Bind::kFalse;
  // A bound team leaves no CPU to others.
  found.mend =
      std::string(bound ? "unset OMP_PROC_BIND OMP_PLACES; " : "") + "export OMP_DYNAMIC=true";
  return {found};
}

Findings memory_on_few_nodes(const Surrounding& facts) {
  if (facts.recorded || facts.memory_nodes.empty() || facts.memory_nodes.contains(facts.nodes))
    return {};
  Finding found;
  const bool policy = !facts.memory_policy.empty();
  found.what = fmt::format("The threads' CPUs are on NUMA {} {}, and their memory on {}.",
                           facts.nodes.count() == 1 ? "node" : "nodes", facts.nodes.to_list(),
                           facts.memory_nodes.to_list());
  found.seen = {
      fmt::format("CPUs {} are on nodes {}", facts.cpus.to_list(), facts.nodes.to_list()),
      policy ? fmt::format("the memory policy is {} on nodes {}", facts.memory_policy,
                           facts.memory_nodes.to_list())
             : fmt::format("the cpuset allows memory of nodes {}", facts.memory_nodes.to_list())};
  found.cost =
      "Programs whose arrays lay on one node of four took 1.3 (radix) to 4.0 (triad) times as "
      "long as with pages on the nodes of the threads that use them, 3.1 times at the median, in "
      "the lab's model.";
  found.source = "bench/pages/performance.md: off, over first touch";
  found.times = 3.1;
  found.mend = policy ? "numactl --localalloc COMMAND"
                      : fmt::format("taskset -c {} COMMAND",
                                    "$(cat /sys/devices/system/node/node" +
                                        std::to_string(facts.memory_nodes.first()) + "/cpulist)");
  return {found};
}

// Both matter only where pages lie on several nodes.
Findings kernel_balances(const Surrounding& facts) {
  if (facts.recorded || facts.nodes.count() < 2 || !facts.balancing) return {};
  return {{.what = "The kernel moves pages and threads between NUMA nodes by itself.",
           .seen = {"/proc/sys/kernel/numa_balancing is 1",
                    fmt::format("CPUs {} are on nodes {}", facts.cpus.to_list(),
                                facts.nodes.to_list())},
           .cost = "It takes minutes, knows no barrier, and moves pages that Vicino or first touch "
                   "has placed. What it costs was not measured.",
           .mend = "sudo sysctl kernel.numa_balancing=0"}};
}

Findings huge_pages(const Surrounding& facts) {
  if (facts.recorded || facts.nodes.count() < 2 || facts.huge_pages != "always") return {};
  return {{.what = "All large arrays get pages of 2 MiB, each on one NUMA node.",
           .seen = {"/sys/kernel/mm/transparent_hugepage/enabled is always",
                    fmt::format("CPUs {} are on nodes {}", facts.cpus.to_list(),
                                facts.nodes.to_list())},
           .cost = "A page lies where its first thread is, so of arrays that have less than some 2 "
                   "MiB for each thread parts lie on other threads' nodes. What it costs was not "
                   "measured; large arrays gain.",
           .mend = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"}};
}

// The drivers that choose by load under this name; the others keep the lowest frequency.
bool saves_power_by_load(const Clock& clock) {
  return clock.driver == "intel_pstate" || clock.driver == "amd-pstate-epp" ||
         clock.driver == "amd_pstate_epp";
}

Findings slow_clock(const Surrounding& facts) {
  Findings found;
  constexpr double kWorth = 1.1;
  for (const Clock& clock : facts.clocks) {
    if (!clock.cpus.intersects(facts.cpus) || clock.possible == 0 || facts.recorded) continue;
    const bool lowest = clock.governor == "powersave" && !saves_power_by_load(clock);
    const uint64_t at_most = lowest ? clock.lowest : clock.highest;
    const auto mhz = [](uint64_t khz) { return static_cast<double>(khz) / 1000; };
    if (at_most == 0 || static_cast<double>(clock.possible) < kWorth * static_cast<double>(at_most))
      continue;
    Finding one;
    one.what = lowest ? "The clock is kept at its lowest frequency."
                      : "The clock's highest frequency is not allowed.";
    one.seen = {fmt::format(
        "CPUs {}: governor {} of driver {}, {:.0f} to {:.0f} MHz; the processor has {:.0f} MHz",
        clock.cpus.to_list(), clock.governor, clock.driver, mhz(clock.lowest), mhz(clock.highest),
        mhz(clock.possible))};
    one.times = static_cast<double>(clock.possible) / static_cast<double>(at_most);
    one.cost = fmt::format(
        "What computes and does not wait for memory takes up to {:.2g} times as long.", one.times);
    one.mend = lowest ? "sudo cpupower frequency-set -g performance"
                      : fmt::format("sudo cpupower frequency-set -u {}kHz", clock.possible);
    found.push_back(one);
  }
  return found;
}

constexpr std::array<Condition, 9> kConditions = {{
    {"one-cpu", one_cpu},
    {"threads", too_many_threads},
    {"places", few_places},
    {"polling", polls_for_ever},
    {"neighbours", busy_neighbours},
    {"memory", memory_on_few_nodes},
    {"clock", slow_clock},
    {"balancing", kernel_balances, true},
    {"huge-pages", huge_pages, true},
}};

}  // namespace

std::span<const Condition> conditions_of_surroundings() { return kConditions; }

Findings findings_of(const Surrounding& facts) {
  Findings all;
  for (const auto& table :
       {conditions_of_surroundings(), conditions_of_variables(), conditions_of_programs()})
    for (const Condition& condition : table)
      for (Finding& found : condition.look(facts)) {
        found.condition = condition.name;
        found.is_note = condition.is_note;
        if (found.mend.find("OMP_DYNAMIC=true") != std::string::npos)
          found.cost +=
              " A program that needs as many threads as it asks for goes wrong with it: add "
              "VICINO_KNOWN=random to try that.";
        all.push_back(std::move(found));
      }
  std::ranges::stable_sort(
      all, {}, [](const Finding& found) { return std::pair(found.is_note, -found.times); });
  return all;
}

}  // namespace vicino::cli
