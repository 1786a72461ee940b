#include "topo/cpu_name.hpp"

#include <gtest/gtest.h>

#include <string>

#include "fake_sysfs.hpp"

namespace vicino::topo {
namespace {

constexpr char kRegister[] = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";

std::string name_with(const std::string& midr) {
  const FakeSysfs machine;
  machine.write(kRegister, midr + "\n");
  machine.write("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
  return cpu_name(machine.root());
}

TEST(CpuName, OfX86IsThatOfTheKernel) {
  const FakeSysfs machine;
  machine.write("/proc/cpuinfo", "processor\t: 0\nmodel name\t:  A Fine CPU \n");
  EXPECT_EQ(cpu_name(machine.root()), "A Fine CPU");
}

TEST(CpuName, OfArmIsReadFromItsNumbers) {
  EXPECT_EQ(name_with("0x00000000413fd0c1"), "Arm Neoverse-N1");  // r3p1
  EXPECT_EQ(name_with("0x00000000410fd4f0"), "Arm Neoverse-V2");
  EXPECT_EQ(name_with("0x00000000461f0010"), "Fujitsu A64FX");
}

TEST(CpuName, OfAnUnknownArmHasTheNumbers) {
  EXPECT_EQ(name_with("0x00000000610f0221"), "Arm processor, implementer 0x61, part 0x022");
}

TEST(CpuName, IsEmptyWhereNothingTellsIt) { EXPECT_EQ(cpu_name(FakeSysfs().root()), ""); }

}  // namespace
}  // namespace vicino::topo
