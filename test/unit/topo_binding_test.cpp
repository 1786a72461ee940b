// The rules of OpenMP 5.2, section 10.1.3, in every small case: P places and T threads from 1 to
// 70, and the primary thread on every place.
#include <gmock/gmock.h>

#include "topo/binding.hpp"

namespace vicino::topo {
namespace {

using testing::ElementsAre;
using Team = std::vector<PlacedThread>;

constexpr int kFirst = 3;  // a partition need not start at place 0
constexpr int kMost = 70;

template <class Check>
void for_all_cases(Bind bind, Check check) {
  for (int places = 1; places <= kMost; ++places)
    for (int threads = 1; threads <= kMost; ++threads)
      for (int offset = 0; offset < places; ++offset) {
        const Partition whole{kFirst, places};
        check(whole, kFirst + offset, assign_places(bind, whole, kFirst + offset, threads));
        if (testing::Test::HasFailure()) {
          ADD_FAILURE() << places << " places, " << threads << " threads, primary " << offset;
          return;
        }
      }
}

Partition partition_of(const PlacedThread& thread) {
  return {thread.partition_first, thread.partition_size};
}

// The threads on a place have consecutive numbers, and the places follow each other round the
// partition from the primary's place. Returns the number of threads on each place, in that order.
std::vector<int> group_sizes(const Team& team) {
  std::vector<int> sizes{0};
  for (size_t t = 0; t < team.size(); ++t) {
    if (t > 0 && team[t].place != team[t - 1].place) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes;
}

void expect_even(const std::vector<int>& sizes, int threads, int groups) {
  ASSERT_EQ(static_cast<int>(sizes.size()), groups);
  for (int size : sizes) {
    ASSERT_GE(size, threads / groups);
    ASSERT_LE(size, (threads + groups - 1) / groups);
  }
}

TEST(AssignPlaces, FalseBindsNobody) {
  for (const PlacedThread& thread : assign_places(Bind::kFalse, {0, 4}, -1, 6))
    EXPECT_EQ(thread, (PlacedThread{-1, 0, 4}));
  EXPECT_EQ(assign_places(Bind::kFalse, {0, 0}, -1, 2).size(), 2u);
}

TEST(AssignPlaces, PrimaryKeepsAllTogether) {
  for_all_cases(Bind::kPrimary, [](Partition whole, int primary, const Team& team) {
    for (const PlacedThread& thread : team)
      ASSERT_EQ(thread, (PlacedThread{primary, whole.first, whole.size}));
  });
}

TEST(AssignPlaces, CloseGoesRoundFromThePrimary) {
  for_all_cases(Bind::kClose, [](Partition whole, int primary, const Team& team) {
    const int threads = static_cast<int>(team.size());
    const std::vector<int> sizes = group_sizes(team);
    expect_even(sizes, threads, std::min(threads, whole.size));
    size_t thread = 0;
    for (size_t group = 0; group < sizes.size(); ++group) {
      const int place =
          whole.first + (primary - whole.first + static_cast<int>(group)) % whole.size;
      for (int i = 0; i < sizes[group]; ++i)
        ASSERT_EQ(team[thread++], (PlacedThread{place, whole.first, whole.size}));
    }
  });
}

TEST(AssignPlaces, SpreadCutsThePartition) {
  for_all_cases(Bind::kSpread, [](Partition whole, int primary, const Team& team) {
    const int threads = static_cast<int>(team.size());
    const int parts = std::min(threads, whole.size);
    expect_even(group_sizes(team), threads, parts);

    ASSERT_EQ(team[0].place, primary);
    ASSERT_TRUE(partition_of(team[0]).contains(primary));
    std::vector<int> covered(static_cast<size_t>(whole.size));
    for (size_t t = 0; t < team.size(); ++t) {
      const Partition part = partition_of(team[t]);
      ASSERT_GE(part.size, whole.size / parts);
      ASSERT_LE(part.size, (whole.size + parts - 1) / parts);
      const bool with_primary = part.contains(primary);
      ASSERT_EQ(team[t].place, with_primary ? primary : part.first);
      if (t > 0 && part == partition_of(team[t - 1])) continue;
      if (t > 0) {  // the next partition, or round to the first
        const Partition last = partition_of(team[t - 1]);
        const int end = last.first + last.size;
        ASSERT_EQ(part.first, end == whole.first + whole.size ? whole.first : end);
      }
      for (int place = part.first; place < part.first + part.size; ++place) {
        ASSERT_TRUE(whole.contains(place));
        ++covered[static_cast<size_t>(place - whole.first)];
      }
    }
    ASSERT_THAT(covered, testing::Each(1));
  });
}

TEST(AssignPlaces, TrueIsClose) {
  EXPECT_EQ(assign_places(Bind::kTrue, {0, 5}, 2, 8), assign_places(Bind::kClose, {0, 5}, 2, 8));
}

TEST(AssignPlaces, UnboundPrimaryCountsAsOnTheFirstPlace) {
  for (Bind bind : {Bind::kPrimary, Bind::kClose, Bind::kSpread})
    for (int outside : {-1, 2, 8})
      EXPECT_EQ(assign_places(bind, {3, 5}, outside, 4), assign_places(bind, {3, 5}, 3, 4));
}

// Worked out by hand, like the standard's examples: eight places, the primary on place 5.
TEST(AssignPlaces, ByHand) {
  EXPECT_THAT(assign_places(Bind::kSpread, {0, 8}, 5, 4),
              ElementsAre(PlacedThread{5, 4, 2}, PlacedThread{6, 6, 2}, PlacedThread{0, 0, 2},
                          PlacedThread{2, 2, 2}));
  EXPECT_THAT(assign_places(Bind::kSpread, {0, 8}, 5, 3),
              ElementsAre(PlacedThread{5, 3, 3}, PlacedThread{6, 6, 2}, PlacedThread{0, 0, 3}));
  EXPECT_THAT(assign_places(Bind::kClose, {0, 3}, 2, 5),
              ElementsAre(PlacedThread{2, 0, 3}, PlacedThread{2, 0, 3}, PlacedThread{0, 0, 3},
                          PlacedThread{0, 0, 3}, PlacedThread{1, 0, 3}));
}

}  // namespace
}  // namespace vicino::topo
