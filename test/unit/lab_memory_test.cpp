// The rules of lab/locality/memory.hpp, each with a sequence worked out by hand on lab_machine.hpp.
#include <gtest/gtest.h>

#include <random>

#include "lab_machine.hpp"
#include "locality/memory.hpp"

namespace vicino::lab {
namespace {

constexpr State kS = State::kShared, kE = State::kExclusive, kM = State::kModified,
                kNone = State::kInvalid;
constexpr std::uint64_t kNode1 = 64, kNode2 = 128;  // first lines

class LabMemoryTest : public testing::Test {
 protected:
  std::uint64_t load(int cpu, std::uint64_t line) { return access(cpu, line, false); }
  std::uint64_t store(int cpu, std::uint64_t line) { return access(cpu, line, true); }
  std::uint64_t counted(Counter counter) const { return count_[counter]; }

  // The counters that are not zero, except those in `but`.
  std::string others(std::initializer_list<Counter> but) const {
    Counters rest = count_;
    for (Counter counter : but) rest[counter] = 0;
    std::string names;
    for (std::size_t i = 0; i < kCounters; ++i)
      if (rest[static_cast<Counter>(i)] != 0) names += std::string(kCounterNames[i]) + " ";
    return names;
  }
  void forget_counts() { count_ = Counters(); }

  Parameters numbers_ = small_parameters();
  Memory memory_{small_machine(), numbers_};
  Counters count_;

 private:
  std::uint64_t now_ = 0;

 protected:
  bool in_order_ = false;

 private:
  std::uint64_t access(int cpu, std::uint64_t line, bool is_store) {
    now_ += 1'000'000;  // nothing that came before is still under way
    const Answer answer = memory_.access(cpu, line, is_store, now_, count_);
    EXPECT_EQ(memory_.check(line), "") << "line " << line;
    in_order_ = answer.in_order;
    return answer.latency;
  }
};

TEST_F(LabMemoryTest, R6ALineComesFromItsHomeAndCostsByDistance) {
  EXPECT_EQ(load(2, kNode1), 100u);
  EXPECT_EQ(load(2, 0), 130u);
  EXPECT_EQ(load(2, kNode2), 310u);
  EXPECT_EQ(store(2, kNode2 + 127), 310u) << "the last line of the machine";
  EXPECT_EQ(counted(Counter::kLocal), 1u);
  EXPECT_EQ(counted(Counter::kSamePackage), 1u);
  EXPECT_EQ(counted(Counter::kOtherPackage), 2u);
  EXPECT_EQ(counted(Counter::kL2Misses), 4u);
  EXPECT_EQ(
      others({Counter::kLocal, Counter::kSamePackage, Counter::kOtherPackage, Counter::kL2Misses}),
      "");
}

TEST_F(LabMemoryTest, R3WhatTheL2HoldsIsFree) {
  load(0, 5);
  forget_counts();
  EXPECT_EQ(load(0, 5), 0u);
  EXPECT_EQ(store(0, 5), 0u) << "alone: nobody needs to know";
  EXPECT_EQ(store(0, 5), 0u);
  EXPECT_EQ(load(0, 5), 0u);
  EXPECT_EQ(others({}), "");
  EXPECT_EQ(memory_.l2_state(0, 5), kM);
  EXPECT_EQ(memory_.l3_state(0, 5), kM);
}

// The ways of the L2's even set, the latest first: 0 | 2 0 | 0 2 | 4 0.
TEST_F(LabMemoryTest, R7WhatLeavesAnL2StaysInTheL3) {
  for (std::uint64_t line : {0, 2, 0, 4}) load(0, line);
  EXPECT_EQ(memory_.l2_state(0, 2), kNone);
  EXPECT_EQ(load(0, 0), 0u);
  EXPECT_EQ(load(0, 2), 7u);
  EXPECT_EQ(counted(Counter::kL3Hits), 1u);
  EXPECT_EQ(counted(Counter::kLocal), 3u);
}

TEST_F(LabMemoryTest, R7WhatLeavesAnL3LeavesItsL2s) {
  load(1, 0);
  load(1, 0);
  for (std::uint64_t line : {2, 4, 6}) load(0, line);
  EXPECT_EQ(memory_.l2_state(1, 0), kS);
  load(0, 8);
  EXPECT_EQ(memory_.l3_state(0, 0), kNone);
  EXPECT_EQ(memory_.l2_state(1, 0), kNone);
  EXPECT_EQ(load(1, 0), 100u);
  EXPECT_EQ(counted(Counter::kWritebacksLocal), 0u) << "it was clean";
}

TEST_F(LabMemoryTest, R7AModifiedLineIsWrittenBackToItsHome) {
  store(0, 0);
  store(0, kNode1);
  for (std::uint64_t line : {2, 4, 6, 8}) load(0, line);
  EXPECT_EQ(counted(Counter::kWritebacksLocal), 1u);
  EXPECT_EQ(counted(Counter::kWritebacksRemote), 1u);
}

// The L3 of node 0 holds 2, 4, 6 and 8 when CPU 2 asks for line 0, which no cache holds any more.
TEST_F(LabMemoryTest, R7TheDirectoryForgetsWhatLeft) {
  store(0, 0);
  for (std::uint64_t line : {2, 4, 6, 8}) load(0, line);
  forget_counts();
  EXPECT_EQ(load(2, 0), 130u);
  EXPECT_EQ(counted(Counter::kTransfersSamePackage), 0u);
  EXPECT_EQ(memory_.l3_state(1, 0), kE);
}

TEST_F(LabMemoryTest, R5TheL3AnswersItsOwnCpus) {
  store(0, 0);
  EXPECT_EQ(load(1, 0), 9u) << "from the L2 of CPU 0";
  EXPECT_EQ(memory_.l2_state(0, 0), kS);
  EXPECT_EQ(memory_.l2_state(1, 0), kS);
  EXPECT_EQ(memory_.l3_state(0, 0), kM) << "still newer than memory";
  forget_counts();
  EXPECT_EQ(store(0, 0), 0u) << "no other L3 holds it";
  EXPECT_EQ(memory_.l2_state(1, 0), kNone);
  EXPECT_EQ(store(1, 0), 9u);
  EXPECT_EQ(memory_.l2_state(0, 0), kNone);
  EXPECT_EQ(others({Counter::kL2Misses, Counter::kL3Hits}), "");
}

TEST_F(LabMemoryTest, R6AModifiedLineComesFromTheOtherL3) {
  store(0, 0);
  EXPECT_EQ(load(2, 0), 50u);
  EXPECT_EQ(counted(Counter::kTransfersSamePackage), 1u);
  EXPECT_EQ(counted(Counter::kWritebacksLocal), 1u) << "memory is current again";
  EXPECT_EQ(memory_.l3_state(0, 0), kS);
  EXPECT_EQ(memory_.l2_state(0, 0), kS);
  EXPECT_EQ(memory_.l3_state(1, 0), kS);
  EXPECT_EQ(load(4, 0), 310u) << "no owner: memory answers";
  EXPECT_EQ(memory_.l3_state(2, 0), kS);
}

TEST_F(LabMemoryTest, R6ATransferCostsByPackageNotByHome) {
  store(4, 0);
  EXPECT_EQ(load(0, 0), 220u) << "at home, but the line is not";
  EXPECT_EQ(counted(Counter::kTransfersOtherPackage), 1u);
  EXPECT_EQ(counted(Counter::kWritebacksRemote), 1u);
  EXPECT_EQ(counted(Counter::kLocal), 0u);
}

TEST_F(LabMemoryTest, R6AStoreTakesAModifiedLineAway) {
  store(0, 0);
  forget_counts();
  EXPECT_EQ(store(2, 0), 50u);
  EXPECT_EQ(memory_.l3_state(0, 0), kNone);
  EXPECT_EQ(memory_.l2_state(0, 0), kNone);
  EXPECT_EQ(memory_.l3_state(1, 0), kM);
  EXPECT_EQ(others({Counter::kL2Misses, Counter::kTransfersSamePackage}), "")
      << "the modified line moves, it is not written back";
}

TEST_F(LabMemoryTest, R6AStoreThatMissesTakesCleanCopiesAway) {
  load(0, 0);
  load(4, 0);
  forget_counts();
  EXPECT_EQ(store(2, 0), 130u);
  EXPECT_EQ(memory_.l3_state(0, 0), kNone);
  EXPECT_EQ(memory_.l2_state(0, 0), kNone);
  EXPECT_EQ(memory_.l3_state(2, 0), kNone);
  EXPECT_EQ(memory_.l3_state(1, 0), kM);
  EXPECT_EQ(others({Counter::kL2Misses, Counter::kSamePackage}), "");
}

TEST_F(LabMemoryTest, R6TheSecondReaderMakesALineShared) {
  load(0, 0);
  EXPECT_EQ(memory_.l3_state(0, 0), kE);
  load(2, 0);
  EXPECT_EQ(memory_.l3_state(0, 0), kS);
  EXPECT_EQ(memory_.l3_state(1, 0), kS);
}

TEST_F(LabMemoryTest, R4AStoreToASharedLineIsAnUpgrade) {
  load(0, 0);
  load(2, 0);
  forget_counts();
  EXPECT_EQ(store(0, 0), 50u);
  EXPECT_EQ(others({Counter::kUpgrades}), "") << "the L2 held it: no miss";
  EXPECT_EQ(counted(Counter::kUpgrades), 1u);
  EXPECT_EQ(memory_.l2_state(2, 0), kNone);
  EXPECT_EQ(memory_.l3_state(1, 0), kNone);
  EXPECT_EQ(store(0, 0), 0u);
}

TEST_F(LabMemoryTest, R4TheFarthestCopySetsThePrice) {
  for (int cpu : {2, 4, 0}) load(cpu, 0);
  EXPECT_EQ(store(0, 0), 220u);
  EXPECT_EQ(counted(Counter::kUpgrades), 1u) << "one, however many lose it";
  for (int cpu : {0, 4, 6}) load(cpu, 0);
  EXPECT_EQ(store(6, 0), 220u) << "also if the nearest copy is the last to go";
}

TEST_F(LabMemoryTest, R4R5AnUpgradeMayFollowAnL3Hit) {
  load(0, 0);
  load(2, 0);
  EXPECT_EQ(store(1, 0), 57u);
  EXPECT_EQ(memory_.l2_state(0, 0), kNone);
}

// The L3 of node 1 loses the line before CPU 0 stores to it, so the line is shared in name only.
TEST_F(LabMemoryTest, R4NoUpgradeIfNobodyElseHoldsTheLine) {
  load(0, 0);
  load(2, 0);
  for (std::uint64_t line : {66, 68, 70, 72}) load(2, line);
  EXPECT_EQ(memory_.l3_state(0, 0), kS);
  EXPECT_EQ(store(0, 0), 0u);
  EXPECT_EQ(counted(Counter::kUpgrades), 0u);
}

// One line in a window of 100 cycles is what a resource can do. As the first window counts by half,
// lines take (1 + 1/2)^(1/4) times as long in the next one: 111 for 100, 343 for 310.
class LabMemoryBandwidthTest : public LabMemoryTest {
 protected:
  void limit(std::uint64_t Parameters::* resource) {
    numbers_.*resource = 640;
    memory_ = Memory(small_machine(), numbers_);
  }
  void window() { memory_.drain(100); }
  void forget_demand() {
    for (int i = 0; i < 40; ++i) window();
  }
};

TEST_F(LabMemoryBandwidthTest, R8AControllerThatIsAskedForMuchTakesLonger) {
  limit(&Parameters::bw_mc);
  EXPECT_EQ(load(0, 1), 100u);
  window();
  EXPECT_EQ(load(1, 3), 111u);
  EXPECT_EQ(load(2, kNode1), 100u) << "another controller";
  EXPECT_EQ(load(1, 1), 7u) << "an L3 hit asks nobody";
  forget_demand();
  EXPECT_EQ(load(0, 9), 100u);
}

TEST_F(LabMemoryBandwidthTest, R8TheLinkIsOneForBothDirections) {
  limit(&Parameters::bw_link);
  load(4, 1);
  window();
  EXPECT_EQ(load(0, kNode2), 343u);
  EXPECT_EQ(load(0, 5), 100u) << "no link on the way";
}

TEST_F(LabMemoryBandwidthTest, R8TransfersTakeTheLink) {
  limit(&Parameters::bw_link);
  store(4, kNode2);
  EXPECT_EQ(load(0, kNode2), 220u);
  window();
  EXPECT_EQ(load(0, kNode2 + 5), 343u);
}

TEST_F(LabMemoryBandwidthTest, R8AGroupHasALinkToAllMemory) {
  limit(&Parameters::bw_group);
  load(0, 1);
  window();
  EXPECT_EQ(load(1, kNode2), 343u);
  EXPECT_EQ(load(2, kNode1), 100u) << "another group";
}

// The transfer from CPU 4 writes the line back to node 2.
TEST_F(LabMemoryBandwidthTest, R8WriteBacksTakeTheController) {
  limit(&Parameters::bw_mc);
  store(4, kNode2);
  forget_demand();
  load(0, kNode2);
  window();
  EXPECT_EQ(load(4, kNode2 + 1), 111u);
}

TEST_F(LabMemoryBandwidthTest, R8AWriteBackToAnotherPackageTakesTheLink) {
  limit(&Parameters::bw_link);
  store(0, kNode2);
  forget_demand();
  for (std::uint64_t line : {2, 4, 6, 8}) load(0, line);
  EXPECT_EQ(counted(Counter::kWritebacksRemote), 1u);
  window();
  EXPECT_EQ(load(0, kNode2), 343u);
}

// Traffic without a pattern, on few enough lines that all of them meet.
struct Traffic {
  std::mt19937 random{20011};
  struct Access {
    int cpu;
    std::uint64_t line;
    bool store;
  };
  Access next() {
    const auto pick = [&](unsigned n) { return static_cast<int>(random() % n); };
    return {pick(8), static_cast<std::uint64_t>(pick(4) * 64 + pick(12)), pick(3) == 0};
  }
};

TEST(LabMemory, InvariantsHoldAtEveryStepOfRandomTraffic) {
  Memory memory(small_machine(), small_parameters());
  Counters count;
  Traffic traffic;
  for (int step = 0; step < 20000; ++step) {
    const auto [cpu, line, store] = traffic.next();
    memory.access(cpu, line, store, 0, count);
    for (std::uint64_t node = 0; node < 4; ++node)
      for (std::uint64_t other = 0; other < 12; ++other)
        ASSERT_EQ(memory.check(node * 64 + other), "") << "step " << step;
  }
  for (Counter counter : {Counter::kUpgrades, Counter::kL3Hits, Counter::kTransfersSamePackage,
                          Counter::kTransfersOtherPackage, Counter::kWritebacksRemote})
    EXPECT_GT(count[counter], 100u) << "the traffic is not what it should be";
}

TEST(LabMemory, EveryMissIsAnsweredOnce) {
  Memory memory(small_machine(), small_parameters());
  Counters count;
  Traffic traffic;
  for (int step = 0; step < 20000; ++step) {
    const auto [cpu, line, store] = traffic.next();
    memory.access(cpu, line, store, 0, count);
  }
  EXPECT_EQ(count[Counter::kL2Misses],
            count[Counter::kL3Hits] + count[Counter::kTransfersSamePackage] +
                count[Counter::kTransfersOtherPackage] + count[Counter::kLocal] +
                count[Counter::kSamePackage] + count[Counter::kOtherPackage]);
}

// Accesses memory as the plugin does, with mappings that change now and then. Returns how often the
// filter answered.
int filtered(Memory& memory, int cpu, std::uint64_t virtual_line, std::uint64_t line, bool store,
             Counters& count) {
  if (memory.filter().hit(cpu, virtual_line, store)) return 1;
  memory.access(cpu, line, store, 0, count);
  memory.filter().remember(cpu, virtual_line, store);
  return 0;
}

TEST_F(LabMemoryTest, R4AnUpgradeCountsWhateverItCosts) {
  numbers_.lat_transfer_same = 0;
  memory_ = Memory(small_machine(), numbers_);
  load(0, 0);
  load(2, 0);
  EXPECT_EQ(store(0, 0), 0u);
  EXPECT_EQ(counted(Counter::kUpgrades), 1u);
  EXPECT_TRUE(in_order_);
}

TEST_F(LabMemoryTest, R14ALineChangesHandsOneCpuAtATime) {
  Counters count;
  memory_.access(0, 0, true, 0, count);
  EXPECT_EQ(memory_.access(2, 0, true, 1000, count).latency, 50u);
  EXPECT_EQ(memory_.access(4, 0, true, 1000, count).latency, 50u + 220u);
  EXPECT_EQ(memory_.access(6, 0, true, 1300, count).latency, 50u) << "the line was there by then";
  EXPECT_EQ(memory_.access(0, 1, true, 1000, count).latency, 100u) << "another line";
}

TEST_F(LabMemoryTest, R6HopsCostByDistance) {
  Machine machine = small_machine();
  machine.nodes[0].distances = {10, 11, 13, 15};
  machine.nodes[3].distances = {15, 13, 11, 10};
  Parameters by_hops = numbers_;
  by_hops.lat_hop = 10;
  Memory memory(machine, by_hops);
  EXPECT_EQ(memory.access(0, kNode2, false, 0, count_).latency, 130u);
  EXPECT_EQ(memory.access(0, 3 * 64, true, 0, count_).latency, 150u);
  EXPECT_EQ(memory.access(6, 3 * 64, true, 0, count_).latency, 220u + 50u);
}

TEST_F(LabMemoryTest, R13WhatIsWaitedFor) {
  store(0, 0);
  EXPECT_FALSE(in_order_) << "from memory";
  load(0, 0);
  EXPECT_FALSE(in_order_);
  load(1, 0);
  EXPECT_TRUE(in_order_) << "another CPU of the group had it modified";
  load(2, 0);
  EXPECT_TRUE(in_order_) << "another L3 had it modified";
  load(3, 0);
  EXPECT_FALSE(in_order_) << "the L3 had it";
  store(2, 0);
  EXPECT_TRUE(in_order_) << "an upgrade";
}

class LabFilterTest : public testing::TestWithParam<std::uint64_t> {};

TEST_P(LabFilterTest, ChangesNoCount) {
  Parameters numbers = small_parameters();
  numbers.l2_bytes = GetParam() * 64 * numbers.l2_ways;
  Memory plain(small_machine(), numbers), shortened(small_machine(), numbers);
  Counters counts[2];
  Traffic traffic;
  std::uint64_t page[8] = {};
  int answered = 0;
  for (int step = 0; step < 50000; ++step) {
    const auto [cpu, line, store] = traffic.next();
    if (step % 1000 ==
        0) {  // the CPU's pages move: virtual page p is now physical page (p - n) % 4
      page[cpu] = step / 1000;
      shortened.filter().forget_all(cpu);
    }
    const std::uint64_t virtual_line = (line + page[cpu] * 64) % 256 + 640;
    plain.access(cpu, line, store, 0, counts[0]);
    answered += filtered(shortened, cpu, virtual_line, line, store, counts[1]);
  }
  EXPECT_EQ(counts[0], counts[1]);
  EXPECT_GT(answered, 500) << "the filter was not in use";
}

INSTANTIATE_TEST_SUITE_P(L2Sets, LabFilterTest, testing::Values(1, 2, 64, 256));

// Groups and nodes of any size: node 0 with CPUs 0 to 2 in two groups and no memory, node 1 with
// memory and no CPU, node 2 of another package.
TEST(LabMemory, UnevenMachines) {
  Machine machine;
  machine.cpus = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}, {2, 1, 2}};
  machine.nodes = {{0, 0, "", {10, 12, 32}},
                   {0, 2 * kPageBytes, "a", {12, 10, 32}},
                   {1, kPageBytes, "b", {32, 32, 10}}};
  ASSERT_EQ(machine.fault(), "");
  Memory memory(machine, small_parameters());
  Counters count;
  EXPECT_EQ(memory.access(0, 0, false, 0, count).latency, 130u) << "line 0 is node 1's";
  EXPECT_EQ(memory.access(3, 127, false, 0, count).latency, 310u);
  EXPECT_EQ(memory.access(3, 128, false, 0, count).latency, 100u);
  EXPECT_EQ(memory.access(1, 0, true, 0, count).latency, 7u);
  EXPECT_EQ(memory.access(2, 0, false, 0, count).latency, 50u) << "two groups of one node";
}

}  // namespace
}  // namespace vicino::lab
