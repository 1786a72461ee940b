// task/node_row.hpp: each task is given once, to its node or to another, and the strict ones only
// to their node.
#include <array>

#include "spares.hpp"
#include "task/node_row.hpp"
#include "task/shared.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kFirst = 10;

struct Case {
  int near, far;  // threads
  uint32_t tasks;
};

struct Given {
  NodeRow row;
  std::array<Plain<int>, 4> times;
};

void count(Given& given, uint64_t task) {
  auto& times = given.times[task - kFirst];
  times.set(times.get() + 1);
}

void drain(Stage& stage, Case c) {
  auto& given = stage.make_named<Given>("row");
  given.row.fill(kFirst, c.tasks);
  for (int i = 0; i < c.near; ++i)
    stage.thread(numbered("N", i), [&given] {
      while (const auto task = given.row.take()) count(given, *task);
    });
  for (int i = 0; i < c.far; ++i)
    stage.thread(numbered("F", i), [&given, c] {
      while (const auto task = given.row.take_far()) {
        MODEL_CHECK(*task >= kFirst + NodeRow::strict_part(c.tasks));
        count(given, *task);
      }
    });
  stage.finally([&given, c] {
    // Where nobody is near, the strict part is left.
    const uint32_t last = c.near > 0 ? c.tasks : NodeRow::strict_part(c.tasks);
    for (uint32_t t = 0; t < c.tasks; ++t)
      MODEL_CHECK(given.times[t].get() == (c.near > 0 || t >= last ? 1 : 0));
    MODEL_CHECK(given.row.empty() == (c.near > 0));
  });
}

Result explored(const Bounds& bounds, Case c) {
  return explore(bounds, [c](Stage& stage) { drain(stage, c); });
}

TEST(NodeRow, OneNearOneFar) {
  for (const uint32_t tasks : {1u, 2u, 3u, 4u}) expect_holds(explored({}, {1, 1, tasks}));
}

TEST(NodeRow, TwoNear) { expect_holds(explored({.preemptions = 3}, {2, 0, 3})); }

TEST(NodeRow, TwoFar) { expect_holds(explored({.preemptions = 3}, {0, 2, 4})); }

TEST(NodeRow, OneNearTwoFar) { expect_holds(explored({.preemptions = 2}, {1, 2, 4})); }

struct Handed {
  NodeRow row;
  Shared<Plain<int>> box;
  Plain<int> runner;
};

void take_back(Handed& handed) {
  if (handed.row.empty()) handed.box.take([](const Plain<int>*) { return true; });
}

void hand_out(Stage& stage) {
  auto& handed = stage.make_named<Handed>("handed");
  handed.row.fill(kFirst, 1);
  stage.thread("H", [&handed] {
    handed.box.put(&handed.runner);
    take_back(handed);
  });
  stage.thread("R", [&handed] {
    while (handed.row.take()) {
    }
    take_back(handed);
  });
  stage.finally([&handed] { MODEL_CHECK(handed.box.empty()); });
}

TEST(NodeRow, HandedOutWorkIsTakenBack) { expect_holds(explore({}, hand_out)); }

}  // namespace
}  // namespace vicino::task
