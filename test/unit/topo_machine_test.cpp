// Machines of odd shape, made by hwloc's synthetic topologies, and what limits the part of a
// machine that this process may use.
#include <gmock/gmock.h>
#include <hwloc.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "base/file.hpp"
#include "base/open_file.hpp"
#include "topo/describe.hpp"
#include "topo/hwloc/reader.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::topo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

CpuSet cpus(std::string_view list) { return *CpuSet::parse_list(list); }

Machine synthetic(const char* description, std::string_view allowed = "0-4095",
                  const char* sort_of_first_node = nullptr) {
  hwloc_topology_t topology;
  hwloc_topology_init(&topology);
  EXPECT_EQ(hwloc_topology_set_synthetic(topology, description), 0) << description;
  hwloc_topology_load(topology);
  if (sort_of_first_node)
    hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, 0)->subtype = strdup(sort_of_first_node);
  Result<Machine> machine = machine_of(topology, cpus(allowed));
  EXPECT_TRUE(machine.ok()) << machine.error();
  hwloc_topology_destroy(topology);
  return *std::move(machine);
}

std::vector<std::string> lists(const Machine& machine, Level level) {
  std::vector<std::string> texts;
  for (const Domain& domain : machine.domains(level)) texts.push_back(domain.cpus.to_list());
  return texts;
}

Level parent_level(const Machine& machine, Level level) {
  return machine.domains(level)[0].parent_level;
}

TEST(OddMachine, TwoPackagesInANode) {
  const Machine machine = synthetic("group:2 [numa] pack:2 l2:2 core:1 pu:1");
  EXPECT_TRUE(machine.check());
  EXPECT_THAT(lists(machine, Level::kNode), ElementsAre("0-3", "4-7"));
  EXPECT_THAT(lists(machine, Level::kPackage), ElementsAre("0-1", "2-3", "4-5", "6-7"));
  EXPECT_EQ(parent_level(machine, Level::kPackage), Level::kNode);
  EXPECT_EQ(parent_level(machine, Level::kNode), Level::kMachine);
  EXPECT_EQ(parent_level(machine, Level::kCacheGroup), Level::kPackage);
  EXPECT_EQ(machine.distance(0, 1), 30u);
  EXPECT_EQ(machine.package_of(cpus("0-3")), -1);
  EXPECT_EQ(machine.node_of(cpus("0-3")), 0);
}

TEST(OddMachine, CacheSharedByTwoNodes) {
  const Machine machine = synthetic("pack:2 l3:1 group:2 [numa] core:2 pu:1");
  EXPECT_TRUE(machine.check());
  EXPECT_THAT(lists(machine, Level::kCacheGroup), ElementsAre("0-3", "4-7"));
  EXPECT_THAT(lists(machine, Level::kNode), ElementsAre("0-1", "2-3", "4-5", "6-7"));
  EXPECT_EQ(parent_level(machine, Level::kNode), Level::kCacheGroup);
  EXPECT_EQ(parent_level(machine, Level::kCacheGroup), Level::kPackage);
  EXPECT_THAT(describe(machine), HasSubstr("  cache group 0\n    node 0"));
}

// A package has memory of its own besides its nodes: a thread belongs to the smaller domain.
TEST(OddMachine, MemoryOfAPackageBesideItsNodes) {
  const Machine machine = synthetic("pack:2 [numa(memory=8GiB)] group:2 [numa] core:2 pu:1");
  EXPECT_TRUE(machine.check());
  EXPECT_THAT(lists(machine, Level::kNode), ElementsAre("0-1", "2-3", "4-5", "6-7"));
  EXPECT_EQ(machine.memories().size(), 6u);
}

TEST(OddMachine, PlainMemoryIsTheNodeInWhateverOrder) {
  const Machine machine = synthetic("pack:1 [numa] [numa] core:2 pu:1", "0-1", "HBM");
  ASSERT_EQ(machine.count(Level::kNode), 1);
  EXPECT_EQ(machine.domains(Level::kNode)[0].os_index, 1);
  EXPECT_EQ(machine.memories()[0].sort, "HBM");
  EXPECT_EQ(machine.memories()[0].node, 0);
  const Machine both_plain = synthetic("pack:1 [numa] [numa] core:2 pu:1");
  EXPECT_EQ(both_plain.domains(Level::kNode)[0].os_index, 0);
}

TEST(OddMachine, DistancesByTheTree) {
  const Machine machine = synthetic("pack:2 group:2 [numa] core:1 pu:1");
  EXPECT_FALSE(machine.distances_known());
  EXPECT_EQ(machine.distance(0, 0), 10u);
  EXPECT_EQ(machine.distance(0, 1), 20u);
  EXPECT_EQ(machine.distance(0, 2), 30u);
  EXPECT_THAT(machine.nodes_nearest_first(3), ElementsAre(3, 2, 0, 1));
  EXPECT_THAT(describe(machine), HasSubstr("assumed"));
}

TEST(OddMachine, NodeWithoutMemoryIsADomain) {
  const Machine machine = synthetic("pack:2 [numa(memory=0)] core:2 pu:1");
  EXPECT_EQ(machine.count(Level::kNode), 2);
  EXPECT_THAT(describe(machine), HasSubstr("node 1, no memory"));
}

TEST(OddMachine, NothingIsKnownBelowThePackage) {
  const Machine machine = synthetic("numa:1 pu:3");
  EXPECT_TRUE(machine.check());
  EXPECT_EQ(machine.count(Level::kCore), 3);
  EXPECT_EQ(machine.count(Level::kCacheGroup), 3);
  EXPECT_EQ(machine.count(Level::kPackage), 1);
}

TEST(OddMachine, MoreThan1024Cpus) {
  const Machine machine = synthetic("pack:16 [numa] l3:8 core:16 pu:2");
  EXPECT_TRUE(machine.check());
  EXPECT_EQ(machine.default_team_size(), 4096);
  EXPECT_EQ(machine.node_of(cpus("4095")), 15);
}

// CPUs outside the mask do not exist: no domain is empty, and indices have no gaps.
TEST(Usable, MaskLeavesDenseIndices) {
  std::string numbers;  // the second thread of core n is CPU n + 16
  for (int core = 0; core < 16; ++core)
    numbers += (core ? "," : "") + std::to_string(core) + "," + std::to_string(core + 16);
  const std::string shape = "pack:2 group:2 [numa(memory=1GiB)] l3:2 core:2 pu:2(indexes=";
  const Machine machine = synthetic((shape + numbers + ")").c_str(), "5,6,13,14,21");
  EXPECT_TRUE(machine.check());
  EXPECT_EQ(machine.online().count(), 32);
  EXPECT_THAT(lists(machine, Level::kCore), ElementsAre("5,21", "6", "13", "14"));
  EXPECT_THAT(lists(machine, Level::kNode), ElementsAre("5-6,21", "13-14"));
  EXPECT_EQ(machine.domains(Level::kNode)[1].os_index, 3);
  EXPECT_EQ(machine.domains(Level::kPackage)[1].os_index, 1);
  EXPECT_EQ(machine.pu_of(0), nullptr);
  EXPECT_EQ(machine.pu_of(99), nullptr);
  EXPECT_EQ(machine.pu_of(-1), nullptr);
  EXPECT_EQ(machine.node_of(cpus("0")), -1);
  EXPECT_EQ(machine.node_of({}), -1);
  EXPECT_EQ(machine.default_team_size(), 5);
  EXPECT_EQ(machine.default_team_reason(),
            "one for each hardware thread that this process may use, 5 of 32");
  // Pages may still be put on the nodes whose CPUs this process may not use.
  ASSERT_EQ(machine.memories().size(), 4u);
  EXPECT_EQ(machine.memories()[0].node, -1);
  EXPECT_EQ(machine.memories()[3].node, 1);
  EXPECT_THAT(describe(machine), HasSubstr("memory of node 0: 1.0 GiB, no usable CPUs near it"));
}

TEST(Usable, NumbersOfTheKernelStayWhenThePackageBeforeIsGone) {
  const Machine machine = synthetic("pack:2 [numa] core:2 pu:1", "2-3");
  EXPECT_EQ(machine.count(Level::kPackage), 1);
  EXPECT_EQ(machine.domains(Level::kPackage)[0].os_index, 1);
  EXPECT_EQ(machine.domains(Level::kNode)[0].os_index, 1);
}

TEST(Usable, NothingIsAnError) {
  hwloc_topology_t topology;
  hwloc_topology_init(&topology);
  hwloc_topology_set_synthetic(topology, "core:2 pu:1");
  hwloc_topology_load(topology);
  EXPECT_FALSE(machine_of(topology, cpus("7")).ok());
  hwloc_topology_destroy(topology);
}

Hardware two_nodes(std::vector<double> latencies) {
  return {.name = "",
          .pus = {{.os_index = 0, .core = 0, .cache_group = 0, .node = 0, .package = 0, .kind = 0},
                  {.os_index = 1, .core = 1, .cache_group = 1, .node = 1, .package = 1, .kind = 0}},
          .node_os = {0, 1},
          .package_os = {0, 1},
          .memories = {},
          .latencies = std::move(latencies),
          .online = cpus("0-1")};
}

TEST(Distances, AreBroughtToTheFirmwaresMeasure) {
  const Machine measured(two_nodes({90, 153, 148, 100}));  // nanoseconds
  EXPECT_EQ(measured.distance(0, 0), 10u);
  EXPECT_EQ(measured.distance(0, 1), 17u);
  EXPECT_EQ(measured.distance(1, 0), 16u);
  EXPECT_EQ(measured.distance(1, 1), 11u);
}

TEST(Distances, OfNonsenseAreNotBelieved) {
  for (const auto& latencies : {std::vector<double>{0, 0, 0, 0}, {10, -1, 20, 10}, {10, 20}}) {
    const Machine machine(two_nodes(latencies));
    EXPECT_FALSE(machine.distances_known());
    EXPECT_EQ(machine.distance(0, 1), 30u);
  }
}

// Some firmware reports another node as nearer than the own one.
TEST(Distances, OwnNodeComesFirstWhateverTheMatrix) {
  const Machine machine(two_nodes({20, 10, 10, 20}));
  EXPECT_THAT(machine.nodes_nearest_first(0), ElementsAre(0, 1));
  EXPECT_THAT(machine.nodes_nearest_first(1), ElementsAre(1, 0));
}

// Two packages of four nodes each, in which a firmware reports one distance for all other nodes.
Hardware two_packages(unsigned elsewhere) {
  Hardware hardware{.name = "",
                    .pus = {},
                    .node_os = {},
                    .package_os = {0, 1},
                    .memories = {},
                    .latencies = {},
                    .online = CpuSet::range(0, 8)};
  for (int i = 0; i < 8; ++i) {
    hardware.pus.push_back(
        {.os_index = i, .core = i, .cache_group = i, .node = i, .package = i / 4, .kind = 0});
    hardware.node_os.push_back(i);
    for (int other = 0; other < 8; ++other)
      hardware.latencies.push_back(other == i ? 10 : other / 4 == i / 4 ? 20 : elsewhere);
  }
  return hardware;
}

TEST(Distances, AmongEqualOnesTheOwnPackageComesFirst) {
  const Machine flat(two_packages(20));
  EXPECT_THAT(flat.nodes_nearest_first(5), ElementsAre(5, 4, 6, 7, 0, 1, 2, 3));
  EXPECT_THAT(flat.nodes_nearest_first(0), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  const Machine nearer_elsewhere(two_packages(15));  // a distance still counts more than a package
  EXPECT_THAT(nearer_elsewhere.nodes_nearest_first(5), ElementsAre(5, 0, 1, 2, 3, 4, 6, 7));
  for (const Machine* machine : {&flat, &nearer_elsewhere}) EXPECT_TRUE(machine->check());
}

TEST(DefaultTeam, QuotaIsRoundedUp) {
  struct {
    double quota;
    int threads;
  } const cases[] = {{0.01, 1}, {0.5, 1}, {1, 1}, {1.01, 2}, {1.5, 2},
                     {2, 2},    {7.5, 8}, {8, 8}, {9, 8}};
  for (const auto& [quota, threads] : cases) {
    Hardware hardware = two_nodes({});
    hardware.online = CpuSet::range(0, 8);
    for (int i = 2; i < 8; ++i)
      hardware.pus.push_back(
          {.os_index = i, .core = i, .cache_group = i, .node = 1, .package = 1, .kind = 0});
    hardware.quota_cpus = quota;
    const Machine machine(std::move(hardware));
    EXPECT_EQ(machine.default_team_size(), threads) << quota;
    const char* reason = quota < 8 ? "the CPU quota of " : "one for each hardware thread";
    EXPECT_THAT(machine.default_team_reason(), StartsWith(reason)) << quota;
  }
}

TEST(Flat, HasOneNodeAndNoSharedCaches) {
  const Machine machine = Machine::flat(cpus("2,4-5"));
  EXPECT_TRUE(machine.check());
  EXPECT_THAT(lists(machine, Level::kCacheGroup), ElementsAre("2", "4", "5"));
  EXPECT_THAT(lists(machine, Level::kNode), ElementsAre("2,4-5"));
  EXPECT_EQ(machine.domains(Level::kNode)[0].os_index, -1);
}

TEST(Here, IsWhatTheKernelAllows) {
  const Machine& machine = Machine::here();
  EXPECT_EQ(&machine, &Machine::here());
  EXPECT_TRUE(machine.check());
  cpu_set_t mask;
  ASSERT_EQ(sched_getaffinity(getpid(), sizeof(mask), &mask), 0);
  ASSERT_FALSE(machine.recorded());
  EXPECT_EQ(machine.cpus(), CpuSet::from_kernel(mask.__bits));
  EXPECT_GE(machine.default_team_size(), 1);
  EXPECT_LE(machine.default_team_size(), machine.count(Level::kThread));
}

// here() looks once per process, so each case needs a process of its own.
class HereDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

int team_here(const char* recorded) {
  Machine::use_recorded(recorded);
  return Machine::here().recorded() ? Machine::here().default_team_size() : 0;
}

TEST_F(HereDeathTest, IsTheRecordedMachineIfAskedFor) {
  EXPECT_EXIT(_exit(team_here(VICINO_MACHINES "/plain-2x4.xml")), testing::ExitedWithCode(8), "");
}

TEST_F(HereDeathTest, SaysThatARecordedMachineCannotBeRead) {
  EXPECT_EXIT(_exit(team_here("/nowhere.xml")), testing::ExitedWithCode(0),
              "\"/nowhere.xml\" is no machine that hwloc can read; the machine is taken as it is");
}

TEST(FromXml, RefusesWhatIsNoMachine) {
  for (const char* path : {"/nowhere/machine.xml", "/proc/self/status"}) {
    Result<Machine> machine = Machine::from_xml(path);
    ASSERT_FALSE(machine.ok());
    EXPECT_THAT(machine.error(), HasSubstr(path));
  }
}

// hwloc 2.9 crashes where a set is missing.
TEST(FromXml, RefusesWhatHwlocDoesNotSurvive) {
  std::string text = read_file(VICINO_MACHINES "/epyc-9354-2x32-nps4.xml");
  const size_t at = text.find("complete_cpuset", text.find("type=\"L3Cache\""));
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string_view("complete_cpuset").size(), "complete_cset");
  const std::string path = testing::TempDir() + "damaged" + std::to_string(getpid()) + ".xml";
  ASSERT_EQ(write_text(path, text), 0);
  Result<Machine> machine = Machine::from_xml(path);
  unlink(path.c_str());
  ASSERT_FALSE(machine.ok());
  EXPECT_THAT(machine.error(), HasSubstr(path));
}

// hwloc accepts a file in which two hardware threads are the same CPU.
TEST(FromXml, RefusesACpuThatIsThereTwice) {
  std::string text = read_file(VICINO_MACHINES "/plain-2x4.xml");
  const std::string pu = "type=\"PU\" os_index=\"2\"";
  const size_t at = text.find(pu);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, pu.size(), "type=\"PU\" os_index=\"1\"");
  const std::string path = testing::TempDir() + "twice" + std::to_string(getpid()) + ".xml";
  ASSERT_EQ(write_text(path, text), 0);
  const Result<Machine> machine = Machine::from_xml(path);
  unlink(path.c_str());
  ASSERT_FALSE(machine.ok());
  EXPECT_THAT(machine.error(), HasSubstr("the machine has CPU 1 twice"));
}

}  // namespace
}  // namespace vicino::topo
