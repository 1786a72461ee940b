// KMP_HW_SUBSET: its grammar, and what it leaves of recorded machines.
#include <gmock/gmock.h>

#include "recorded_machines.hpp"
#include "topo/hw_subset.hpp"

namespace vicino::topo {
namespace {

using testing::HasSubstr;

CpuSet chosen(const char* text, const Machine& machine) {
  const auto subset = parse_hw_subset(text);
  EXPECT_TRUE(subset) << text << ": " << subset.error();
  const auto cpus = select(*subset, machine);
  EXPECT_TRUE(cpus) << text << ": " << cpus.error();
  return *cpus;
}

int cores_of(const CpuSet& cpus, const Machine& machine) {
  int cores = 0;
  for (const Domain& core : machine.domains(Level::kCore)) cores += core.cpus.intersects(cpus);
  return cores;
}

// 2 packages of 4 nodes of 8 cores of 2 threads.
class OnEpyc : public testing::Test {
 protected:
  const Machine machine = recorded("epyc-9354-2x32-nps4");
  int count(const char* text) { return chosen(text, machine).count(); }
};

TEST_F(OnEpyc, UnitsAreThoseOfEachUnitAround) {
  const int threads = static_cast<int>(machine.pus().size()) / machine.count(Level::kCore);
  EXPECT_EQ(count("2s,4c,1t"), 8);
  EXPECT_EQ(count("1s,4c"), 4 * threads);
  EXPECT_EQ(count("1t"), machine.count(Level::kCore));
  EXPECT_EQ(count("1S, 2N, 3C, 1T"), 6);
  EXPECT_EQ(count("2n,1c,1t"), 4) << "of each of the two packages";
  EXPECT_EQ(count("1s,1ll,1c,1t"), 1);
  EXPECT_EQ(count("1t,1s,2c"), 2) << "in any order";
  EXPECT_EQ(count("*s,*c"), static_cast<int>(machine.pus().size()));
  EXPECT_EQ(count("s,c"), static_cast<int>(machine.pus().size()));
}

TEST_F(OnEpyc, OffsetsSkipUnits) {
  const auto packages = machine.domains(Level::kPackage);
  EXPECT_TRUE(packages[1].cpus.contains(chosen("1s@1,2c", machine)));
  const CpuSet first = chosen("1s,2c,1t", machine), later = chosen("1s,2c@2,1t", machine);
  EXPECT_EQ(later.count(), 2);
  EXPECT_FALSE(first.intersects(later));
  EXPECT_EQ(cores_of(chosen("*c@30", machine), machine), 2 * 2)
      << "all but the first 30 of each package";
}

TEST_F(OnEpyc, AColonCountsOnlyWhatIsNamed) {
  EXPECT_EQ(count(":2s,6t"), 12);
  EXPECT_EQ(count(":1s,1t@5"), 1);
  EXPECT_EQ(count(":3c,1t"), 3) << "of the whole machine";
}

TEST_F(OnEpyc, TooMuchIsRefused) {
  const auto error = [&](const char* text) {
    return select(*parse_hw_subset(text), machine).error();
  };
  EXPECT_EQ(error("3s"), "'3s': the machine has 2");
  EXPECT_EQ(error("1s,33c"), "'33c': a unit around has at most 32");
  EXPECT_EQ(error("1s@2"), "'1s@2': the machine has 2");
  EXPECT_EQ(error("*c@32"), "'*c@32': a unit around has at most 32");
  EXPECT_EQ(error("2c:eff1"), "'2c:eff1': the machine has one kind of core");
  EXPECT_EQ(error("2c:intel_atom"), "'2c:intel_atom': the machine has one kind of core");
}

// 4 cores of two threads and 8 slower ones of one.
TEST(HwSubset, CoresOfOneKind) {
  const Machine machine = recorded("hybrid-4p8e");
  const auto kinds = [&](const CpuSet& cpus) {
    std::pair<int, int> least_and_most;
    cpus.for_each([&](int cpu) {
      ++(machine.pu_of(cpu)->kind == 0 ? least_and_most.first : least_and_most.second);
    });
    return least_and_most;
  };
  EXPECT_EQ(kinds(chosen("3c:eff0,2c:eff1,1t", machine)), std::pair(3, 2));
  EXPECT_EQ(kinds(chosen("*c:intel_core,1t", machine)), std::pair(0, 4));
  EXPECT_EQ(kinds(chosen("c:intel_atom@3", machine)), std::pair(5, 0));
  EXPECT_EQ(kinds(chosen("2c@1:eff0", machine)), std::pair(2, 0));
  EXPECT_EQ(select(*parse_hw_subset("5c:eff1"), machine).error(),
            "'5c:eff1': a unit around has at most 4");
}

TEST(HwSubset, MistakesAreNamed) {
  const auto error = [](const char* text) { return parse_hw_subset(text).error(); };
  EXPECT_THAT(error(""), HasSubstr("'': not numbers of units"));
  EXPECT_THAT(error("2x"), HasSubstr("'2x': not numbers of units"));
  EXPECT_THAT(error("2"), HasSubstr("'2': not numbers of units"));
  EXPECT_THAT(error("2s,,1t"), HasSubstr("'': not"));
  EXPECT_THAT(error("0s"), HasSubstr("'0s': the number of units is 1 or more"));
  EXPECT_THAT(error("99999999999c"), HasSubstr("'99999999999c': not"));
  EXPECT_THAT(error("2d"), HasSubstr("'2d': this unit is not known here"));
  EXPECT_THAT(error("1L2"), HasSubstr("'1L2': this unit is not known here"));
  EXPECT_THAT(error("2c@"), HasSubstr("@ is followed by the number"));
  EXPECT_THAT(error("2c@1@2"), HasSubstr("@ is followed by the number"));
  EXPECT_THAT(error("2s:eff0"), HasSubstr("only c may have one attribute"));
  EXPECT_THAT(error("2c:effx"), HasSubstr("only c may have one attribute"));
  EXPECT_THAT(error("2c:eff0:eff1"), HasSubstr("only c may have one attribute"));
  EXPECT_EQ(error("2c,4c"), "'2c' and '4c' are the same unit");
  EXPECT_EQ(error("2c:eff0,4c:eff0"), "'2c:eff0' and '4c:eff0' are the same unit");
  EXPECT_EQ(error("2c:eff0,3c:eff1,4c:eff0"), "'2c:eff0' and '4c:eff0' are the same unit");
  EXPECT_EQ(error("2c,4c:eff0"), "'2c' and '4c:eff0' are the same unit");
}

// The part of a machine is a machine.
TEST(HwSubset, WhatIsLeftIsAMachine) {
  for (const std::string& name : recorded_names()) {
    const Machine whole = recorded(name);
    Hardware hardware;
    hardware.pus.assign(whole.pus().begin(), whole.pus().end());
    for (const Domain& node : whole.domains(Level::kNode))
      hardware.node_os.push_back(node.os_index);
    for (const Domain& package : whole.domains(Level::kPackage))
      hardware.package_os.push_back(package.os_index);
    hardware.memories.assign(whole.memories().begin(), whole.memories().end());
    hardware.online = whole.online();
    const int nodes = whole.count(Level::kNode);
    for (int a = 0; a < nodes; ++a)
      for (int b = 0; b < nodes; ++b) hardware.latencies.push_back(whole.distance(a, b));
    for (const char* text : {"1t", "1s", "1s,1c", "1n", "1n@0,1c,1t", ":1t"}) {
      const CpuSet cpus = chosen(text, whole);
      const Machine part(part_of(hardware, cpus));
      EXPECT_TRUE(part.check()) << name << ": " << text;
      EXPECT_EQ(part.cpus(), cpus) << name << ": " << text;
      EXPECT_EQ(part.online(), whole.online());
    }
  }
}

// Nodes keep their distances and their memory.
TEST(HwSubset, DistancesStay) {
  const Machine whole = recorded("opteron-8x2-ladder");
  Hardware hardware;
  hardware.pus.assign(whole.pus().begin(), whole.pus().end());
  for (int node = 0; node < whole.count(Level::kNode); ++node) hardware.node_os.push_back(node);
  for (int package = 0; package < whole.count(Level::kPackage); ++package)
    hardware.package_os.push_back(package);
  hardware.memories.assign(whole.memories().begin(), whole.memories().end());
  for (int a = 0; a < whole.count(Level::kNode); ++a)
    for (int b = 0; b < whole.count(Level::kNode); ++b)
      hardware.latencies.push_back(whole.distance(a, b));
  const Machine part(part_of(hardware, chosen("3s@4", whole)));
  ASSERT_EQ(part.count(Level::kNode), 3);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) EXPECT_EQ(part.distance(a, b), whole.distance(a + 4, b + 4));
  EXPECT_EQ(part.memories()[0].node, -1);
  EXPECT_EQ(part.memories()[4].node, 0);
}

}  // namespace
}  // namespace vicino::topo
