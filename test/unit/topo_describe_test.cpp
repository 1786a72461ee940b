#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "topo/describe.hpp"

namespace vicino::topo {
namespace {

using testing::HasSubstr;

std::string description(const std::string& name) {
  Result<Machine> machine = Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
  EXPECT_TRUE(machine.ok()) << machine.error();
  return machine ? describe(*machine) : "";
}

TEST(Describe, PlainMachineAsAWhole) {
  EXPECT_EQ(description("plain-2x4"), R"(Two packages of four cores (recorded)
2 packages, 2 nodes, 2 cache groups, 8 cores, 8 hardware threads
CPUs in [ ] share their last level of cache

package 0
  node 0, 16 GiB
    [0-3]
package 1
  node 1, 16 GiB
    [4-7]

distances between nodes (10 is local)
         0    1
    0   10   21
    1   21   10

usable CPUs: 0-7
CPU quota: none
default team: 8 threads (one for each hardware thread)
which stay on their nodes if nothing binds them: 4 on each node
)");
}

TEST(Describe, SaysWhatIsSpecial) {
  EXPECT_THAT(description("xeon-8160-2x24"), HasSubstr("; 0,48 are one core\n"));
  EXPECT_THAT(description("hybrid-4p8e"),
              HasSubstr("cores of kind 1 (the most powerful): CPUs 0-7\n"
                        "cores of kind 0: CPUs 8-15\n"));
  EXPECT_THAT(description("knl-7250-68x4-flat"),
              HasSubstr("memory of node 1: 16 GiB MCDRAM, nearest to node 0\n"));
  EXPECT_THAT(description("epyc-9354-2x32-nps4"),
              HasSubstr("  node 5, 96 GiB\n    [40-43] [44-47]\n"));
  EXPECT_THAT(
      description("epyc-7713-64"),
      HasSubstr("which stay in their cache groups if nothing binds them: 8 in each group\n"));
}

TEST(Describe, QuotaAndItsEffect) {
  Result<Machine> machine = Machine::from_xml(VICINO_MACHINES "/plain-2x4.xml");
  ASSERT_TRUE(machine.ok());
  Hardware hardware{.name = "",
                    .pus = {machine->pus().begin(), machine->pus().end()},
                    .node_os = {0, 1},
                    .package_os = {0, 1},
                    .memories = {},
                    .latencies = {},
                    .online = machine->online(),
                    .quota_cpus = 1.5};
  EXPECT_THAT(describe(Machine(hardware)),
              HasSubstr("CPU quota: 1.5 CPUs\ndefault team: 2 threads (the CPU quota of 1.5, "
                        "rounded up, of 8 hardware threads)\n"));
}

TEST(Describe, FitsATerminal) {
  for (const auto& entry : std::filesystem::directory_iterator(VICINO_MACHINES)) {
    if (entry.path().extension() != ".xml") continue;
    std::istringstream text(description(entry.path().stem()));
    int lines = 0;
    for (std::string line; std::getline(text, line); ++lines) {
      EXPECT_LE(line.size(), 100u) << entry.path() << "\n" << line;
      EXPECT_FALSE(line.ends_with(' ')) << entry.path() << "\n" << line;
    }
    EXPECT_LE(lines, 48) << entry.path();
  }
}

}  // namespace
}  // namespace vicino::topo
