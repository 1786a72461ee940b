// Which members are in a taskloop's crew, node by node.
#include <gmock/gmock.h>

#include "team/crew.hpp"

namespace vicino::team {
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

}  // namespace
}  // namespace vicino::team
