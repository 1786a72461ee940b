// region/leaders.hpp: how several roots divide the CPUs.
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "region/leaders.hpp"

namespace vicino::region {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kNow = 1000 * kMs;

class Roots : public testing::Test {
 protected:
  // What the root gets of so many CPUs.
  int part(int root, int cpus, uint64_t now = kNow) {
    return Leaders::part_of(cpus, leaders_.others(root, now));
  }
  Leaders leaders_;
};

TEST_F(Roots, OneThatLeadsAloneGetsAll) {
  const int one = leaders_.enter();
  leaders_.enter();  // it has led nothing yet
  EXPECT_EQ(part(one, 8), 8);
}

TEST_F(Roots, EachHasALineOfItsOwn) {
  std::set<int> lines;
  for (int i = 0; i < Leaders::kMost; ++i) lines.insert(leaders_.enter());
  EXPECT_EQ(lines.size(), static_cast<size_t>(Leaders::kMost));
  EXPECT_EQ(*lines.begin(), 0);
  EXPECT_EQ(leaders_.enter(), Leaders::kNone);
  leaders_.leave(17);
  EXPECT_EQ(leaders_.enter(), 17);
}

TEST_F(Roots, OneWithoutALineSeesTheOthers) {
  EXPECT_EQ(part(Leaders::kNone, 8), 8);
  const int other = leaders_.enter();
  leaders_.region_begins(other, kNow, 8);
  EXPECT_EQ(part(Leaders::kNone, 8), 4);
  leaders_.region_ends(Leaders::kNone);
  EXPECT_EQ(part(Leaders::kNone, 8), 4);
}

TEST_F(Roots, TheLastOfManyIsSeen) {
  const int one = leaders_.enter();
  int last = one;
  for (int i = 0; i < 200; ++i) last = leaders_.enter();
  leaders_.region_begins(last, kNow, 8);
  EXPECT_EQ(part(one, 8), 4);
  leaders_.forget();
  EXPECT_EQ(part(leaders_.enter(), 8), 8);
}

TEST_F(Roots, WhoIsInARegionHasItsPart) {
  const int one = leaders_.enter(), other = leaders_.enter();
  leaders_.region_begins(other, kNow, 8);
  EXPECT_EQ(part(one, 8), 4);
  EXPECT_EQ(part(one, 8, kNow + 3600'000 * kMs), 4);  // however long the region lasts
  EXPECT_EQ(part(other, 8), 8);
}

// So many threads have no place in a line, beside the time.
TEST_F(Roots, AHugeTeamIsStillOne) {
  const int one = leaders_.enter(), other = leaders_.enter();
  leaders_.region_begins(other, kNow, 1 << 20);
  EXPECT_GE(leaders_.others(one, kNow).threads, 10'000);
  leaders_.region_ends(other);
  EXPECT_EQ(leaders_.others(one, kNow + 2 * Leaders::kRecentNs).leading, 0);
  EXPECT_EQ(leaders_.others(one, kNow + 2 * Leaders::kLatelyNs).threads_lately, 0);
}

TEST_F(Roots, WhoBeginsOneSoonKeepsItsPart) {
  const int one = leaders_.enter(), other = leaders_.enter();
  leaders_.region_begins(other, kNow, 8);
  leaders_.region_ends(other);
  EXPECT_EQ(part(one, 8, kNow + Leaders::kRecentNs / 2), 4);
  EXPECT_EQ(part(one, 8, kNow + Leaders::kRecentNs + kMs), 8);
}

// For a root that shares its CPU may take long to come back.
TEST_F(Roots, WhoLedLatelyHasThreadsButNoPart) {
  const int one = leaders_.enter(), other = leaders_.enter();
  leaders_.region_begins(other, kNow, 8);
  leaders_.region_ends(other);
  const Leaders::Others soon = leaders_.others(one, kNow + 2 * Leaders::kRecentNs);
  EXPECT_EQ(soon.leading, 0);
  EXPECT_EQ(soon.threads, 0);
  EXPECT_EQ(soon.threads_lately, 8);
  EXPECT_EQ(leaders_.others(one, kNow + Leaders::kLatelyNs + kMs).threads_lately, 0);
}

TEST_F(Roots, WhatOthersLeaveIsTaken) {
  const int one = leaders_.enter(), other = leaders_.enter();
  leaders_.region_begins(other, kNow, 1);
  EXPECT_EQ(part(one, 8), 7);
  leaders_.region_begins(other, kNow, 4);
  EXPECT_EQ(part(one, 8), 4);
  EXPECT_EQ(part(one, 1), 1);
}

TEST_F(Roots, AnEndedRootAndAForkedChildHaveNoPart) {
  const int one = leaders_.enter(), other = leaders_.enter();
  leaders_.region_begins(other, kNow, 8);
  leaders_.leave(other);
  EXPECT_EQ(part(one, 8), 8);
  const int third = leaders_.enter();
  leaders_.region_begins(third, kNow, 8);
  leaders_.forget();
  EXPECT_EQ(part(one, 8), 8);
}

// Each looks before each of its regions; at first the first root has all CPUs.
TEST_F(Roots, AllOfThemHaveAllCpusAndNotMore) {
  for (const int cpus : {1, 2, 3, 8, 64, 384})
    for (int count = 2; count <= 12; ++count) {
      leaders_.forget();
      std::vector<int> roots, threads;
      for (int i = 0; i < count; ++i) roots.push_back(leaders_.enter());
      for (int round = 0; round < 3; ++round) {
        threads.clear();
        for (const int root : roots) {
          threads.push_back(part(root, cpus));
          leaders_.region_begins(root, kNow, threads.back());
        }
      }
      for (const int had : threads) EXPECT_GE(had, std::max(1, cpus / count));
      EXPECT_EQ(std::accumulate(threads.begin(), threads.end(), 0), std::max(cpus, count))
          << cpus << " CPUs, " << count << " roots";
    }
}

}  // namespace
}  // namespace vicino::region
