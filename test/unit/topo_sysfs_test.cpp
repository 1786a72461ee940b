// The reader of /sys, compared with hwloc on every recorded machine, on random machines and on this
// one; and files that are odd or missing.
#include <gmock/gmock.h>
#include <sched.h>

#include <random>

#include "fake_sysfs.hpp"
#include "topo/identity.hpp"
#include "topo/sysfs_reader.hpp"

namespace vicino::topo {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

CpuSet cpus(std::string_view list) { return *CpuSet::parse_list(list); }

// All that schedulers and users learn about a machine, line by line.
std::string told(const Machine& machine) {
  std::string text = machine.name() + "\nonline " + machine.online().to_list() + "\n";
  const auto add = [&](int number) { text.append(" ").append(std::to_string(number)); };
  for (const Pu& pu : machine.pus()) {
    for (const int number : {pu.os_index, pu.core, pu.cache_group, pu.node, pu.package, pu.kind})
      add(number);
    text += "\n";
  }
  for (const Level level : {Level::kNode, Level::kPackage})
    for (const Domain& domain : machine.domains(level))
      text.append(level_name(level)).append(" ").append(std::to_string(domain.os_index) + "\n");
  for (const Memory& memory : machine.memories()) {
    text += "memory";
    for (const int number : {memory.os_index, static_cast<int>(memory.bytes >> 20), memory.node})
      add(number);
    text.append(" ").append(memory.sort).append("\n");
  }
  const int nodes = machine.count(Level::kNode);
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b) add(static_cast<int>(machine.distance(a, b)));
  return text;
}

Machine by_sysfs(const std::string& root, const CpuSet& allowed) {
  Hardware hardware = read_sysfs(allowed, root);
  hardware.recorded = true;  // so that identities can be compared
  return Machine(std::move(hardware));
}

// hwloc's own reader on the same files.
Machine by_hwloc(const std::string& root, const CpuSet& allowed) {
  setenv("HWLOC_FSROOT", root.c_str(), 1);
  setenv("HWLOC_COMPONENTS", "linux,stop", 1);
  const Topology topology = load_topology();
  unsetenv("HWLOC_FSROOT");
  unsetenv("HWLOC_COMPONENTS");
  Result<Machine> machine = machine_of(topology.get(), allowed);
  EXPECT_TRUE(machine.ok()) << machine.error();
  return *std::move(machine);
}

class RecordedInSysfs : public testing::TestWithParam<std::string> {};

TEST_P(RecordedInSysfs, IsTheSameMachine) {
  const Topology topology = load_topology(std::string(VICINO_MACHINES) + "/" + GetParam() + ".xml");
  ASSERT_TRUE(topology);
  const CpuSet all = allowed_cpus(topology.get());
  const Machine recorded = *machine_of(topology.get(), all);
  const FakeSysfs files(topology.get(), recorded);
  const Machine read = by_sysfs(files.root(), all);
  EXPECT_TRUE(read.check());
  EXPECT_EQ(told(read), told(recorded));
  EXPECT_EQ(identity(read), identity(recorded));
  // The same with every third CPU taken away.
  CpuSet some = all;
  for (int cpu = all.first(); cpu >= 0; cpu = all.next(cpu))
    if (cpu % 3 == 1) some.clear(cpu);
  EXPECT_EQ(told(by_sysfs(files.root(), some)), told(*machine_of(topology.get(), some)));
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(VICINO_MACHINES))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, RecordedInSysfs, testing::ValuesIn(machine_names()),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// A tree of hwloc's in which levels may be missing, with CPUs numbered in any order.
std::string random_machine(std::mt19937& random) {
  const auto some = [&](int most) {
    return std::to_string(1 + static_cast<int>(random() % static_cast<unsigned>(most)));
  };
  const auto maybe = [&](const std::string& text) { return random() % 2 == 0 ? text : ""; };
  const bool node_within = random() % 2 == 0;
  std::string text = "pack:" + some(3) + (node_within ? "" : " [numa(memory=1GiB)]");
  if (node_within) text += " group:" + some(2) + " [numa(memory=1GiB)]";
  text += maybe(" l3:" + some(3)) + maybe(" l2:" + some(2)) + " core:" + some(3) + " pu:" + some(2);
  return text;
}

std::string shuffled_numbers(int count, std::mt19937& random) {
  std::vector<int> numbers(static_cast<size_t>(count));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  std::ranges::shuffle(numbers, random);
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

Topology synthetic(const std::string& description) {
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  EXPECT_EQ(hwloc_topology_set_synthetic(topology, description.c_str()), 0) << description;
  hwloc_topology_load(topology);
  return Topology(topology);
}

CpuSet random_part(const CpuSet& all, std::mt19937& random) {
  CpuSet part = CpuSet::of(all.last());
  all.for_each([&](int cpu) {
    if (random() % 3 != 0) part.set(cpu);
  });
  return part;
}

TEST(Sysfs, IsReadAsHwlocReadsIt) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    const std::string shape = random_machine(random);
    const int count = allowed_cpus(synthetic(shape).get()).count();
    const std::string description = shape + "(indexes=" + shuffled_numbers(count, random) + ")";
    SCOPED_TRACE(description);
    const Topology topology = synthetic(description);
    const CpuSet all = allowed_cpus(topology.get());
    const FakeSysfs files(topology.get(), *machine_of(topology.get(), all));
    for (const CpuSet& part : {all, random_part(all, random)}) {
      const Machine machine = by_sysfs(files.root(), part);
      EXPECT_TRUE(machine.check());
      ASSERT_EQ(told(machine), told(by_hwloc(files.root(), part))) << part.to_list();
    }
  }
}

TEST(Sysfs, ThisMachineIsWhatHwlocSees) {
  const CpuSet& mine = Machine::here().cpus();
  const Topology topology = load_topology();
  ASSERT_TRUE(topology);
  const Machine expected = *machine_of(topology.get(), mine);
  EXPECT_EQ(told(by_sysfs("", mine)), told(expected));
  EXPECT_EQ(identity(by_sysfs("", mine)), identity(expected));
}

class OddSysfs : public testing::Test {
 protected:
  OddSysfs() {
    const Topology topology = synthetic("pack:2 [numa(memory=1GiB)] l3:1 l2:2 core:1 pu:2");
    files_ = std::make_unique<FakeSysfs>(topology.get(), *machine_of(topology.get(), cpus("0-7")));
  }
  Machine read(const std::string& allowed = "0-7") const {
    return by_sysfs(files_->root(), cpus(allowed));
  }
  static std::string shape(const Machine& machine) {
    EXPECT_TRUE(machine.check());
    std::string text;
    for (const Level level : {Level::kPackage, Level::kNode, Level::kCacheGroup, Level::kCore}) {
      text += text.empty() ? "" : " / ";
      for (const Domain& domain : machine.domains(level))
        text += (text.ends_with(' ') || text.empty() ? "" : "|") + domain.cpus.to_list();
    }
    return text;
  }
  std::unique_ptr<FakeSysfs> files_;
};

TEST_F(OddSysfs, IsAsMadeBeforeAnythingIsTakenAway) {
  EXPECT_EQ(shape(read()), "0-3|4-7 / 0-3|4-7 / 0-3|4-7 / 0-1|2-3|4-5|6-7");
}

TEST_F(OddSysfs, WithoutAnyFileIsFlat) {
  const FakeSysfs nothing;
  const Machine machine = by_sysfs(nothing.root(), cpus("2,5"));
  EXPECT_EQ(shape(machine), "2,5 / 2,5 / 2|5 / 2|5");
  EXPECT_EQ(machine.name(), "");
  EXPECT_EQ(machine.online().to_list(), "2,5");
}

TEST_F(OddSysfs, WithoutNodesIsOne) {
  files_->remove("/sys/devices/system/node");
  files_->write("/proc/meminfo", "MemTotal:        2048 kB\nMemFree: 1 kB\n");
  const Machine machine = read();
  EXPECT_EQ(shape(machine), "0-3|4-7 / 0-7 / 0-3|4-7 / 0-1|2-3|4-5|6-7");
  ASSERT_EQ(machine.memories().size(), 1u);
  EXPECT_EQ(machine.memories()[0].bytes, 2048u << 10);
  EXPECT_EQ(machine.domains(Level::kNode)[0].os_index, 0);
}

TEST_F(OddSysfs, WithoutCachesEachCoreIsItsGroup) {
  for (int cpu = 0; cpu < 8; ++cpu) files_->remove(FakeSysfs::cpu(cpu) + "/cache");
  EXPECT_EQ(shape(read()), "0-3|4-7 / 0-3|4-7 / 0-1|2-3|4-5|6-7 / 0-1|2-3|4-5|6-7");
}

TEST_F(OddSysfs, OneSortOfCoreHasNoL3) {
  for (int cpu = 4; cpu < 8; ++cpu) files_->remove(FakeSysfs::cpu(cpu) + "/cache/index2");
  EXPECT_EQ(shape(read()), "0-3|4-7 / 0-3|4-7 / 0-3|4-5|6-7 / 0-1|2-3|4-5|6-7");
}

// A container's /sys has numbers of its own, while the mask has the host's.
TEST_F(OddSysfs, CpusBeyondTheOnlineOnesAreCoresOfTheirOwn) {
  files_->write("/sys/devices/system/cpu/online", "0-1\n");
  const Machine machine = read("0-1,40");
  EXPECT_EQ(machine.cpus().to_list(), "0-1,40");
  EXPECT_EQ(machine.count(Level::kCore), 2);
}

TEST_F(OddSysfs, WhatIsNoListIsNotBelieved) {
  for (const char* text : {"", "x\n", "0-\n", "9999999999\n", "4-7\n"}) {
    files_->write(FakeSysfs::cpu(0) + "/topology/thread_siblings_list", text);
    files_->write(FakeSysfs::cpu(0) + "/topology/physical_package_id", text);
    const Machine machine = read("0");
    EXPECT_EQ(shape(machine), "0 / 0 / 0 / 0") << text;
  }
}

// Some firmware, and emulators on request, put a cache across halves of two packages.
TEST_F(OddSysfs, CachesAcrossPackagesAreNotBelieved) {
  for (int cpu = 0; cpu < 8; ++cpu)
    files_->write(FakeSysfs::cpu(cpu) + "/cache/index2/shared_cpu_list", cpu < 2   ? "0-1\n"
                                                                         : cpu < 6 ? "2-5\n"
                                                                                   : "6-7\n");
  EXPECT_EQ(shape(read()), "0-3|4-7 / 0-3|4-7 / 0-1|2-3|4-5|6-7 / 0-1|2-3|4-5|6-7");
}

TEST_F(OddSysfs, KernelsWithoutPackagesHaveOne) {
  for (int cpu = 0; cpu < 8; ++cpu)
    files_->write(FakeSysfs::cpu(cpu) + "/topology/physical_package_id", "-1\n");
  const Machine machine = read();
  EXPECT_EQ(shape(machine), "0-7 / 0-3|4-7 / 0-3|4-7 / 0-1|2-3|4-5|6-7");
  EXPECT_EQ(machine.domains(Level::kPackage)[0].os_index, -1);
}

TEST_F(OddSysfs, MemoryWithoutCpusIsNearWhatTheFirmwareNames) {
  files_->write("/sys/devices/system/node/online", "0-2\n");
  files_->write(FakeSysfs::node(2) + "/cpulist", "\n");
  files_->write(FakeSysfs::node(2) + "/meminfo", "Node 2 MemTotal: 4096 kB\n");
  files_->write(FakeSysfs::node(0) + "/distance", "10 20 17\n");
  files_->write(FakeSysfs::node(1) + "/distance", "20 10 28\n");
  files_->write(FakeSysfs::node(2) + "/distance", "17 28 10\n");
  EXPECT_EQ(read().memories()[1].os_index, 2);
  EXPECT_EQ(read().memories()[1].node, 0);
  EXPECT_EQ(read().distance(0, 1), 20u);
  // Memory that is equally far from all nodes lies around them and comes last.
  files_->write(FakeSysfs::node(2) + "/distance", "17 17 10\n");
  EXPECT_EQ(read().memories()[2].os_index, 2);
  EXPECT_EQ(read().memories()[2].node, -1);
  files_->write(FakeSysfs::node(2) + "/access0/initiators/node1/cpulist", "4-7\n");
  EXPECT_EQ(read().memories()[2].os_index, 2);
  EXPECT_EQ(read().memories()[2].node, 1);
  EXPECT_EQ(read().memories()[2].bytes, 4096u << 10);
}

std::vector<int> kinds(const Machine& machine) {
  std::vector<int> all;
  for (const Pu& pu : machine.pus()) all.push_back(pu.kind);
  return all;
}

TEST_F(OddSysfs, KindsOfIntelsHybrids) {
  files_->write("/sys/devices/cpu_core/cpus", "0-3\n");
  files_->write("/sys/devices/cpu_atom/cpus", "4-7\n");
  EXPECT_THAT(kinds(read()), ElementsAre(1, 1, 1, 1, 0, 0, 0, 0));
}

TEST_F(OddSysfs, KindsByCapacityOrFrequency) {
  EXPECT_THAT(kinds(read()), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
  const auto each = [&](const std::string& file, auto value) {
    for (int cpu = 0; cpu < 8; ++cpu)
      files_->write(FakeSysfs::cpu(cpu) + "/" + file, std::to_string(value(cpu)) + "\n");
  };
  // A core with a slightly higher clock is not another kind of core.
  each("cpufreq/cpuinfo_max_freq", [](int cpu) { return cpu < 2 ? 5200000 : 5000000; });
  EXPECT_THAT(kinds(read()), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
  each("cpufreq/cpuinfo_max_freq", [](int cpu) { return cpu < 2 ? 5200000 : 3300000; });
  EXPECT_THAT(kinds(read()), ElementsAre(1, 1, 0, 0, 0, 0, 0, 0));
  each("cpu_capacity", [](int cpu) { return cpu < 4 ? 400 : 1024; });
  EXPECT_THAT(kinds(read()), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
}

}  // namespace
}  // namespace vicino::topo
