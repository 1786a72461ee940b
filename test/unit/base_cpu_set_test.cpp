#include <gtest/gtest.h>
#include <sched.h>

#include <random>
#include <set>

#include "base/cpu_set.hpp"

namespace vicino {
namespace {

CpuSet parsed(std::string_view text) {
  Result<CpuSet> set = CpuSet::parse_list(text);
  EXPECT_TRUE(set.ok()) << text << ": " << set.error();
  return set.ok() ? *set : CpuSet();
}

TEST(CpuSet, EmptyHasNoMembers) {
  const CpuSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.count(), 0);
  EXPECT_EQ(set.first(), -1);
  EXPECT_EQ(set.last(), -1);
  EXPECT_EQ(set.to_list(), "");
  EXPECT_FALSE(set.test(0));
  EXPECT_FALSE(set.test(-1));
}

TEST(CpuSet, WalksAcrossWords) {
  CpuSet set;
  for (int cpu : {0, 63, 64, 127, 1024, 5000}) set.set(cpu);
  std::vector<int> seen;
  set.for_each([&](int cpu) { seen.push_back(cpu); });
  EXPECT_EQ(seen, (std::vector{0, 63, 64, 127, 1024, 5000}));
  EXPECT_EQ(set.last(), 5000);
  EXPECT_EQ(set.next(5000), -1);
}

TEST(CpuSet, EqualAfterClearingTheHighest) {
  CpuSet set = CpuSet::of(1);
  set.set(4000);
  set.clear(4000);
  set.clear(9000);
  EXPECT_TRUE(set.check());
  EXPECT_EQ(set, CpuSet::of(1));
}

TEST(CpuSet, ListsAreTheKernels) {
  for (const char* text : {"", "0", "0-3,8", "0,2,4", "62-65", "1023-1025,65535"})
    EXPECT_EQ(parsed(text).to_list(), text);
  EXPECT_EQ(parsed("3,1,2,2\n").to_list(), "1-3");
}

TEST(CpuSet, RefusesWhatIsNoList) {
  for (const char* text : {"a", "-1", "3-", "3-1", "1,,2", "1,", ",1", "1 2", "65536", "0-65536",
                           "99999999999999999999", "0x1"}) {
    Result<CpuSet> set = CpuSet::parse_list(text);
    EXPECT_FALSE(set.ok()) << text;
    EXPECT_NE(set.error().find(text), std::string::npos);
  }
}

TEST(CpuSet, KernelMaskBothWays) {
  const CpuSet set = parsed("0,5,63-64,1500");
  EXPECT_EQ(CpuSet::from_kernel(set.to_kernel()), set);
  const CpuSet none;
  EXPECT_FALSE(none.to_kernel().empty());

  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int cpu : {3, 64, 1023}) CPU_SET(cpu, &mask);
  EXPECT_EQ(CpuSet::from_kernel(mask.__bits).to_list(), "3,64,1023");
  const CpuSet one = CpuSet::of(70);
  const auto words = one.to_kernel();
  EXPECT_TRUE(
      CPU_ISSET_S(70, words.size_bytes(), reinterpret_cast<const cpu_set_t*>(words.data())));
}

// Compared with std::set, with members on both sides of each word's edge.
TEST(CpuSet, AlgebraIsThatOfSets) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    CpuSet a, b;
    std::set<int> in_a, in_b;
    for (int i = 0; i < 20; ++i) {
      const int x = static_cast<int>(random() % 200), y = static_cast<int>(random() % 90);
      a.set(x), in_a.insert(x);
      b.set(y), in_b.insert(y);
    }
    bool contains = true, intersects = false;
    for (int cpu = 0; cpu < 260; ++cpu) {
      const bool inside_a = in_a.contains(cpu), inside_b = in_b.contains(cpu);
      ASSERT_EQ((a & b).test(cpu), inside_a && inside_b);
      ASSERT_EQ((a | b).test(cpu), inside_a || inside_b);
      ASSERT_EQ((a - b).test(cpu), inside_a && !inside_b);
      contains = contains && (inside_a || !inside_b);
      intersects = intersects || (inside_a && inside_b);
    }
    ASSERT_EQ(a.contains(b), contains);
    ASSERT_TRUE(a.contains(a & b) && (a | b).contains(b));
    ASSERT_EQ(a.intersects(b), intersects);
    ASSERT_FALSE((a - b).intersects(b));
    ASSERT_TRUE((a - b).check() && (a & b).check() && (a | b).check());
    ASSERT_EQ(a.count(), static_cast<int>(in_a.size()));
  }
}

}  // namespace
}  // namespace vicino
