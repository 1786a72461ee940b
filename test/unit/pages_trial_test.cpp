// Pages that one thread filled, in programs whose time follows from where their pages lie.
#include <errno.h>
#include <gmock/gmock.h>

#include <functional>
#include <utility>
#include <vector>

#include "pages/trial.hpp"
#include "pages_kernel.hpp"

namespace vicino::pages {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uintptr_t kStack = 0x7000'0000'0000, kAt = 0x6000'0000'0000, kMiB = 1 << 20;
constexpr int kNodes = 4;
constexpr uint64_t kMs = 1'000'000;

// A program on four nodes with eight threads.
class Program : public testing::Test {
 protected:
  Program() { make(std::nullopt); }

  void make(std::optional<Placement> forced, Trial::Recall* recall = nullptr,
            Trial::IsStack* is_stack = nullptr) {
    kernel.map(kStack, kMiB, false);
    trial.emplace(kernel, forced, kNodes, FakeKernel::kPage, 0, recall, is_stack);
  }

  void allocate(uintptr_t at, uintptr_t bytes) { kernel.map(at, bytes); }
  static uintptr_t nth(uintptr_t array) { return kAt + array * 64 * kMiB; }
  // So many arrays of 16 MiB, each a mapping.
  void make_arrays(uintptr_t count, int node) {
    for (uintptr_t array = 0; array < count; ++array) {
      allocate(nth(array), 16 * kMiB);
      fill(nth(array), 16 * kMiB, node);
    }
  }
  void fill(uintptr_t at, uintptr_t bytes, int node) {
    kernel.touch(at, bytes, node);
    now += bytes / 4;  // 4 GB a second
  }

  // A region that captures these words and takes `ns` of the time.
  void region(int name, std::initializer_list<uintptr_t> words,
              const std::function<uint64_t()>& ns) {
    const std::vector<uintptr_t> captured(words);
    if (trial->is_due(now)) {
      const auto runs = trial->begin({&names[name], captured, owners}, now);
      if (!runs.empty()) {
        moved += bytes_of(runs);
        if (move_error == 0) kernel.move(runs);
        const uint64_t began = now;
        now += bytes_of(runs) * ns_per_page / FakeKernel::kPage;
        spent += now - began;
        trial->moved(began, now, move_error);
      }
    }
    now += ns();
    if (trial->is_watching()) trial->end();
  }

  // As long as the node with the most pages takes.
  uint64_t bound_by_a_node() {
    int most = 0;
    for (int node = 0; node < kNodes; ++node) most = std::max(most, kernel.on(node));
    return static_cast<uint64_t>(most) * 100;
  }

  FakeKernel kernel;
  std::optional<Trial> trial;
  std::vector<int> owners{0, 0, 1, 1, 2, 2, 3, 3};
  uint64_t now = 50 * kMs;  // since the process began
  uint64_t moved = 0;
  uint64_t spent = 0;
  int move_error = 0;
  uint64_t ns_per_page = 250;  // of a move, by all threads

 private:
  char names[100];
};

TEST_F(Program, WhoseArraysOneThreadFilledGains) {
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 2);
  const uint64_t began = now;
  const uint64_t before = bound_by_a_node();
  for (int step = 0; step < 200; ++step)
    region(0, {kAt, kAt + 8 * kMiB}, [&] { return bound_by_a_node(); });
  for (int node = 0; node < kNodes; ++node) EXPECT_EQ(kernel.on(node), 1024);
  EXPECT_EQ(moved, 16 * kMiB);  // each page once
  // The move, the two steps before and one after a part of it.
  EXPECT_LE(now - began, 200 * before / 4 + 3 * before + spent);
  ASSERT_EQ(trial->outcomes().size(), 1u);
  EXPECT_EQ(trial->outcomes()[0].what, Outcome::kKept);
  EXPECT_THAT(
      in_words(trial->outcomes()[0]),
      AllOf(HasSubstr(
                "16.0 MiB that one thread filled lay on node 2: spread in blocks over 4 nodes in"),
            HasSubstr("regions took 410 us before and 102 us after")));
}

TEST_F(Program, FindsArraysThatComeLater) {
  allocate(kAt, 4 * kMiB);
  for (int node = 0; node < kNodes; ++node)
    fill(kAt + static_cast<uintptr_t>(node) * kMiB, kMiB, node);
  for (int step = 0; step < 50; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
  allocate(kAt + 64 * kMiB, 16 * kMiB);
  fill(kAt + 64 * kMiB, 16 * kMiB, 0);
  for (int step = 0; step < 50; ++step)
    region(1, {kAt + 64 * kMiB, kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 16 * kMiB);
}

// The memory of arrays that were placed is used for others later.
TEST_F(Program, PlacesNewArraysWhereOldOnesWere) {
  for (int phase = 0; phase < 3; ++phase) {
    allocate(kAt, 16 * kMiB);
    fill(kAt, 16 * kMiB, 0);
    for (int step = 0; step < 200; ++step) region(phase, {kAt}, [&] { return bound_by_a_node(); });
    EXPECT_EQ(kernel.on(0), 1024);
    kernel.unmap(kAt);
  }
  EXPECT_EQ(moved, 3 * 16 * kMiB);
}

TEST_F(Program, WhosePagesLieWellIsLeftAlone) {
  allocate(kAt, 16 * kMiB);
  for (int node = 0; node < kNodes; ++node)
    fill(kAt + 4 * kMiB * static_cast<uintptr_t>(node), 4 * kMiB, node);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
  EXPECT_THAT(trial->outcomes(), IsEmpty());
}

TEST_F(Program, WhoseFillingThreadWasMovedGains) {
  allocate(kAt, 16 * kMiB);
  fill(kAt, 3 * kMiB, 1);
  fill(kAt + 3 * kMiB, 13 * kMiB, 2);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  for (int node = 0; node < kNodes; ++node) EXPECT_EQ(kernel.on(node), 1024);
}

TEST_F(Program, WithSmallArraysIsLeftAlone) {
  allocate(kAt, kMiB / 2);
  fill(kAt, kMiB / 2, 0);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
}

// As an operation of a Python program does. All are placed together.
TEST_F(Program, WhoseFunctionIsCalledForSeveralArraysInTurn) {
  make_arrays(4, 1);
  for (int step = 0; step < 50; ++step)
    for (uintptr_t array = 0; array < 4; ++array)
      region(0, {nth(array), nth((array + 1) % 4)}, [&] { return bound_by_a_node(); });
  for (int node = 0; node < kNodes; ++node) EXPECT_EQ(kernel.on(node), 4 * 1024);
  ASSERT_EQ(trial->outcomes().size(), 1u);
  EXPECT_EQ(trial->outcomes()[0].bytes, 4 * 16 * kMiB);
}

// Its phases use arrays of their own, which were all filled in the beginning.
TEST_F(Program, WhoseLaterRegionsHaveOtherArrays) {
  make_arrays(3, 0);
  for (int phase = 0; phase < 3; ++phase)
    for (int step = 0; step < 200; ++step)
      region(phase, {nth(static_cast<uintptr_t>(phase))}, [&] { return bound_by_a_node(); });
  for (int node = 0; node < kNodes; ++node) EXPECT_EQ(kernel.on(node), 3072);
  EXPECT_EQ(moved, 3 * 16 * kMiB);
  EXPECT_EQ(trial->outcomes().size(), 3u);
}

// What tells of no further arrays is asked no more.
TEST_F(Program, WhoseOtherMemoryNobodyUsesIsNotAskedForEver) {
  make_arrays(2, 0);
  kernel.write(kStack, {kAt, 1});
  for (int step = 0; step < 50; ++step) region(0, {kStack}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 16 * kMiB);
  kernel.reads = 0;
  for (int step = 0; step < 500; ++step) region(0, {kStack}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(kernel.reads, 0);
  EXPECT_FALSE(trial->is_watching());
}

TEST_F(Program, ThatMakesItsArraysAnewIsLeftAlone) {
  for (int step = 0; step < 200; ++step) {
    allocate(kAt, 16 * kMiB);
    fill(kAt, 16 * kMiB, 0);
    region(0, {kAt}, [&] { return bound_by_a_node(); });
    kernel.unmap(kAt);
  }
  EXPECT_EQ(moved, 0u);
}

// The arrays live for so few regions that a move comes too late: it is tried once.
TEST_F(Program, WhoseArraysLiveShortlyIsTriedOnce) {
  for (int step = 0; step < 100; ++step) {
    allocate(kAt, 16 * kMiB);
    fill(kAt, 16 * kMiB, 0);
    for (int i = 0; i < 2; ++i) region(0, {kAt}, [&] { return bound_by_a_node(); });
    kernel.unmap(kAt);
  }
  EXPECT_LE(moved, 16 * kMiB);
}

TEST_F(Program, ThatGainsNothingLosesLittle) {
  allocate(kAt, 64 * kMiB);
  fill(kAt, 64 * kMiB, 0);
  const uint64_t began = now;
  for (int step = 0; step < 1000; ++step) region(0, {kAt}, [] { return kMs; });
  EXPECT_LE(moved, 64 * kMiB);
  EXPECT_GT(moved, 0u);
  EXPECT_LE(static_cast<double>(now - began), 1000 * kMs * 1.015);
  ASSERT_EQ(trial->outcomes().size(), 1u);
  EXPECT_EQ(trial->outcomes()[0].what, Outcome::kNoGain);
}

TEST_F(Program, ThatBecomesSlowerGetsItsPagesBack) {
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 3);
  for (int step = 0; step < 1000; ++step)
    region(0, {kAt}, [&] { return kMs + static_cast<uint64_t>(4096 - kernel.on(3)) * 100; });
  EXPECT_EQ(kernel.on(3), 4096);
  EXPECT_LE(spent, now / 60);
  ASSERT_EQ(trial->outcomes().size(), 1u);
  EXPECT_EQ(trial->outcomes()[0].what, Outcome::kTakenBack);
  EXPECT_THAT(in_words(trial->outcomes()[0]), HasSubstr("taken back"));
}

// Two threads filled an array each.
TEST_F(Program, ThatBecomesSlowerGetsEachArrayBackWhereItWas) {
  const auto first = [&] { return kernel.on(1) == 2048 && kernel.on(3) == 2048; };
  for (const uintptr_t at : {kAt, kAt + 64 * kMiB}) allocate(at, 8 * kMiB);
  fill(kAt, 8 * kMiB, 1);
  fill(kAt + 64 * kMiB, 8 * kMiB, 3);
  for (int step = 0; step < 1000; ++step)
    region(0, {kAt, kAt + 64 * kMiB}, [&] { return first() ? kMs : 2 * kMs; });
  EXPECT_GT(moved, 0u);
  EXPECT_EQ(kernel.on(1), 2048);
  EXPECT_EQ(kernel.on(3), 2048);
  EXPECT_EQ(kernel.node_of(kAt), 1);
  EXPECT_EQ(kernel.node_of(kAt + 64 * kMiB), 3);
  ASSERT_EQ(trial->outcomes().size(), 1u);
  EXPECT_THAT(in_words(trial->outcomes()[0]), HasSubstr("lay on nodes 1, 3: spread"));
}

// The thread that led its regions ends when the arrays were met once.
TEST_F(Program, WhoseLeadingThreadEndsGoesOnWithTheNext) {
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_TRUE(trial->is_watching());
  trial->leave(now);
  EXPECT_FALSE(trial->is_watching());
  now += kMs;
  for (int step = 0; step < 50; ++step) region(1, {kAt}, [&] { return bound_by_a_node(); });
  for (int node = 0; node < kNodes; ++node) EXPECT_EQ(kernel.on(node), 1024);
}

// What counts is the program as a whole: its serial parts, too.
TEST_F(Program, WhoseSerialPartsLoseMoreThanItsRegionsGain) {
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 0);
  for (int step = 0; step < 1000; ++step) {
    region(0, {kAt}, [&] { return bound_by_a_node(); });
    now += kMs + static_cast<uint64_t>(4096 - kernel.on(0)) * 400;
  }
  EXPECT_EQ(kernel.on(0), 4096);
}

TEST_F(Program, WithoutWordsIsInterleaved) {
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 200; ++step) region(0, {}, [&] { return bound_by_a_node(); });
  for (int node = 0; node < kNodes; ++node) EXPECT_EQ(kernel.on(node), 1024);
  ASSERT_EQ(trial->outcomes().size(), 1u);
  EXPECT_EQ(trial->outcomes()[0].placement, Placement::kInterleaved);
}

TEST_F(Program, ThatPlacesItsMemoryIsLeftAlone) {
  allocate(kAt, 16 * kMiB);
  kernel.claimed = {kAt, kAt + 16 * kMiB};
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
}

TEST_F(Program, WhoseMemoryIsSharedOrLockedIsLeftAlone) {
  kernel.map(kAt, 16 * kMiB, false);
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
}

TEST_F(Program, WhoseKernelRefusesGoesOn) {
  kernel.refuses = true;
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
  EXPECT_TRUE(trial->is_off());
}

TEST_F(Program, WhoseKernelMovesNothingIsAskedOnce) {
  move_error = EPERM;
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_LE(moved, 16 * kMiB);
  EXPECT_TRUE(trial->is_off());
  EXPECT_THAT(trial->outcomes(), IsEmpty());
}

// A stack of which most was touched lies on one node, as an array does; it is left, and is no part of a look.
TEST_F(Program, WhoseThreadsHaveStacksLeavesThem) {
  make_arrays(2, 1);
  make(std::nullopt, nullptr, [](const topo::Mapping& mapping) { return mapping.begin == kAt; });
  for (int step = 0; step < 200; ++step)
    region(0, {nth(0), nth(1)}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 16 * kMiB);
  EXPECT_EQ(kernel.node_of(nth(0) + 15 * kMiB), 1);
  EXPECT_NE(kernel.node_of(nth(1) + 15 * kMiB), 1);
}

// Another thread touches memory all the time. Each look costs 100 us.
TEST_F(Program, ThatTouchesMemoryAllTheTimeLosesLittle) {
  allocate(kAt, 400 * kMiB);
  constexpr uintptr_t kTouched = kMiB + kMiB / 8;
  uint64_t looks = 0;
  for (uintptr_t step = 0; step < 300; ++step) {
    kernel.touch(kAt + step * kTouched, kTouched, 0);
    const uint64_t before = kernel.scans;
    region(0, {kAt}, [] { return kMs / 10; });
    looks += kernel.scans - before;
    if (kernel.scans != before) trial->spend(kMs / 10), now += kMs / 10;
  }
  EXPECT_LE(static_cast<double>(looks), 2 + 0.015 * static_cast<double>(now) / (kMs / 10.0));
  EXPECT_EQ(moved, 0u);
}

// Looks were dear so far, and each further one takes more than 0.5 % of the time to the next.
TEST_F(Program, ThatHasToWaitForALookSpendsNothingMeanwhile) {
  trial->spend(kMs);
  allocate(kAt, 64 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  for (uintptr_t step = 0; step < 500; ++step) {
    kernel.touch(kAt + 32 * kMiB + step * 4096, 4096, 1);
    const bool looks = trial->is_due(now);
    region(0, {kAt}, [] { return kMs / 2; });
    if (looks && !trial->is_watching()) trial->spend(6000);
  }
  EXPECT_GT(moved, 0u);
}

// Regions of another kind come after the move.
TEST_F(Program, WhoseRegionsChangeEndsItsTrial) {
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 3; ++step) region(0, {kAt}, [] { return kMs; });
  for (int step = 0; step < 2000; ++step) region(1 + step % 90, {}, [] { return kMs; });
  EXPECT_FALSE(trial->is_watching());
}

TEST_F(Program, WithUnboundThreadsIsLeftAlone) {
  owners.clear();
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
}

TEST_F(Program, IsPlacedAtOnceIfAsked) {
  for (const Placement placement : {Placement::kBlocks, Placement::kInterleaved}) {
    kernel = FakeKernel();
    moved = 0;
    make(placement);
    allocate(kAt, 16 * kMiB);
    fill(kAt, 16 * kMiB, 1);
    for (int step = 0; step < 5; ++step) region(0, {kAt}, [&] { return kMs; });
    EXPECT_EQ(moved, 16 * kMiB);
    ASSERT_EQ(trial->outcomes().size(), 1u);
    EXPECT_EQ(trial->outcomes()[0].placement, placement);
    EXPECT_THAT(in_words(trial->outcomes()[0]), HasSubstr("as VICINO_PAGES says"));
  }
}

Earlier found;
Earlier recall(const void*, int members) { return members == 8 ? found : Earlier{}; }

TEST_F(Program, IsPlacedAtOnceAsAnEarlierRunFound) {
  for (const Placement placement : {Placement::kBlocks, Placement::kInterleaved})
    for (const bool tells : {true, false}) {
      kernel = FakeKernel();
      moved = 0;
      now = kMs;  // too early for 1.5 % to pay for anything
      found = {true, placement};
      make(std::nullopt, recall);
      allocate(kAt, 16 * kMiB);
      fill(kAt, 16 * kMiB, 1);
      region(0, {tells ? kAt : 0}, [&] { return kMs; });
      EXPECT_EQ(moved, 16 * kMiB);
      ASSERT_EQ(trial->outcomes().size(), 1u);
      EXPECT_EQ(trial->outcomes()[0].what, Outcome::kRemembered);
      EXPECT_EQ(trial->outcomes()[0].placement, placement);
    }
}

// The earlier run had only the first region to compare with, which is slow wherever pages lie. This one has
// others, and finds that the placement gains nothing.
TEST_F(Program, TriesAgainWhatAnEarlierRunIsNotSureOf) {
  for (const bool is_sure : {true, false}) {
    kernel = FakeKernel();
    moved = 0;
    found = {true, Placement::kBlocks, is_sure};
    make(std::nullopt, recall);
    allocate(kAt, 16 * kMiB);
    fill(kAt, 16 * kMiB, 3);
    for (int step = 0; step < 1000; ++step)
      region(0, {kAt}, [&] { return (step == 0 ? 9 : kernel.on(3) == 4096 ? 1 : 2) * kMs; });
    ASSERT_EQ(trial->outcomes().size(), 1u);
    EXPECT_EQ(trial->outcomes()[0].what, is_sure ? Outcome::kRemembered : Outcome::kTakenBack);
    EXPECT_EQ(kernel.on(3), is_sure ? 1024 : 4096);
    EXPECT_EQ(trial->outcomes()[0].gain.samples_before > 1, !is_sure);
  }
}

// Before the first region nobody knows where the members are.
TEST_F(Program, IsPlacedAsAnEarlierRunFoundOnceItsTeamIsKnown) {
  now = kMs;
  found = {true, Placement::kBlocks};
  make(std::nullopt, recall);
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  const std::vector<int> later = std::exchange(owners, {});
  region(0, {kAt}, [&] { return kMs; });
  EXPECT_EQ(moved, 0u);
  owners = later;
  region(0, {kAt}, [&] { return kMs; });
  EXPECT_EQ(moved, 16 * kMiB);
}

TEST_F(Program, IsLeftAloneAsAnEarlierRunFound) {
  found = {true, std::nullopt};
  make(std::nullopt, recall);
  allocate(kAt, 16 * kMiB);
  fill(kAt, 16 * kMiB, 1);
  for (int step = 0; step < 200; ++step) region(0, {kAt}, [&] { return bound_by_a_node(); });
  EXPECT_EQ(moved, 0u);
}

// A region that comes later has arrays of its own, and so has a later call of the same one. What nothing tells
// of stays.
TEST_F(Program, IsPlacedRegionByRegionAsAnEarlierRunFound) {
  found = {true, Placement::kBlocks};
  make(std::nullopt, recall);
  make_arrays(4, 1);
  now = kMs;
  uint64_t arrays = 0;
  for (const auto& [name, array] : {std::pair{0, 0}, {1, 1}, {0, 2}}) {
    region(name, {nth(static_cast<uintptr_t>(array))}, [&] { return kMs; });
    EXPECT_EQ(moved, ++arrays * 16 * kMiB);
  }
  for (int step = 0; step < 10; ++step) region(2, {}, [&] { return kMs; });
  EXPECT_EQ(moved, 3 * 16 * kMiB);
  for (const Outcome& outcome : trial->outcomes()) EXPECT_EQ(outcome.what, Outcome::kRemembered);
}

// What is left is less than what is noticed, but a region uses it.
TEST_F(Program, IsPlacedToTheLastArrayAsAnEarlierRunFound) {
  found = {true, Placement::kBlocks};
  make(std::nullopt, recall);
  allocate(kAt, 2 * kMiB);
  fill(kAt, 2 * kMiB, 1);
  now = kMs;
  kernel.write(kAt, {0, (3 * kMiB / 2) | 2});
  region(0, {kAt + 16}, [&] { return kMs; });
  EXPECT_LT(moved, 2 * kMiB);
  region(0, {kAt + 3 * kMiB / 2 + 16}, [&] { return kMs; });
  EXPECT_LE(kernel.on(1), 132);  // a quarter, and pages that are only partly an array's
}

// A large move waits until some part of it is paid for; what the part gains pays for the rest.
TEST_F(Program, MovesPartsFirstWhereTheWholeIsDear) {
  ns_per_page = 4000;
  allocate(kAt, 64 * kMiB);
  fill(kAt, 64 * kMiB, 0);
  uint64_t largest = 0, last = 0;
  for (int step = 0; step < 400; ++step) {
    region(0, {kAt}, [&] { return bound_by_a_node(); });
    if (largest == 0) largest = moved;
    last = moved;
  }
  EXPECT_GT(largest, 0u);
  EXPECT_LT(largest, 64 * kMiB);
  EXPECT_EQ(last, 64 * kMiB);
}

}  // namespace
}  // namespace vicino::pages
