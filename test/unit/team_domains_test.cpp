// The domains in which a team has members, and the one of them that is nearest to any other.
#include <gmock/gmock.h>

#include <string>

#include "team/domains.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

using testing::ElementsAre;
using Near = DomainsOfMembers::Near;

DomainsOfMembers nodes(const std::string& name, std::vector<int> node_of) {
  const auto machine = topo::Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
  EXPECT_TRUE(machine.ok()) << machine.error();
  return nodes_of_members(*machine, node_of);
}

TEST(DomainsOfMembers, EachNodeIsNearestToItself) {
  const auto found = nodes("plain-2x4", {0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_THAT(found.used, ElementsAre(0, 1));
  EXPECT_THAT(found.near, ElementsAre(Near{0, 0}, Near{1, 4}));
}

TEST(DomainsOfMembers, ANodeWithoutMembersIsServedFromTheNearest) {
  const auto one = nodes("plain-2x4", {1, 1});
  EXPECT_THAT(one.used, ElementsAre(1));
  EXPECT_THAT(one.near, ElementsAre(Near{1, 0}, Near{1, 0}));
  // The row of node 3 on the ladder is 22 16 16 10 22 16 28 22, so 1 rather than 0 and 6.
  const auto some = nodes("opteron-8x2-ladder", {6, 1, 0, 1});
  EXPECT_THAT(some.used, ElementsAre(0, 1, 6));
  EXPECT_EQ(some.near[3], (Near{1, 1}));
  EXPECT_EQ(some.near[6], (Near{6, 0}));
}

TEST(DomainsOfMembers, MembersThatAreNotOnOneNodeDoNotCount) {
  EXPECT_THAT(nodes("plain-2x4", {-1, 1}).near, ElementsAre(Near{1, 1}, Near{1, 1}));
}

TEST(DomainsOfMembers, MembersThatAreNotBoundMayComeToAnyNode) {
  const auto found = nodes("plain-2x4", {-1, -1});
  EXPECT_THAT(found.used, ElementsAre(0, 1));
  EXPECT_THAT(found.near, ElementsAre(Near{0, 0}, Near{1, 0}));
}

// Eight nodes with two cache groups each.
TEST(DomainsOfMembers, AGroupWithoutMembersIsServedFromItsNodeFirst) {
  const auto machine = topo::Machine::from_xml(VICINO_MACHINES "/epyc-9354-2x32-nps4.xml");
  ASSERT_TRUE(machine.ok()) << machine.error();
  const auto found = domains_of_members(*machine, std::vector{0, 3, 5, 5});
  EXPECT_THAT(found.used, ElementsAre(0, 3, 5));
  EXPECT_EQ(found.near[1], (Near{0, 0}));
  EXPECT_EQ(found.near[2], (Near{3, 1}));
  EXPECT_EQ(found.near[4], (Near{5, 2}));
}

}  // namespace
}  // namespace vicino::team
