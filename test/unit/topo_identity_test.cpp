// Machines that differ for a scheduler have different identities; all others have equal ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "topo/identity.hpp"

namespace vicino::topo {
namespace {

Hardware plain() {
  const auto machine = Machine::from_xml(VICINO_MACHINES "/plain-2x4.xml");
  EXPECT_TRUE(machine) << machine.error();
  Hardware hardware;
  hardware.name = machine->name();
  hardware.pus.assign(machine->pus().begin(), machine->pus().end());
  hardware.node_os = {0, 1};
  hardware.package_os = {0, 1};
  hardware.latencies = {10, 21, 21, 10};
  hardware.online = machine->online();
  return hardware;
}

std::string with(void (*change)(Hardware&)) {
  Hardware hardware = plain();
  change(hardware);
  return identity(Machine(std::move(hardware)));
}

TEST(Identity, IsTheSameForOtherCpusOfTheSameShape) {
  const std::string same = with([](Hardware&) {});
  EXPECT_EQ(same.size(), 16u);
  EXPECT_EQ(with([](Hardware& h) {
              for (Pu& pu : h.pus) pu.os_index = 100 - pu.os_index;
            }),
            same);
  EXPECT_EQ(with([](Hardware& h) { h.quota_cpus = 1.5; }), same);
}

TEST(Identity, ChangesWithWhatSchedulingCanTell) {
  std::set<std::string> seen{with([](Hardware&) {})};
  const auto is_new = [&](void (*change)(Hardware&)) { return seen.insert(with(change)).second; };
  EXPECT_TRUE(is_new([](Hardware& h) { h.name = "another"; }));
  EXPECT_TRUE(is_new([](Hardware& h) { h.recorded = true; }));
  EXPECT_TRUE(is_new([](Hardware& h) { h.pus.pop_back(); }));
  EXPECT_TRUE(is_new([](Hardware& h) { h.pus[0].kind = 1; }));
  EXPECT_TRUE(is_new([](Hardware& h) { h.latencies = {10, 31, 31, 10}; }));
}

TEST(Identity, DiffersBetweenAllRecordedMachines) {
  std::set<std::string> seen;
  std::size_t machines = 0;
  for (const auto& file : std::filesystem::directory_iterator(VICINO_MACHINES)) {
    if (file.path().extension() != ".xml") continue;
    ++machines;
    const auto machine = Machine::from_xml(file.path());
    ASSERT_TRUE(machine) << machine.error();
    seen.insert(identity(*machine));
  }
  EXPECT_GT(machines, 3u);
  EXPECT_EQ(seen.size(), machines);
}

}  // namespace
}  // namespace vicino::topo
