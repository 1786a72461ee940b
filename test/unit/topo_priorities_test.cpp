// Core priorities, compared with results worked out by hand: in the files of test/machines, which
// show the calculation, and below for machines of which a part is taken away.
#include <gmock/gmock.h>
#include <hwloc.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "topo/hwloc/reader.hpp"
#include "topo/machine.hpp"
#include "topo/priorities.hpp"

namespace vicino::topo {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CpuSet cpus(std::string_view list) { return *CpuSet::parse_list(list); }

Machine recorded(const std::string& name) {
  Result<Machine> machine = Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
  EXPECT_TRUE(machine.ok()) << machine.error();
  return *std::move(machine);
}

Machine synthetic(const char* description) {
  hwloc_topology_t topology;
  hwloc_topology_init(&topology);
  EXPECT_EQ(hwloc_topology_set_synthetic(topology, description), 0) << description;
  hwloc_topology_load(topology);
  Result<Machine> machine = machine_of(topology, cpus("0-4095"));
  EXPECT_TRUE(machine.ok()) << machine.error();
  hwloc_topology_destroy(topology);
  return *std::move(machine);
}

// Two nodes of `cores` cores each with this matrix, one package per node, no shared caches.
Machine two_nodes(int cores, std::vector<double> latencies) {
  Hardware hardware;
  for (int core = 0; core < 2 * cores; ++core) {
    const int node = core / cores;
    hardware.pus.push_back({.os_index = core,
                            .core = core,
                            .cache_group = core,
                            .node = node,
                            .package = node,
                            .kind = 0});
    hardware.online.set(core);
  }
  hardware.node_os = {0, 1};
  hardware.package_os = {0, 1};
  hardware.latencies = std::move(latencies);
  return Machine(std::move(hardware));
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(VICINO_MACHINES))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

std::string weights_text(const Priorities& priorities) {
  std::string text;
  for (const Weight& w : priorities.weights())
    text +=
        (text.empty() ? "" : " ") + std::to_string(w.distance) + ":" + std::to_string(w.numerator);
  return text;
}

// "4 40/13 3680/169 4876/169"
std::string terms_text(const CorePriority& c, int64_t s) {
  std::ostringstream text;
  text << c.base << ' ' << c.v1 << '/' << s << ' ' << c.v2 << '/' << s * s << ' ' << c.final << '/'
       << s * s;
  return text.str();
}

// "4-9 0-1": the numbers of each word, in the order of the words.
std::vector<int> in_order(const std::string& runs) {
  std::vector<int> order;
  std::istringstream words(runs);
  for (std::string run; words >> run;) cpus(run).for_each([&](int core) { order.push_back(core); });
  return order;
}

class RecordedPriorities : public testing::TestWithParam<std::string> {};

TEST_P(RecordedPriorities, AreAsExpected) {
  const Machine machine = recorded(GetParam());
  const Priorities priorities(machine, machine.cpus());
  EXPECT_TRUE(priorities.check());
  std::ifstream file(std::string(VICINO_MACHINES) + "/" + GetParam() + ".priorities");
  CpuSet told;
  std::set<std::string> questions;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    SCOPED_TRACE(line);
    const size_t equals = line.find(" = ");
    ASSERT_NE(equals, line.npos);
    const std::string question = line.substr(0, equals);
    const std::string value = line.substr(equals + 3);
    if (question == "weights") {
      EXPECT_EQ(weights_text(priorities), value);
    } else if (question == "order") {
      EXPECT_EQ(priorities.order(), in_order(value));
    } else if (question.starts_with("cores ")) {
      const CpuSet cores = cpus(question.substr(6));
      EXPECT_FALSE(told.intersects(cores));
      told |= cores;
      for (const CorePriority& c : priorities.cores()) {
        if (!cores.test(c.core)) continue;
        EXPECT_EQ(terms_text(c, priorities.denominator()), value) << "core " << c.core;
      }
    } else {
      ADD_FAILURE() << "a line is \"weights\", \"cores LIST\" or \"order\"";
    }
    questions.insert(question.substr(0, question.find(' ')));
  }
  EXPECT_THAT(questions, ElementsAre("cores", "order", "weights"));
  EXPECT_EQ(told, CpuSet::range(0, machine.count(Level::kCore)));
}

// Properties of any order, with any CPUs taken away: each allowed core appears once, the best
// first, and none before one that is nearer to the best.
TEST_P(RecordedPriorities, OrderWithCpusTakenAway) {
  const Machine machine = recorded(GetParam());
  const auto cores = machine.domains(Level::kCore);
  uint64_t state = 1;
  for (int round = 0; round < 20; ++round) {
    CpuSet allowed;
    machine.cpus().for_each([&](int cpu) {
      state = state * 6364136223846793005 + 1442695040888963407;
      if (state >> 63 || round == 0) allowed.set(cpu);
    });
    SCOPED_TRACE(allowed.to_list());
    const Priorities priorities(machine, allowed);
    EXPECT_TRUE(priorities.check());
    std::vector<int> usable;
    std::map<int, int64_t> final;
    for (int core = 0; core < machine.count(Level::kCore); ++core)
      if (cores[static_cast<size_t>(core)].cpus.intersects(allowed)) usable.push_back(core);
    for (const CorePriority& c : priorities.cores()) final[c.core] = c.final;
    for (const std::optional<uint64_t> seed :
         {std::optional<uint64_t>(), std::optional<uint64_t>(7)}) {
      const std::vector<int> order = priority_order(machine, allowed, seed);
      ASSERT_THAT(order, testing::UnorderedElementsAreArray(usable));
      EXPECT_EQ(order, priority_order(machine, allowed, seed));
      if (order.empty()) continue;
      for (const auto& [core, value] : final) EXPECT_LE(value, final[order[0]]);
      const auto node = [&](int core) {
        return machine.pu_of(cores[static_cast<size_t>(core)].cpus.first())->node;
      };
      for (size_t i = 2; i < order.size(); ++i)
        EXPECT_LE(machine.distance(node(order[0]), node(order[i - 1])),
                  machine.distance(node(order[0]), node(order[i])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RecordedPriorities, testing::ValuesIn(machine_names()),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Without CPUs 0 and 1 node 0 has cores 2 and 3, node 1 has 4 to 7; weights 12 and 1 of 13.
//   4-7  base 4, V1 = 3 * 12 + 2 = 38, P = 52 + 38 = 90; V2 = 36 * 90 + 2 * 42 = 3324;
//        final = 90 * 13 + 3324 = 4494
//   2-3  base 2, V1 = 12 + 4 = 16, P = 26 + 16 = 42; V2 = 12 * 42 + 4 * 90 = 864;
//        final = 42 * 13 + 864 = 1410
TEST(Priorities, TheFullerNodeIsFirst) {
  const Machine machine = recorded("plain-2x4");
  const Priorities priorities(machine, cpus("2-7"));
  ASSERT_EQ(priorities.cores().size(), 6u);
  EXPECT_EQ(terms_text(priorities.cores()[0], 13), "2 16/13 864/169 1410/169");
  EXPECT_EQ(terms_text(priorities.cores()[5], 13), "4 38/13 3324/169 4494/169");
  EXPECT_EQ(priorities.order(), in_order("4-7 2-3"));
}

// The second threads of cores 3 and 30 are enough to allow these cores.
TEST(Priorities, ACoreIsAllowedWithOneOfItsThreads) {
  const Machine machine = recorded("xeon-8160-2x24");
  EXPECT_THAT(priority_order(machine, cpus("51,78")), ElementsAre(3, 30));
}

TEST(Priorities, NoCoreIsAllowed) {
  const Machine machine = recorded("plain-2x4");
  EXPECT_THAT(priority_order(machine, CpuSet()), IsEmpty());
  EXPECT_THAT(priority_order(machine, cpus("100-200"), 3), IsEmpty());
  EXPECT_TRUE(Priorities(machine, CpuSet()).check());
  EXPECT_THAT(describe_priorities(machine, Priorities(machine, CpuSet())), HasSubstr("the order"));
}

// 2 packages with 2 nodes each, 2 caches of 2 cores in a node, no matrix: a core shares all levels
// with 1 other core, all but the cache with 2, only the package with 4, and nothing with 8.
TEST(Priorities, LevelsStandInForAMissingMatrix) {
  const Machine machine = synthetic("pack:2 [numa] group:2 [numa] l3:2 core:2 pu:1");
  ASSERT_FALSE(machine.distances_known());
  const Priorities priorities(machine, machine.cpus());
  EXPECT_TRUE(priorities.by_levels());
  EXPECT_EQ(weights_text(priorities), "0:4 1:3 2:2 3:1");
  EXPECT_EQ(priorities.cores()[0].v1, 4 * 1 + 3 * 2 + 2 * 4 + 1 * 8);
  EXPECT_EQ(priorities.cores()[0].base, 4);
  // Cores 0 and 12 are gone: node 1 is full, and cores 1 and 13 are alone at their caches.
  EXPECT_EQ(priority_order(machine, cpus("1-11,13-15")), in_order("4-7 2-3 1 8-11 14-15 13"));
}

// A node that holds two packages: only the number of shared levels matters, not their order.
TEST(Priorities, PackagesInsideANode) {
  const Machine machine = synthetic("group:2 [numa] pack:2 l2:1 core:2 pu:1");
  EXPECT_EQ(weights_text(Priorities(machine, machine.cpus())), "0:4 2:2 3:1");
  EXPECT_EQ(priority_order(machine, cpus("2-7")), in_order("4-7 2-3"));
}

TEST(Priorities, FlatMachineIsInOrder) {
  const Machine machine = Machine::flat(cpus("3,5,9"));
  EXPECT_THAT(priority_order(machine, machine.cpus()), ElementsAre(0, 1, 2));
}

// Node 0 sees node 1 at 15, node 1 sees node 0 at 30: the cores of node 0 have more nearby.
TEST(Priorities, AnAsymmetricMatrixIsReadFromTheCoresOwnRow) {
  const Machine machine = two_nodes(2, {10, 15, 30, 10});
  const Priorities priorities(machine, machine.cpus());
  EXPECT_EQ(weights_text(priorities), "10:21 15:16 30:1");
  EXPECT_EQ(priorities.cores()[0].v1, 21 + 2 * 16);
  EXPECT_EQ(priorities.cores()[2].v1, 21 + 2 * 1);
  const Machine mirrored = two_nodes(2, {10, 30, 15, 10});
  EXPECT_EQ(priority_order(mirrored, mirrored.cpus()), in_order("2-3 0-1"));
}

TEST(Priorities, ADistanceBeyondTheScaleIsItsEnd) {
  const Machine machine = two_nodes(2, {10, 4e9, 4e9, 10});
  const Priorities priorities(machine, machine.cpus());
  EXPECT_TRUE(priorities.check());
  EXPECT_EQ(weights_text(priorities), "10:246 255:1");
}

// On the ladder 8 cores share the highest priority: seeds choose each of them, and no other core.
TEST(Priorities, ASeedDrawsLotsAmongEquals) {
  const Machine machine = recorded("opteron-8x2-ladder");
  std::set<int> firsts;
  for (uint64_t seed = 0; seed < 200; ++seed)
    firsts.insert(priority_order(machine, machine.cpus(), seed)[0]);
  EXPECT_THAT(firsts, ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
}

// Wherever the seed puts the first thread, its cache's three other cores follow, then its node.
TEST(Priorities, AmongEquallyNearCoresThoseOfTheSameCacheAreNearer) {
  const Machine machine = recorded("epyc-9354-2x32-nps4");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<int> order = priority_order(machine, machine.cpus(), seed);
    for (size_t i = 0; i < 8; ++i)
      EXPECT_EQ(order[i] / (i < 4 ? 4 : 8), order[0] / (i < 4 ? 4 : 8)) << "seed " << seed;
  }
}

// A matrix that calls the other node nearer is believed, but the first core stays the first.
TEST(Priorities, TheFirstCoreIsFirstWhateverTheMatrixSaysOfItsNode) {
  const Machine machine = two_nodes(2, {30, 10, 10, 30});
  EXPECT_THAT(priority_order(machine, machine.cpus()), ElementsAre(0, 2, 3, 1));
}

TEST(Priorities, TheTextHasARowForEachCore) {
  const Machine machine = recorded("opteron-8x2-ladder");
  const std::string text = describe_priorities(machine, Priorities(machine, machine.cpus()));
  EXPECT_THAT(text, HasSubstr("10: 25/65 16: 19/65 22: 13/65 28: 7/65 34: 1/65\n"));
  EXPECT_THAT(text,
              HasSubstr("     4  4        2     2    3.5538     18.5560     24.1098     0\n"));
  EXPECT_THAT(text,
              HasSubstr("    15  15       7     2    2.8154     14.7387     19.5541    15\n"));
  EXPECT_THAT(text, HasSubstr("take cores: 4-9 0-1 10-11 2-3 12-15\n"));
}

}  // namespace
}  // namespace vicino::topo
