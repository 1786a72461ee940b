// task/deque.hpp with one thread: what the deque gives out, and in which order.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "task/deque.hpp"

namespace vicino::task {
namespace {

using Numbers = Deque<int>;

int* steal(Numbers& deque) {
  int* task = nullptr;
  deque.steal(task, [](int*) { return true; });
  return task;
}

TEST(TaskDeque, EmptyGivesNothing) {
  Numbers deque;
  EXPECT_EQ(deque.pop(), nullptr);
  EXPECT_EQ(steal(deque), nullptr);
  EXPECT_FALSE(deque.offers([](int*) { return true; }));
}

// Compared with a plain double-ended queue, through many sizes of the ring.
TEST(TaskDeque, AsADoubleEndedQueue) {
  std::vector<int> numbers(5000);
  std::mt19937 random(1);
  for (const uint64_t first : {1u, 2u, 256u}) {
    Numbers deque(first);
    std::deque<int*> model;
    uint64_t stolen = 0;
    for (int& number : numbers) {
      deque.push(&number);
      model.push_back(&number);
      while (!model.empty() && random() % 16 < 7) {
        const bool oldest = random() % 2;
        int* const want = oldest ? model.front() : model.back();
        oldest ? model.pop_front() : model.pop_back();
        ASSERT_EQ(oldest ? steal(deque) : deque.pop(), want);
        stolen += oldest;
        ASSERT_EQ(deque.stolen(), stolen);
      }
    }
    for (; !model.empty(); model.pop_back()) ASSERT_EQ(deque.pop(), model.back());
    EXPECT_EQ(deque.pop(), nullptr);
  }
}

TEST(TaskDeque, LeavesWhatLiesBelowTheFloor) {
  int older = 0, younger = 0;
  Numbers deque;
  deque.push(&older);
  const uint64_t floor = deque.bottom();
  deque.push(&younger);
  EXPECT_EQ(deque.pop(floor), &younger);
  EXPECT_EQ(deque.pop(floor), nullptr);
  EXPECT_EQ(deque.pop(), &older);
}

TEST(TaskDeque, GivesNoThiefWhatHeDoesNotWant) {
  int task = 0;
  Numbers deque;
  deque.push(&task);
  int* got = nullptr;
  EXPECT_EQ(deque.steal(got, [](int*) { return false; }), Numbers::Stolen::kUnwanted);
  EXPECT_FALSE(deque.offers([](int*) { return false; }));
  EXPECT_TRUE(deque.offers([&](int* found) { return found == &task; }));
  EXPECT_EQ(deque.pop(), &task);
}

}  // namespace
}  // namespace vicino::task
