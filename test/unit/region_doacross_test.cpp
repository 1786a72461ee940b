// region/doacross.hpp: the memory for the flags of a nest's iterations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>

#include "region/doacross.hpp"

// Sanitizers ask these: memory that cannot be had is refused, as without them.
extern "C" [[gnu::visibility("default")]] const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}

namespace vicino::region {
namespace {

DoacrossFlags flags_for(uint64_t iterations) {
  const loop::DoacrossLoop nest[] = {{0, 1, iterations}};
  return DoacrossFlags(nest);
}

// Posts puts neighbours into two lines, counted from the first flag on. All blocks stay until the end, so
// that they begin at many places within a line.
TEST(DoacrossFlags, BeginWithALine) {
  std::list<DoacrossFlags> kept;
  for (uint64_t iterations = 0; iterations < 1000; iterations += 7) {
    const auto flags = kept.emplace_back(flags_for(iterations)).span();
    ASSERT_GT(flags.size(), iterations);
    EXPECT_EQ(flags.size() % loop::Posts::kTwoLines, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(flags.data()) % kLine, 0u) << iterations;
    EXPECT_TRUE(std::ranges::all_of(flags, [](const auto& flag) { return flag.load() == 0; }));
  }
}

TEST(DoacrossFlags, OfALargeNestAreBits) {
  using enum loop::Posts::Layout;
  EXPECT_EQ(flags_for(1000).layout(), kAlternating);
  const loop::DoacrossLoop two[] = {{0, 1, 100}, {0, 1, 100}};
  EXPECT_EQ(DoacrossFlags(two).layout(), kInRow);
  constexpr uint64_t kMany = uint64_t{1} << 30;
  const DoacrossFlags large = flags_for(kMany);
  EXPECT_EQ(large.layout(), kBits);
  EXPECT_GT(large.span().size(), kMany / loop::Posts::kBitsInFlag);
  EXPECT_LT(large.span().size(), kMany / loop::Posts::kBitsInFlag + 1000);
}

TEST(DoacrossFlags, AreEmptyWithoutMemory) {
  EXPECT_TRUE(flags_for(INT64_MAX).span().empty());
  EXPECT_TRUE(flags_for(UINT64_MAX).span().empty());
}

}  // namespace
}  // namespace vicino::region
