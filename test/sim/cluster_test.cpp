// studies/cluster: messages, slack and its formula, noise that depends on numbers alone. Expected
// values were worked out by hand.
#include "cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "loop/slack.hpp"

namespace cluster {
namespace {

using Times = std::vector<Time>;
using vicino::loop::with_slack;

// A microsecond for a message, and another for 1000 bytes.
Parameters parameters() {
  Parameters p = defaults();
  p.alpha = 1000;
  p.bandwidth = 1;
  p.nbody_halo = p.snap_halo = 1000;
  return p;
}

constexpr Time us(Time microseconds) { return microseconds * 1'000'000; }

TEST(ClusterNetwork, GridsAreAsNearToCubesAsTheNumberAllows) {
  EXPECT_EQ(grid(1, 3), (std::vector<uint32_t>{1, 1, 1}));
  EXPECT_EQ(grid(8, 3), (std::vector<uint32_t>{2, 2, 2}));
  EXPECT_EQ(grid(1024, 2), (std::vector<uint32_t>{32, 32}));
  EXPECT_EQ(grid(12, 2), (std::vector<uint32_t>{3, 4}));
}

TEST(ClusterNetwork, NeighboursAreAllAroundAndOnce) {
  EXPECT_EQ(neighbours(0, grid(1, 3)), (std::vector<uint32_t>{}));
  EXPECT_EQ(neighbours(5, grid(16, 2)), (std::vector<uint32_t>{6, 4, 9, 1}));
  EXPECT_EQ(neighbours(0, grid(8, 3)), (std::vector<uint32_t>{1, 2, 4}));
}

// Without an allreduce (SNAP has one in 8 steps): a row of 5 nodes in a grid of 1 x 5. Each waits for
// its neighbours, then 2 us for the bytes.
TEST(ClusterNetwork, AHaloExchangeWaitsForNeighbours) {
  const Parameters p = parameters();
  Network network(5, Workload::snap(p, 1), p);
  network.step(Times{us(10), us(20), us(10), us(10), us(40)});
  EXPECT_EQ(Times(network.slack().begin(), network.slack().end()),
            (Times{us(30), 0, us(10), us(30), 0}));
  EXPECT_EQ(network.now(), us(42));
  network.step(Times{us(1), us(1), us(1), us(1), us(1)});  // from 42, 22, 22, 42, 42
  EXPECT_EQ(Times(network.slack().begin(), network.slack().end()),
            (Times{0, us(20), us(20), 0, 0}));
  EXPECT_EQ(network.now(), us(45));
}

// Rank k computes k x 10 ms more, and an allreduce follows: its slack is what it is ahead of the last.
// All ranks go on together, after 2 us for the halo and 3 messages of 1 us + 8 ns.
TEST(ClusterNetwork, SlackOfRankK) {
  const Parameters p = parameters();
  Network network(5, Workload::nbody(p, 1), p);
  Times loops;
  for (Time k = 0; k < 5; ++k) loops.push_back(us(5'000 + k * 10'000));
  network.step(loops);
  for (Time k = 0; k < 5; ++k) EXPECT_EQ(network.slack()[k], us((4 - k) * 10'000)) << k;
  EXPECT_EQ(network.now(), us(45'000) + us(2) + 3 * (us(1) + 8'000));
}

TEST(ClusterNetwork, OneNodeSendsNothing) {
  const Parameters p = parameters();
  Network network(1, Workload::nbody(p, 1), p);
  network.step(Times{us(7)});
  EXPECT_EQ(network.now(), us(7));
  EXPECT_EQ(network.slack()[0], 0u);
}

TEST(ClusterSlack, TheFormulaByHand) {
  EXPECT_DOUBLE_EQ(with_slack(0.8, 0, 10, 16), 0.8);
  EXPECT_DOUBLE_EQ(with_slack(0.8, 15, 10, 16), 0.9);  // 1 - (0.2 - 15 / 150)
  EXPECT_DOUBLE_EQ(with_slack(0.8, 1000, 10, 16), 1);  // never above 1
  EXPECT_DOUBLE_EQ(with_slack(0.5, 2, 8, 5), 0.5625);  // 1 - (0.5 - 2 / 32)
  EXPECT_DOUBLE_EQ(with_slack(0.8, 15, 10, 1), 0.8);
  EXPECT_DOUBLE_EQ(with_slack(0.8, 15, 0, 16), 0.8);  // no loop yet
}

const Strategy& strategy(std::string_view name) {
  return *std::ranges::find(kStrategies, name, &Strategy::name);
}

// With slack without end a loop is static from the second step on: as long as a loop by blocks, and
// nothing moves any more.
TEST(ClusterNode, EndlessSlackMakesALoopStatic) {
  const Parameters p = parameters();
  Node::Machine machine(p);
  const Workload nbody = Workload::nbody(p, 1);
  Node slack(0, nbody, p, strategy("callsite"), 1), without(0, nbody, p, strategy("callsite"), 1),
      fixed(0, nbody, p, strategy("static"), 1);
  for (int step = 0; step < 4; ++step) {
    const Time mine = slack.step(machine, us(1'000'000)), other = without.step(machine, 0),
               block = fixed.step(machine, 0);
    if (step < 2) continue;  // in the second step data move back
    EXPECT_NEAR(static_cast<double>(mine), static_cast<double>(block), 1e6) << step;
    EXPECT_LT(other, mine) << step;
  }
}

// Without noise and clusters each of 16 cores has 256 iterations of 10 us; the last member begins
// after 5 x 150 ns, and the barrier takes 4 x 74 ns.
TEST(ClusterNode, AnEvenStaticLoopByHand) {
  Parameters p = parameters();
  p.sigma = p.clustering = 0;
  Node::Machine machine(p);
  Node node(3, Workload::nbody(p, 1), p, strategy("static"), 1);
  EXPECT_EQ(node.step(machine, 0), us(2560) - us(0) + 4 * 150'000 + 4 * 74'000);
  EXPECT_EQ(node.moved(), 0);
}

// By one counter iterations go to cores at random.
TEST(ClusterNode, DataThatMovedCostMore) {
  Parameters p = parameters();
  p.sigma = p.clustering = 0;
  Node::Machine machine(p);
  const auto time = [&](const Parameters& with) {
    const Workload nbody = Workload::nbody(with, 1);
    Node node(0, nbody, with, strategy("dynamic"), 1);
    return static_cast<double>(node.step(machine, 0));
  };
  const double much = time(p);
  p.nbody_cache = 0;
  const double none = time(p);
  // Of a random core's moves 7 of 15 stay in the package, and one in 16 does not move at all.
  const double mean = 7.0 / 16 * 0.05 * (37.0 / 13 - 1) + 8.0 / 16 * 0.05 * (74.0 / 13 - 1);
  EXPECT_NEAR(much / none, 1 + mean, 0.02);
}

TEST(ClusterWorkload, TheFullestBlockIsAsFullAsSaid) {
  Parameters p = parameters();
  p.clustering = 0.1;
  const auto times = Workload::nbody(p, 5).iterations(7);
  double most = 0, all = 0;
  for (size_t block = 0; block < 16; ++block) {
    double sum = 0;
    for (size_t i = 256 * block; i < 256 * (block + 1); ++i)
      sum += static_cast<double>((*times)[i]);
    most = std::max(most, sum);
    all += sum;
  }
  EXPECT_NEAR(most / (all / 16), 1.1, 1e-4);
}

TEST(ClusterWorkload, NodesDifferByWhatIsSaid) {
  Parameters p = parameters();
  p.ranks = 0.1;
  Time least = UINT64_MAX, most = 0;
  for (uint32_t node = 0; node < 200; ++node) {
    const Time first = Workload::snap(p, 1).iterations(node)->front();
    least = std::min(least, first);
    most = std::max(most, first);
  }
  EXPECT_NEAR(static_cast<double>(least), 7.2e6, 0.05e6);
  EXPECT_NEAR(static_cast<double>(most), 8.8e6, 0.05e6);
}

TEST(ClusterWorkload, TracesAreRead) {
  const Parameters p = parameters();
  const auto good = Workload::trace(p, "10\n# nothing\n\n 2.5 # ns\r\n");
  ASSERT_TRUE(good.ok()) << good.error();
  EXPECT_EQ(*good->iterations(0), (std::vector<Time>{10'000, 2'500}));
  EXPECT_EQ(Workload::trace(p, "1\nx y\n").error(),
            "line 2 of the trace is to be nanoseconds, from 0 to 10^10, not 'x y'");
  EXPECT_FALSE(Workload::trace(p, "-1").ok());
  EXPECT_EQ(Workload::trace(p, "# none\n").error(), "the trace has no iteration");
}

TEST(ClusterParameters, AreSetByName) {
  Parameters p = defaults();
  EXPECT_TRUE(set(p, "alpha=low").ok());
  EXPECT_EQ(p.alpha, 1000);
  EXPECT_TRUE(set(p, "sigma=0.25").ok());
  EXPECT_EQ(p.sigma, 0.25);
  EXPECT_NE(set(p, "sigma=2").error().find("takes low, high or a number from 0 to 1, not '2'"),
            std::string::npos);
  EXPECT_FALSE(set(p, "alpha=0").ok());
  EXPECT_FALSE(set(p, "alpha").ok());
  EXPECT_NE(set(p, "beta=1").error().find("no parameter 'beta'; known: sigma, "),
            std::string::npos);
}

TEST(ClusterParameters, EachIsWithinItsLimits) {
  for (const Row& row : table()) {
    EXPECT_LE(row.low, row.value) << row.name;
    EXPECT_LE(row.value, row.high) << row.name;
    EXPECT_LT(row.low, row.high) << row.name;
  }
}

Scale scale(std::vector<uint32_t> nodes) {
  return {.nodes = std::move(nodes), .warm = 3, .steps = 5, .seed = 1, .threads = 1};
}

std::vector<double> steps(std::string_view name, const Scale& scale) {
  const Parameters p = defaults();
  std::vector<double> times;
  for (const Outcome& o : simulate(strategy(name), Workload::nbody(p, 1), p, scale)) {
    times.push_back(o.step);
    times.push_back(o.slack);
  }
  return times;
}

TEST(Cluster, EqualSeedsGiveEqualResultsOnAnyThreads) {
  for (const Strategy& each : kStrategies) {
    Scale one = scale({1, 6}), three = one, other = one;
    three.threads = 3;
    other.seed = 2;
    const auto result = steps(each.name, one);
    EXPECT_EQ(result, steps(each.name, one)) << each.name;
    EXPECT_EQ(result, steps(each.name, three)) << each.name;
    EXPECT_NE(result, steps(each.name, other)) << each.name;
  }
}

// Smaller clusters are made of the first nodes of the largest: the same as if run alone.
TEST(Cluster, ASmallerClusterIsTheSameAlone) {
  for (const char* name : {"static", "uSched", "full"}) {
    const auto both = steps(name, scale({2, 4}));
    EXPECT_EQ(std::vector(both.begin(), both.begin() + 2), steps(name, scale({2}))) << name;
  }
}

}  // namespace
}  // namespace cluster
