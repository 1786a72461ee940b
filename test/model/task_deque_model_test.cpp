// task/deque.hpp: each task is given out once, and the thread that gets it sees all of it.
#include <array>

#include "spares.hpp"
#include "task/deque.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

// The part of a task that a thief may read before it owns the task is atomic; the rest is not.
struct Item {
  plat::atomic<int> hint{0};
  Plain<int> data;
  Plain<int> given;
};

struct Shared {
  explicit Shared(uint64_t first) : deque(first) {}
  Deque<Item> deque;
  std::array<Item, 4> items;  // the last one is used only in make_ring()
};

void push(Shared& s, int i) {
  Item& item = s.items[static_cast<size_t>(i)];
  item.hint.store(1, std::memory_order_relaxed);
  item.data.set(i + 1);
  s.deque.push(&item);
}

void run(Item& item) {
  MODEL_CHECK(item.data.get() != 0);
  item.given.set(item.given.get() + 1);
}

bool pop(Shared& s, uint64_t floor = 0) {
  Item* const item = s.deque.pop(floor);
  if (item != nullptr) run(*item);
  return item != nullptr;
}

// The first ring exists before the threads: a search of too weak orders must not crash.
void make_ring(Shared& s) {
  push(s, 3);
  pop(s);
}

Shared& shared(Stage& stage, uint64_t first) {
  auto& s = stage.make<Shared>(first);
  stage.name(s.deque, "deque");
  stage.name(s.items, "items");
  make_ring(s);
  return s;
}

// One attempt to steal.
void steal(Shared& s, bool accepts = true) {
  const auto wanted = [accepts](Item* item) {
    MODEL_CHECK(item != nullptr);
    MODEL_CHECK(item->hint.load(std::memory_order_relaxed) == 1);
    return accepts;
  };
  Item* item = nullptr;
  if (s.deque.steal(item, wanted) == Deque<Item>::Stolen::kTask) run(*item);
}

void all_given_once(Shared& s, int pushed) {
  while (pop(s)) {
  }
  for (int i = 0; i < pushed; ++i) MODEL_CHECK(s.items[static_cast<size_t>(i)].given.get() == 1);
}

// The owner and `thieves` thieves want the last task. Then the deque is used again.
void last_task(Stage& stage, int thieves) {
  auto& s = shared(stage, 2);
  stage.thread("owner", [&s] {
    push(s, 0);
    pop(s);
    push(s, 1);
  });
  for (int t = 1; t <= thieves; ++t) stage.thread(numbered("thief", t), [&s] { steal(s); });
  stage.finally([&s] { all_given_once(s, 2); });
}

// More tasks than the first ring holds, while a thief reads the old ring.
void growth(Stage& stage, int steals) {
  auto& s = shared(stage, 1);
  stage.thread("owner", [&s] {
    push(s, 0);
    push(s, 1);
    push(s, 2);
    pop(s);
  });
  stage.thread("thief", [&s, steals] {
    for (int i = 0; i < steals; ++i) steal(s);
  });
  stage.finally([&s] { all_given_once(s, 3); });
}

// A slot is used again after its task was stolen: all other slots of the ring are full. A second
// thief that has read the old top_ finds the new task in the slot.
void reuse(Stage& stage, int thieves, int steals) {
  auto& s = shared(stage, 1);
  stage.thread("owner", [&s] {
    push(s, 0);
    push(s, 1);
  });
  for (int t = 1; t <= thieves; ++t)
    stage.thread(numbered("thief", t), [&s, steals] {
      for (int i = 0; i < steals; ++i) steal(s);
    });
  stage.finally([&s] { all_given_once(s, 2); });
}

// The owner takes the younger of two tasks without a race if it sees that the older one is there.
void two_tasks(Stage& stage, int thieves, int steals) {
  auto& s = shared(stage, 2);
  stage.thread("owner", [&s] {
    push(s, 0);
    push(s, 1);
    pop(s);
    pop(s);
  });
  for (int t = 1; t <= thieves; ++t)
    stage.thread(numbered("thief", t), [&s, steals] {
      for (int i = 0; i < steals; ++i) steal(s);
    });
  stage.finally([&s] { all_given_once(s, 2); });
}

// The owner leaves the tasks below its floor to thieves.
void floor(Stage& stage) {
  auto& s = shared(stage, 2);
  stage.thread("owner", [&s] {
    push(s, 0);
    const uint64_t floor = s.deque.bottom();
    push(s, 1);
    pop(s, floor);
    MODEL_CHECK(!pop(s, floor));
  });
  stage.thread("thief", [&s] { steal(s); });
  stage.finally([&s] { all_given_once(s, 2); });
}

// A thief that accepts no task takes none.
void unwanted(Stage& stage) {
  auto& s = shared(stage, 2);
  stage.thread("owner", [&s] {
    push(s, 0);
    pop(s);
    push(s, 1);
    MODEL_CHECK(pop(s));
    MODEL_CHECK(s.items[1].given.get() == 1);
  });
  stage.thread("thief", [&s] { steal(s, false); });
  stage.finally([&s] { all_given_once(s, 2); });
}

TEST(Deque, LastTask) {
  expect_holds(explore({}, [](Stage& stage) { last_task(stage, 1); }));
}

TEST(Deque, LastTaskTwoThieves) {
  expect_holds(
      explore({.preemptions = 2, .stale_reads = 1}, [](Stage& stage) { last_task(stage, 2); }));
}

TEST(Deque, TwoTasks) {
  expect_holds(explore({}, [](Stage& stage) { two_tasks(stage, 1, 2); }));
}

TEST(Deque, TwoTasksTwoThieves) {
  expect_holds(
      explore({.preemptions = 2, .stale_reads = 1}, [](Stage& stage) { two_tasks(stage, 2, 1); }));
}

TEST(Deque, Growth) {
  expect_holds(explore({}, [](Stage& stage) { growth(stage, 2); }));
}

TEST(Deque, Reuse) {
  expect_holds(explore({}, [](Stage& stage) { reuse(stage, 1, 2); }));
}

TEST(Deque, ReuseTwoThieves) {
  expect_holds(
      explore({.preemptions = 2, .stale_reads = 1}, [](Stage& stage) { reuse(stage, 2, 1); }));
}

TEST(Deque, Floor) { expect_holds(explore({}, floor)); }

TEST(Deque, Unwanted) { expect_holds(explore({}, unwanted)); }

TEST(LongDeque, TwoThieves) {
  expect_holds(explore({}, [](Stage& stage) { last_task(stage, 2); }));
  expect_holds(explore({.stale_reads = 1}, [](Stage& stage) { two_tasks(stage, 2, 1); }));
}

TEST(LongDeque, Mutants) {
  constexpr Bounds kBounds = {.preemptions = 3, .stale_reads = 2, .spurious = 0};
  expect_caught(
      together({
          mutants(kBounds, [](Stage& stage) { two_tasks(stage, 1, 2); }),
          mutants(kBounds, [](Stage& stage) { last_task(stage, 1); }),
          mutants(kBounds, [](Stage& stage) { growth(stage, 2); }),
          mutants(kBounds, [](Stage& stage) { reuse(stage, 1, 2); }),
          mutants({.preemptions = 2, .stale_reads = 1, .spurious = 0},
                  [](Stage& stage) { reuse(stage, 2, 1); }),
      }),
      {{"Deque<T>::make_room", "acquire -> relaxed",
        "a thief's look at a slot must come before the owner writes it again; the checker's loads "
        "never read the future"},
       {"Deque<T>::pop", "not atomic",
        "bottom_, which only the owner writes: an exchange is x86's cheapest ordered store"},
       {"Deque<T>::pop", "seq_cst -> acq_rel", "top_: steal() reads it again with seq_cst"},
       {"Deque<T>::steal", "seq_cst -> acq_rel",
        "a thief's load of top_ or its change of top_: one of the two must be seq_cst"}});
}

}  // namespace
}  // namespace vicino::task
