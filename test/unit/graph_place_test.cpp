// graph/place.hpp: the nodes of aggregates, and the pages that tasks write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/place.hpp"
#include "graph_makers.hpp"

namespace vicino::graph {
namespace {

using testing::Each;
using testing::ElementsAre;
using Stretch = Written::Stretch;

constexpr size_t kPage = 4096;

const void* at(uintptr_t address) { return reinterpret_cast<const void*>(address); }

TEST(GraphPlace, EachDepthIsDividedAmongTheNodes) {
  // Depth 0: task 0; depth 1: tasks 1 to 4; depth 2: tasks 5 and 6.
  const Graph graph = graph_of({{}, {0}, {0}, {0}, {0}, {1}, {4}});
  const Placement placement = place_by_fronts(graph, 2, true);
  EXPECT_THAT(placement.node, ElementsAre(1, 0, 0, 1, 1, 0, 1));
  EXPECT_THAT(placement.strict, Each(true));
  EXPECT_THAT(place_by_fronts(graph, 1, false).node, Each(0));
  EXPECT_THAT(place_by_fronts(graph, 1, false).strict, Each(false));
  EXPECT_TRUE(place_by_fronts(Graph(), 4, false).node.empty());
}

TEST(GraphWritten, PagesOfOneNodeAreOneStretch) {
  Written written(kPage);
  written.add(at(10 * kPage + 100), 2 * kPage, 1);  // parts of three pages
  written.add(at(13 * kPage), kPage, 1);
  written.add(at(20 * kPage), 1, 1);
  EXPECT_THAT(written.stretches(),
              ElementsAre(Stretch{10 * kPage, 4, 1}, Stretch{20 * kPage, 1, 1}));
}

TEST(GraphWritten, APageGoesToTheNodeThatWritesMostOfIt) {
  Written written(kPage);
  written.add(at(5 * kPage), 1000, 2);
  written.add(at(5 * kPage + 1000), 1500, 0);
  written.add(at(5 * kPage + 2500), 600, 2);
  EXPECT_THAT(written.stretches(), ElementsAre(Stretch{5 * kPage, 1, 2}));
  written.add(at(5 * kPage + 3100), 100, 0);  // now both write 1600 bytes
  EXPECT_THAT(written.stretches(), ElementsAre(Stretch{5 * kPage, 1, 0}));
}

TEST(GraphWritten, NothingAndTheEndOfTheAddressSpace) {
  Written written(kPage);
  written.add(at(kPage), 0, 0);
  EXPECT_TRUE(written.stretches().empty());
  written.add(at(UINTPTR_MAX - 10), SIZE_MAX, 3);
  EXPECT_THAT(written.stretches(), ElementsAre(Stretch{UINTPTR_MAX - kPage + 1, 1, 3}));
}

}  // namespace
}  // namespace vicino::graph
