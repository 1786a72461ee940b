// What a region's words tell of its arrays.
#include <gmock/gmock.h>

#include "pages/arrays.hpp"
#include "pages/moves.hpp"
#include "pages_kernel.hpp"

namespace vicino::pages {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uintptr_t kStack = 0x7000'0000'0000, kHeap = 0x1000'0000, kBig = 0x6000'0000'0000;
constexpr uintptr_t kMiB = 1 << 20;

class Arrays : public testing::Test {
 protected:
  Arrays() {
    kernel.map(kStack, kMiB, false);
    kernel.map(kHeap, 4 * kMiB);
    kernel.map(kBig, 64 * kMiB);
    kernel.map(kUnreadable, kMiB);
  }
  static constexpr uintptr_t kUnreadable = 0x6800'0000'0000;

  std::vector<Array> find(std::initializer_list<uintptr_t> words) {
    const std::vector<topo::Mapping> large{{kHeap, kHeap + 4 * kMiB, true, true},
                                           {kBig, kBig + 64 * kMiB, true, true}};
    return find_arrays(kernel, kernel.mappings(), large, std::vector<uintptr_t>(words));
  }

  FakeKernel kernel;
};

// clang: the region's arguments; gcc: one argument, a struct of such words.
TEST_F(Arrays, ArePointedTo) {
  EXPECT_THAT(
      find({kBig + 64, 7, kBig + 8 * kMiB}),
      ElementsAre(Array{kBig + 64, kBig + 8 * kMiB}, Array{kBig + 8 * kMiB, kBig + 64 * kMiB}));
  kernel.write(kStack, {5, kBig, kBig + kMiB});
  EXPECT_THAT(find({kStack}),
              ElementsAre(Array{kBig, kBig + kMiB}, Array{kBig + kMiB, kBig + 64 * kMiB}));
}

TEST_F(Arrays, EndWhereMallocSays) {
  kernel.write(kBig, {0, 3 * kMiB | 1});
  kernel.write(kBig + 3 * kMiB, {0, 5 * kMiB | 1});
  EXPECT_THAT(find({kBig + 16}), ElementsAre(Array{kBig + 16, kBig + 3 * kMiB}));
  EXPECT_THAT(
      find({kBig + 3 * kMiB + 16, kBig + 16}),
      ElementsAre(Array{kBig + 16, kBig + 3 * kMiB}, Array{kBig + 3 * kMiB + 16, kBig + 8 * kMiB}));
}

// malloc() adds a head and then makes whole pages of it: here 128 pages become 129. Each node's part is the array's.
TEST_F(Arrays, WithMappingsOfTheirOwnHavePagesWhereTheirPartsAre) {
  constexpr uintptr_t kPage = FakeKernel::kPage;
  kernel.write(kBig, {0, 129 * kPage | 2});
  const std::vector<Array> found = find({kBig + 16});
  ASSERT_THAT(found, ElementsAre(Array{kBig + 16, kBig + 129 * kPage - kPage / 2}));
  const std::vector<int> owners{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
  const auto runs = runs_of(Placement::kBlocks, found, owners, kPage);
  ASSERT_EQ(runs.size(), 4u);
  for (uintptr_t node = 1; node < 4; ++node) EXPECT_EQ(runs[node].begin, kBig + node * 32 * kPage);
}

TEST_F(Arrays, OfVectorsEndWhereTheVectorSays) {
  kernel.write(kStack, {kBig + 16, kBig + 2 * kMiB, kBig + 4 * kMiB});  // captured by reference
  EXPECT_THAT(find({kStack}), ElementsAre(Array{kBig + 16, kBig + 2 * kMiB}));
  kernel.write(kStack + 512, {1, kStack});  // gcc's struct
  EXPECT_THAT(find({kStack + 512}), ElementsAre(Array{kBig + 16, kBig + 2 * kMiB}));
}

// A mapping that is not large itself: as malloc() makes one for each of many arrays of some 100 KiB.
TEST_F(Arrays, OfSmallMappingsAreThoseOfMalloc) {
  constexpr uintptr_t kOwn = 0x5000'0000'0000;
  kernel.map(kOwn, kMiB / 2);
  kernel.write(kOwn, {0, kMiB / 4 | 2});
  EXPECT_THAT(find({kOwn + 16}),
              ElementsAre(Array{kOwn + 16, kOwn + kMiB / 4 - FakeKernel::kPage / 2}));
  // A thread's stack, in which is what a region captures.
  kernel.write(kOwn + kMiB / 2 - 256, {kBig, 7});
  EXPECT_THAT(find({kOwn + kMiB / 2 - 256}), ElementsAre(Array{kBig, kBig + 64 * kMiB}));
}

// Members of an object on the heap, which is itself large.
TEST_F(Arrays, OfSmallObjectsInALargeHeap) {
  kernel.write(kHeap + 256, {0, 64 | 1, kBig, kBig + kMiB, kBig + kMiB});
  EXPECT_THAT(find({kHeap + 272}), ElementsAre(Array{kBig, kBig + kMiB}));
}

TEST_F(Arrays, InsideOfOthersAreThose) {
  kernel.write(kStack, {kBig, kBig + 8 * kMiB, kBig + 8 * kMiB, kBig + kMiB});
  EXPECT_THAT(find({kStack}), ElementsAre(Array{kBig, kBig + 8 * kMiB}));
}

TEST_F(Arrays, WordsMayBeAnything) {
  kernel.write(kStack, {kStack, kStack, kStack + 1, UINTPTR_MAX, 0x1234, kStack + kMiB - 8});
  EXPECT_THAT(find({0, 1, UINTPTR_MAX, kStack + 3, kStack, kBig - 1, kStack + kMiB}), IsEmpty());
}

TEST_F(Arrays, AreSoughtInFewBlocks) {
  // Sixteen pointers in each block, without end.
  for (uintptr_t block = 0; block < 4096; ++block)
    for (uintptr_t i = 0; i < 16; ++i)
      kernel.write(kStack + block * 128 + i * 8, {kStack + (block * 16 + i) % 4096 * 128});
  kernel.reads = 0;
  // Four blocks, and sixteen others by each.
  find({kStack + 100 * 128, kStack + 200 * 128, kStack + 300 * 128, kStack + 400 * 128});
  EXPECT_LE(kernel.reads, kMostBlocks);
}

}  // namespace
}  // namespace vicino::pages
