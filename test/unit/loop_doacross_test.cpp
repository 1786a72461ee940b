// loop/doacross.hpp: where the flags of iterations lie. test/model has the waits.
#include <gtest/gtest.h>

#include <vector>

#include "loop/doacross.hpp"

namespace vicino::loop {
namespace {

std::vector<bool> posted_of(const Posts& posts, uint64_t iterations) {
  std::vector<bool> posted;
  for (uint64_t i = 0; i < iterations; ++i) posted.push_back(posts.is_posted(i));
  return posted;
}

class DoacrossPosts : public testing::TestWithParam<bool> {};

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
INSTANTIATE_TEST_SUITE_P(OneLineAndTwo, DoacrossPosts, testing::Bool());

// An iteration is not posted in the line in which the one before it is waited for.
TEST(DoacrossLayout, NeighboursLieInTwoLines) {
  std::vector<Posts::Flag> flags(2 * Posts::kTwoLines);
  Posts posts(flags, true);
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

}  // namespace
}  // namespace vicino::loop
