// The members of a taskloop's crew, node by node.
#include <gmock/gmock.h>

#include "tasking/crew.hpp"

namespace vicino::tasking {
namespace {

using testing::ElementsAre;
using Crew = std::vector<CrewPart>;

TEST(Crew, OfATeamThatIsNotBoundHasWhoMetTheTaskloop) {
  const std::vector<int> anywhere(5, -1), node{-1};
  EXPECT_EQ(crew_of(anywhere, node, 1, 3), (Crew{{-1, {3}}}));
  EXPECT_EQ(crew_of(anywhere, node, 3, 3), (Crew{{-1, {0, 1, 3}}}));
  EXPECT_EQ(crew_of(anywhere, node, 5, 3), (Crew{{-1, {0, 1, 2, 3, 4}}}));
}

TEST(Crew, FillsOneNodeAfterTheOther) {
  const std::vector<int> node_of{0, 0, 0, 1, 1, 1, 2, 2};
  EXPECT_EQ(crew_of(node_of, std::vector{1, 0, 2}, 3, 7), (Crew{{1, {3, 4, 5}}}));
  EXPECT_EQ(crew_of(node_of, std::vector{1, 0, 2}, 5, 7), (Crew{{0, {0, 1}}, {1, {3, 4, 5}}}));
  EXPECT_EQ(crew_of(node_of, std::vector{1, 2, 0}, 4, 7), (Crew{{1, {3, 4, 5}}, {2, {7}}}));
  EXPECT_EQ(crew_of(node_of, std::vector{2, 1, 0}, 8, 0),
            (Crew{{0, {0, 1, 2}}, {1, {3, 4, 5}}, {2, {6, 7}}}));
}

TEST(Crew, PassesOverNodesWithoutMembers) {
  const std::vector<int> node_of{4, 4, 2, 2};
  EXPECT_EQ(crew_of(node_of, std::vector{3, 2, 1, 0, 4}, 3, 0), (Crew{{4, {0}}, {2, {2, 3}}}));
}

TEST(Crew, OfMembersThatTakeTurnsOnNodes) {
  const std::vector<int> node_of{0, 1, 0, 1};
  EXPECT_EQ(crew_of(node_of, std::vector{1, 0}, 4, 0), (Crew{{0, {0, 2}}, {1, {1, 3}}}));
}

TEST(CrewRows, HaveWhatAStaticLoopGives) {
  const Crew parts{{0, {0, 1}}, {1, {2}}};
  const auto rows = crew_rows(parts, 11, 3);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].iterations, (loop::Range{0, 4}));
  EXPECT_EQ(rows[1].iterations, (loop::Range{4, 8}));
  EXPECT_EQ(rows[2].iterations, (loop::Range{8, 11}));
  EXPECT_EQ(rows[1].member, 1);
  EXPECT_EQ(rows[2].node, 1);
}

TEST(CrewRows, OfFewIterationsHaveAsManyUnits) {
  const auto rows = crew_rows(Crew{{-1, {0, 1, 2}}}, 2, 80);
  EXPECT_EQ(rows[0].units, 1u);
  EXPECT_EQ(rows[1].units, 1u);
  EXPECT_EQ(rows[2].units, 0u);
  EXPECT_TRUE(rows[2].iterations.empty());
}

// 31 in 100 of a node's units, rounded up once.
TEST(CrewRows, ShareANodesStrictPart) {
  const auto rows = crew_rows(Crew{{0, {0, 1, 2, 3}}, {1, {4, 5}}}, 60, 10);
  std::vector<uint32_t> strict;
  for (const CrewRow& row : rows) strict.push_back(row.strict);
  EXPECT_THAT(strict, ElementsAre(4, 3, 3, 3, 4, 3));
}

TEST(CrewRows, GiveATenthAtOnce) {
  const Crew parts{{0, {0, 1}}};
  EXPECT_EQ(crew_rows(parts, 1000, 80)[0].at_once, 8u);
  EXPECT_EQ(crew_rows(parts, 60, 80)[0].at_once, 3u);
  EXPECT_EQ(crew_rows(parts, 10, 80)[0].at_once, 1u);
}

}  // namespace
}  // namespace vicino::tasking
