// loop/doacross.hpp: where the flags of iterations lie. test/model has the waits.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "loop/doacross.hpp"

namespace vicino::loop {
namespace {

std::vector<bool> posted_of(const Posts& posts, uint64_t iterations) {
  std::vector<bool> posted;
  for (uint64_t i = 0; i < iterations; ++i) posted.push_back(posts.is_posted(i));
  return posted;
}

using Layout = Posts::Layout;

class DoacrossPosts : public testing::TestWithParam<Layout> {};

// Each post is that of its iteration, and of no other: neither of one before nor of one after it.
TEST_P(DoacrossPosts, EachIterationHasAFlagOfItsOwn) {
  constexpr uint64_t kIterations = 3 * Posts::kTwoLines;
  std::vector<Posts::Flag> flags(kIterations);
  Posts posts(flags, GetParam());
  std::vector<bool> expected(kIterations);
  for (uint64_t i = 0; i < kIterations; ++i) {
    const uint64_t iteration =
        i * 5 % kIterations;  // 5 and the number of iterations have no common factor
    posts.post(iteration);
    expected[iteration] = true;
    ASSERT_EQ(posted_of(posts, kIterations), expected) << "after the post of " << iteration;
  }
}
INSTANTIATE_TEST_SUITE_P(EachLayout, DoacrossPosts,
                         testing::Values(Layout::kInRow, Layout::kAlternating, Layout::kBits));

// An iteration is not posted in the line in which the one before it is waited for.
TEST(DoacrossLayout, NeighboursLieInTwoLines) {
  std::vector<Posts::Flag> flags(2 * Posts::kTwoLines);
  Posts posts(flags, Layout::kAlternating);
  std::vector<std::size_t> lines;
  std::vector<bool> seen(flags.size());
  for (uint64_t iteration = 0; iteration < flags.size(); ++iteration) {
    posts.post(iteration);
    for (std::size_t at = 0; at < flags.size(); ++at)
      if (flags[at].load() != 0 && !seen[at]) seen[at] = true, lines.push_back(at / kLine);
  }
  ASSERT_EQ(lines.size(), flags.size());
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_NE(lines[i], lines[i - 1]);
}

// Two waits of a thread that comes back from its first offer of the core after a time slice: how often it
// asks whether others want the cores. It asks in each wait in which it takes turns.
int asks_in_two_waits(bool others_want) {
  int asks = 0;
  std::thread([&] {
    std::vector<Posts::Flag> flags(Posts::kTwoLines);
    Posts posts(flags);
    sync::Patience patience;
    const auto limits = sync::PatienceLimits::shared(1000);
    const auto slice_later = [] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return true;
    };
    const auto ask = [&](int) { return ++asks, others_want; };
    for (int wait = 0; wait < 2; ++wait) posts.wait(5, {patience, limits}, slice_later, ask);
  }).join();
  return asks;
}

TEST(DoacrossTurns, EndForAWhileWhenAnotherProcessTookASlice) {
  EXPECT_EQ(asks_in_two_waits(true), 1);
  EXPECT_EQ(asks_in_two_waits(false), 2);
}

}  // namespace
}  // namespace vicino::loop
