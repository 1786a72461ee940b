// task/heap.hpp: blocks are distinct, aligned, used again, and return to their heaps.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "task/heap.hpp"

namespace vicino::task {
namespace {

struct Block {
  void* memory;
  Heap::Origin origin;
  size_t bytes;
};

Block take(Heap& heap, size_t bytes) {
  Block block{nullptr, {}, bytes};
  block.memory =
      bytes <= Heap::kSmall ? heap.take(bytes, block.origin) : heap.take_large(bytes, block.origin);
  return block;
}

TEST(TaskHeap, BlocksOfAllSizesAreApartAndAligned) {
  Heap heap;
  std::vector<Block> blocks;
  for (int round = 0; round < 3; ++round)
    for (size_t bytes = 1; bytes <= Heap::kLargest; bytes += bytes <= Heap::kSmall ? 37 : 997)
      blocks.push_back(take(heap, bytes));
  for (size_t i = 0; i < blocks.size(); ++i)
    std::memset(blocks[i].memory, static_cast<int>(i % 251), blocks[i].bytes);
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(blocks[i].memory) % kLine, 0u);
    const auto* bytes = static_cast<const unsigned char*>(blocks[i].memory);
    for (size_t b = 0; b < blocks[i].bytes; ++b) ASSERT_EQ(bytes[b], i % 251) << i;
  }
}

TEST(TaskHeap, WhatIsGivenIsTakenAgain) {
  Heap heap;
  std::set<void*> memory;
  for (int i = 0; i < 1000; ++i) {
    const Block block = take(heap, 200);
    memory.insert(block.memory);
    heap.give(block.memory, block.origin);
  }
  EXPECT_EQ(memory.size(), 1u);
}

TEST(TaskHeap, LargeBlocksWasteAFifthAtMost) {
  for (size_t bytes = Heap::kSmall + 1; bytes <= Heap::kLargest; bytes += 61) {
    Heap heap;
    const Block first = take(heap, bytes), second = take(heap, bytes);
    const auto apart =
        static_cast<size_t>(static_cast<char*>(second.memory) - static_cast<char*>(first.memory));
    EXPECT_GE(apart, bytes + kLine);
    EXPECT_LE(static_cast<double>(apart - kLine), 1.25 * static_cast<double>(bytes));
  }
}

size_t resident_pages(const std::vector<Block>& blocks) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  size_t resident = 0;
  for (const Block& block : blocks) {
    const auto begin = (reinterpret_cast<uintptr_t>(block.memory) + page - 1) & ~(page - 1);
    const auto end = (reinterpret_cast<uintptr_t>(block.memory) + block.bytes) & ~(page - 1);
    std::vector<unsigned char> pages((end - begin) / page);
    EXPECT_EQ(mincore(reinterpret_cast<void*>(begin), end - begin, pages.data()), 0);
    for (const unsigned char here : pages) resident += here & 1;
  }
  return resident * page;
}

// After a burst of large tasks the system has most of their pages again; the first words stay.
TEST(TaskHeap, LittleIsKeptOfManyLargeBlocks) {
  constexpr size_t kBytes = Heap::kLargest, kBlocks = 4 * Heap::kMostKept / kBytes;
  Heap heap, away;
  std::vector<Block> blocks;
  for (size_t i = 0; i < kBlocks; ++i) {
    blocks.push_back(take(heap, kBytes));
    std::memset(blocks.back().memory, 7, kBytes);
  }
  EXPECT_GT(resident_pages(blocks), 3 * Heap::kMostKept);
  for (size_t i = 0; i < kBlocks; ++i)
    (i % 2 == 0 ? heap : away).give(blocks[i].memory, blocks[i].origin);
  away.flush();
  EXPECT_LE(resident_pages(blocks), 2 * Heap::kMostKept + kBytes);
  std::vector<Block> again = {take(heap, kBytes)};  // it takes back what another thread gave
  EXPECT_LE(resident_pages(blocks), Heap::kMostKept + kBytes);
  for (const Block& block : blocks) EXPECT_EQ(static_cast<char*>(block.memory)[100], 7);
  while (again.size() < kBlocks) again.push_back(take(heap, kBytes));
  std::set<void*> memory;
  for (const Block& block : again) memory.insert(block.memory);
  for (const Block& block : blocks) EXPECT_EQ(memory.count(block.memory), 1u);
  for (const Block& block : again) heap.give(block.memory, block.origin);
  EXPECT_LE(resident_pages(blocks), Heap::kMostKept + kBytes);
}

// A freed record may be read (src/task/README.md), so its place must hold only records.
TEST(TaskHeap, ABlockKeepsItsSize) {
  Heap heap;
  const Block small = take(heap, 64), large = take(heap, 128);
  heap.give(small.memory, small.origin);
  heap.give(large.memory, large.origin);
  EXPECT_EQ(take(heap, 65).memory, large.memory);
  EXPECT_EQ(take(heap, 1).memory, small.memory);
}

// Another thread gives the blocks back, in bundles: after flush() all are in their heap again.
TEST(TaskHeap, WhatOthersGiveComesHome) {
  Heap home, away;
  std::vector<Block> blocks;
  std::set<void*> memory;
  for (size_t i = 0; i < 40; ++i) {
    blocks.push_back(take(home, i % 4 == 3 ? 5000 : 64 + 64 * (i % 4)));
    memory.insert(blocks.back().memory);
  }
  std::thread([&] {
    for (const Block& block : blocks) away.give(block.memory, block.origin);
    away.flush();
  }).join();
  for (const Block& block : blocks) {
    const Block again = take(home, block.bytes);
    EXPECT_EQ(memory.erase(again.memory), 1u) << "not one of those, or twice";
  }
}

TEST(TaskHeap, BundlesOfSeveralHomes) {
  Heap first, second, away;
  const Block a = take(first, 64), b = take(second, 64);
  away.give(a.memory, a.origin);
  away.give(b.memory, b.origin);
  away.flush();
  EXPECT_EQ(take(first, 64).memory, a.memory);
  EXPECT_EQ(take(second, 64).memory, b.memory);
}

}  // namespace
}  // namespace vicino::task
