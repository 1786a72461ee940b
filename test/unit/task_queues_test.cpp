#include <vector>

#include "gtest/gtest.h"
#include "task/queues.hpp"

namespace vicino::task {
namespace {

struct Item {
  int number;
};

class QueueTest : public testing::Test {
 protected:
  QueueTest() {
    for (Item& item : items_) shared_.put(&item);
  }
  // How many items are looked at until one of `numbers` is found, and which it is; -1: none.
  std::pair<int, int> take(std::vector<int> numbers) {
    int looked = 0;
    const Item* const found = shared_.take([&](Item* item) {
      ++looked;
      return std::ranges::find(numbers, item->number) != numbers.end();
    });
    return {looked, found == nullptr ? -1 : found->number};
  }

  std::vector<Item> items_{{0}, {1}, {2}, {3}, {4}};
  Shared<Item> shared_;
};

TEST_F(QueueTest, TheOldestComesFirst) {
  for (const Item& item : items_)
    EXPECT_EQ(take({0, 1, 2, 3, 4}), std::pair(1, item.number)) << item.number;
  EXPECT_TRUE(shared_.empty());
  EXPECT_EQ(take({0}), std::pair(0, -1));
}

TEST_F(QueueTest, WhatLiesAtTheEndIsFoundSoon) {
  EXPECT_EQ(take({4}), std::pair(2, 4));
  EXPECT_EQ(take({2, 3}), std::pair(2, 3));
  EXPECT_EQ(shared_.size(), 3u);
}

TEST_F(QueueTest, EachIsLookedAtOnce) {
  EXPECT_EQ(take({7}), std::pair(5, -1));
  EXPECT_EQ(take({2}), std::pair(5, 2));
  EXPECT_EQ(take({7}), std::pair(4, -1));
  EXPECT_TRUE(shared_.offers([](Item* item) { return item->number == 3; }));
  EXPECT_FALSE(shared_.offers([](Item* item) { return item->number == 2; }));
}

TEST(Prioritised, TheHighestComesFirstAndOfEqualOnesTheOldest) {
  Item items[] = {{0}, {1}, {2}, {3}};
  Prioritised<Item> queue;
  const int priorities[] = {1, 5, 1, 5};
  for (int i = 0; i < 4; ++i) queue.put(&items[i], priorities[i]);
  const auto next = [&](auto wanted) {
    const Item* const found = queue.take(wanted);
    return found == nullptr ? -1 : found->number;
  };
  const auto any = [](Item*) { return true; };
  EXPECT_EQ(next([](Item* item) { return item->number != 1; }), 3);
  EXPECT_EQ(next(any), 1);
  EXPECT_EQ(next(any), 0);
  EXPECT_EQ(next(any), 2);
  EXPECT_EQ(next(any), -1);
}

}  // namespace
}  // namespace vicino::task
