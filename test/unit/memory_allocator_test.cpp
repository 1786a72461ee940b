// Pools, fallbacks and the layout of blocks, without the ABIs.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "memory/allocator.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

namespace vicino::memory {
namespace {

Allocator pool_of(size_t bytes) {
  return Allocator({.traits = {.fallback = Fallback::kNull, .pool_size = bytes}});
}

template <class Work>
void on_threads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
}

TEST(MemoryAllocator, APoolHoldsItsSizeExactly) {
  Allocator pool = pool_of(1000);
  void* const first = pool.allocate(999, 1, Fill::kNone);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(pool.allocate(2, 1, Fill::kNone), nullptr);
  void* const second = pool.allocate(1, 4096, Fill::kNone);
  EXPECT_NE(second, nullptr);
  EXPECT_EQ(pool.in_use(), 1000u);
  EXPECT_EQ(pool.allocate(SIZE_MAX, 1, Fill::kNone), nullptr);
  release(first);
  EXPECT_EQ(pool.in_use(), 1u);
  release(second);
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(MemoryAllocator, AResizedBlockNeedsRoomOnlyForWhatIsAdded) {
  for (const size_t alignment : {1, 4096}) {
    Allocator pool(
        {.traits = {.fallback = Fallback::kNull, .alignment = alignment, .pool_size = 1000}});
    void* block = pool.allocate(700, 1, Fill::kNone);
    block = pool.reallocate(block, 1000);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
    EXPECT_EQ(pool.reallocate(block, 1001), nullptr);
    EXPECT_EQ(pool.in_use(), 1000u);
    block = pool.reallocate(block, 10);
    EXPECT_EQ(pool.in_use(), 10u);
    release(block);
    EXPECT_EQ(pool.in_use(), 0u);
  }
}

// I1, both halves: never too much, and no refusal while there is room, though a thread asks for too
// much all the time.
TEST(MemoryAllocator, APoolIsExactUnderContention) {
  constexpr size_t kThreads = 3, kSmall = 10, kRoom = kThreads * kSmall;
  Allocator pool = pool_of(kRoom);
  std::atomic<size_t> live{0}, working{kThreads};
  std::atomic<int> too_much{0}, refused{0};
  on_threads(kThreads + 1, [&](int t) {
    if (t == 0) {
      while (working > 0) EXPECT_EQ(pool.allocate(kRoom + 1, 1, Fill::kNone), nullptr);
      return;
    }
    for (int i = 0; i < 20'000; ++i) {
      void* const block = pool.allocate(kSmall, 1, Fill::kNone);
      if (block == nullptr) {
        ++refused;
        continue;
      }
      if (live.fetch_add(kSmall) + kSmall > kRoom) ++too_much;
      live.fetch_sub(kSmall);
      release(block);
    }
    --working;
  });
  EXPECT_EQ(too_much, 0);
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(MemoryAllocator, AFullPoolHasAsManyBlocksAsFit) {
  constexpr size_t kBlock = 48, kBlocks = 3000;
  Allocator pool = pool_of(kBlock * kBlocks + kBlock / 2);
  std::vector<std::vector<void*>> got(4);
  on_threads(4, [&](int t) {
    auto& mine = got[static_cast<size_t>(t)];
    while (void* block = pool.allocate(kBlock, 1, Fill::kNone)) mine.push_back(block);
  });
  size_t blocks = 0;
  for (const auto& mine : got) blocks += mine.size();
  EXPECT_EQ(blocks, kBlocks);
  // Each thread frees what another has got.
  on_threads(4, [&](int t) {
    for (void* block : got[static_cast<size_t>((t + 1) % 4)]) release(block);
  });
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(MemoryAllocator, FallbacksAreAskedInTurn) {
  Allocator last = pool_of(100);
  Allocator middle(
      {.traits = {.fallback = Fallback::kAllocator, .pool_size = 50, .fallback_to = &last}});
  Allocator first(
      {.traits = {.fallback = Fallback::kAllocator, .pool_size = 20, .fallback_to = &middle}});
  void* const block = first.allocate(60, 1, Fill::kNone);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(&owner_of(block), &last);  // I2
  EXPECT_EQ(first.in_use() + middle.in_use(), 0u);
  EXPECT_EQ(first.allocate(60, 1, Fill::kNone), nullptr);
  release(block);
  EXPECT_EQ(last.in_use(), 0u);
  Allocator plain({.traits = {.pool_size = 20}});
  void* const more = plain.allocate(60, 1, Fill::kNone);
  ASSERT_NE(more, nullptr);
  EXPECT_EQ(&owner_of(more), &default_allocator());
  release(more);
}

TEST(MemoryAllocatorDeathTest, AbortFallback) {
  Allocator pool({.traits = {.fallback = Fallback::kAbort, .pool_size = 20}});
  EXPECT_DEATH(pool.allocate(21, 1, Fill::kNone), "abort_fb has no memory for 21 bytes");
  EXPECT_DEATH(find(77), "uses the allocator 0x4d");
}

// Blocks of every kind, many at once, resized and freed in a random order, keep what is written.
TEST(MemoryAllocator, BlocksKeepTheirContents) {
  Allocator plain({}), pooled({.traits = {.pool_size = 1 << 30}}),
      aligned({.traits = {.alignment = 512}}),
      pages({.traits = {.partition = Partition::kInterleaved, .pinned = true}}),
      both({.traits = {.partition = Partition::kBlocked,
                       .pinned = true,
                       .alignment = 8192,
                       .pool_size = 1 << 30}});
  Allocator* const all[] = {&plain, &pooled, &aligned, &pages, &both};
  std::mt19937 random(7);
  struct Block {
    unsigned char* bytes = nullptr;
    size_t size = 0;
    unsigned char mark = 0;
  };
  std::vector<Block> blocks(100);
  for (int step = 0; step < 5000; ++step) {
    Block& block = blocks[random() % blocks.size()];
    const size_t kept = block.size;
    for (size_t i = 0; i < kept; ++i) ASSERT_EQ(block.bytes[i], block.mark);
    block.size = random() % 3 == 0 ? 0 : 1 + random() % (random() % 20 == 0 ? 20'000 : 200);
    Allocator& from = *all[random() % std::size(all)];
    if (block.size == 0) {
      release(block.bytes);
      block.bytes = nullptr;
      continue;
    }
    if (block.bytes != nullptr) {
      block.bytes = static_cast<unsigned char*>(from.reallocate(block.bytes, block.size));
      ASSERT_NE(block.bytes, nullptr);
      for (size_t i = 0; i < std::min(kept, block.size); ++i) ASSERT_EQ(block.bytes[i], block.mark);
    } else {
      const size_t alignment = size_t{1} << random() % 14;
      block.bytes = static_cast<unsigned char*>(from.allocate(block.size, alignment, Fill::kZero));
      ASSERT_NE(block.bytes, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(block.bytes) % alignment, 0u);
      for (size_t i = 0; i < block.size; ++i) ASSERT_EQ(block.bytes[i], 0);
    }
    block.mark = static_cast<unsigned char>(step);
    std::memset(block.bytes, block.mark, block.size);
  }
  for (const Block& block : blocks) release(block.bytes);
  EXPECT_EQ(pooled.in_use() + both.in_use(), 0u);
}

// How much memory of this process the kernel counts as locked.
size_t locked_kilobytes() {
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  size_t kilobytes = 0;
  char line[200];
  while (std::fgets(line, sizeof line, status) != nullptr)
    std::sscanf(line, "VmLck: %zu kB", &kilobytes);
  std::fclose(status);
  return kilobytes;
}

TEST(MemoryAllocator, PinnedMemoryIsLocked) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "sanitizers do not let the kernel lock memory";
#endif
  Allocator pinned({.traits = {.fallback = Fallback::kNull, .pinned = true}});
  void* const block = pinned.allocate(16'000, 1, Fill::kNone);
  if (block == nullptr) GTEST_SKIP() << "the limit of locked memory is too low";
  EXPECT_GE(locked_kilobytes(), 16u);
  release(block);
  EXPECT_EQ(locked_kilobytes(), 0u);
}

TEST(MemoryAllocator, WithoutLockedMemoryAPinnedAllocatorFallsBack) {
  rlimit old;
  getrlimit(RLIMIT_MEMLOCK, &old);
  rlimit none = old;
  none.rlim_cur = 0;
  setrlimit(RLIMIT_MEMLOCK, &none);
  Allocator pinned({.traits = {.pinned = true, .pool_size = 1 << 20}});
  void* const block = pinned.allocate(16'000, 1, Fill::kNone);
  setrlimit(RLIMIT_MEMLOCK, &old);
  ASSERT_NE(block, nullptr);
  // The super-user may lock memory all the same.
  const bool locked = &owner_of(block) == &pinned;
  EXPECT_EQ(pinned.in_use(), locked ? 16'000u : 0u);
  release(block);
  EXPECT_EQ(pinned.in_use(), 0u);
}

// On a machine of one node this tries only that placing does no harm; test/lab has more nodes.
TEST(MemoryPlacement, PlacedPagesAreOnNodesOfTheSpace) {
  const topo::Machine& here = topo::Machine::here();
  const std::vector<int> nodes = topo::memory_nodes(here);
  for (const Space space : {Space::kDefault, Space::kHighBandwidth, Space::kLargeCap})
    for (const Partition partition : {Partition::kEnvironment, Partition::kNearest,
                                      Partition::kBlocked, Partition::kInterleaved}) {
      constexpr size_t kBytes = 1 << 20;
      void* pages;
      ASSERT_EQ(topo::allocate_pages(kBytes, &pages), 0);
      place(here, {.space = space, .traits = {.partition = partition}}, pages, kBytes);
      std::memset(pages, 1, kBytes);
      std::vector<int> found(topo::page_count(pages, kBytes));
      if (topo::query_pages(pages, kBytes, found) == 0 && !nodes.empty()) {
        for (const int node : found) EXPECT_NE(std::ranges::find(nodes, node), nodes.end());
      }
      topo::free_pages(pages, kBytes);
    }
}

}  // namespace
}  // namespace vicino::memory
