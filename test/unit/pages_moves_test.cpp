// Which pages go where.
#include <gmock/gmock.h>

#include <set>

#include "pages/moves.hpp"

namespace vicino::pages {
namespace {

using testing::ElementsAre;
using topo::PageRun;

constexpr size_t kPage = 4096;
constexpr uintptr_t kAt = 0x6000'0000'0000, kLarge = 2 << 20;

// The pages of the runs, each with its node.
std::set<std::pair<uintptr_t, int>> pages(std::span<const PageRun> runs) {
  std::set<std::pair<uintptr_t, int>> pages;
  for (const PageRun& run : runs)
    for (uintptr_t at = run.begin; at < run.end; at += kPage)
      EXPECT_TRUE(pages.emplace(at, run.node).second) << "twice";
  return pages;
}

TEST(Moves, BlocksAreThoseOfAStaticLoop) {
  const std::vector<int> owners{0, 0, 1, 1};
  const Array arrays[] = {{kAt + 16, kAt + 8 * kPage}, {kAt + 100 * kPage, kAt + 104 * kPage}};
  EXPECT_THAT(runs_of(Placement::kBlocks, arrays, owners, kPage),
              ElementsAre(PageRun{kAt + kPage, kAt + 4 * kPage, 0},
                          PageRun{kAt + 4 * kPage, kAt + 8 * kPage, 1},
                          PageRun{kAt + 100 * kPage, kAt + 102 * kPage, 0},
                          PageRun{kAt + 102 * kPage, kAt + 104 * kPage, 1}));
}

TEST(Moves, InterleavedPagesTakeTurns) {
  const std::vector<int> owners{5, 3, 3, 5};
  const Array small{kAt, kAt + 4 * kPage};
  EXPECT_THAT(runs_of(Placement::kInterleaved, {&small, 1}, owners, kPage),
              ElementsAre(PageRun{kAt, kAt + kPage, 3}, PageRun{kAt + kPage, kAt + 2 * kPage, 5},
                          PageRun{kAt + 2 * kPage, kAt + 3 * kPage, 3},
                          PageRun{kAt + 3 * kPage, kAt + 4 * kPage, 5}));
  const Array big{kAt, kAt + 16 * kLarge};
  const auto runs = runs_of(Placement::kInterleaved, {&big, 1}, owners, kPage);
  ASSERT_EQ(runs.size(), 16u);
  for (size_t i = 0; i < 16; ++i)
    EXPECT_EQ(runs[i], (PageRun{kAt + i * kLarge, kAt + (i + 1) * kLarge, i % 2 == 0 ? 3 : 5}));
}

// All parts together are the whole, no page is in two, and each part has its share of each run.
TEST(Moves, PartsAreTheWhole) {
  const std::vector<int> owners{0, 1, 2, 3};
  for (const uintptr_t bytes : {kPage, 5 * kPage, 64 * kPage, 1000 * kPage, 100 * kLarge}) {
    const Array array{kAt + 3 * kPage, kAt + 3 * kPage + bytes};
    for (const Placement placement : {Placement::kBlocks, Placement::kInterleaved}) {
      const auto all = runs_of(placement, {&array, 1}, owners, kPage);
      EXPECT_EQ(bytes_of(all), bytes);
      std::set<std::pair<uintptr_t, int>> together;
      for (int part = 0; part < kParts; ++part) {
        const auto one = parts_of(all, part, part + 1, kPage);
        if (bytes >= 64 * kPage) {
          EXPECT_GE(bytes_of(one), bytes / kParts / 2);
          EXPECT_LE(bytes_of(one), bytes / kParts * 2);
        }
        for (const auto& page : pages(one)) EXPECT_TRUE(together.insert(page).second);
      }
      EXPECT_EQ(together, pages(all));
      EXPECT_EQ(pages(parts_of(all, 0, kParts, kPage)), pages(all));
    }
  }
}

// The pieces are the runs, in order, and two threads have something to take.
TEST(Moves, PiecesAreForTwoThreads) {
  for (const uintptr_t count : {1, 2, 3, 64, 513, 4000}) {
    const std::vector<PageRun> runs{{kAt, kAt + kPage, 2},
                                    {kAt + 2 * kPage, kAt + (count + 2) * kPage, 2}};
    const auto pieces = pieces_of(runs, kPage);
    EXPECT_GE(pieces.size(), 2u);
    std::vector<PageRun> together;
    for (const auto& piece : pieces) {
      EXPECT_LE(bytes_of(piece), kLarge);
      EXPECT_LE(bytes_of(piece), (count + 2) / 2 * kPage);
      for (const PageRun& run : piece) {
        EXPECT_LT(run.begin, run.end);
        if (!together.empty() && together.back().end == run.begin)
          together.back().end = run.end;
        else
          together.push_back(run);
      }
    }
    EXPECT_EQ(together, runs);
  }
  EXPECT_THAT(pieces_of({}, kPage), testing::IsEmpty());
}

}  // namespace
}  // namespace vicino::pages
