// task/heap.hpp: blocks are distinct, aligned, used again, and return to their heaps.
#include <gtest/gtest.h>

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
  block.memory = heap.take(bytes, block.origin);
  return block;
}

TEST(TaskHeap, BlocksOfAllSizesAreApartAndAligned) {
  Heap heap;
  std::vector<Block> blocks;
  for (int round = 0; round < 20; ++round)
    for (size_t bytes = 1; bytes <= Heap::kLargest; bytes += 37)
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
    blocks.push_back(take(home, 64 + 64 * (i % 3)));
    memory.insert(blocks.back().memory);
  }
  std::thread([&] {
    for (const Block& block : blocks) away.give(block.memory, block.origin);
    away.flush();
  }).join();
  for (const Block& block : blocks) {
    const Block again = take(home, block.bytes);
    EXPECT_EQ(again.origin.heap, &home);
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
