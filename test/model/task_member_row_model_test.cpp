// task/member_row.hpp: each task is given once, to the owner, to another member of the node or to
// one of another node; strict tasks are given only within the node.
#include <array>

#include "spares.hpp"
#include "task/member_row.hpp"
#include "task/queues.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

struct Case {
  bool owner;
  int near, far;  // other threads
  uint32_t tasks, most;
};

struct Given {
  MemberRow row;
  std::array<Plain<int>, 10> times;
};

// Returns whether there were any tasks.
bool count(Given& given, loop::Range tasks, Case c) {
  MODEL_CHECK(tasks.size() <= c.most);
  for (uint64_t task = tasks.begin; task < tasks.end; ++task) {
    auto& times = given.times[task];
    times.set(times.get() + 1);
  }
  return !tasks.empty();
}

void drain(Stage& stage, Case c) {
  auto& given = stage.make_named<Given>("row");
  const auto strict = static_cast<uint32_t>(strict_part(c.tasks));
  given.row.fill(c.tasks, strict, c.most);
  if (c.owner)
    stage.thread("O", [&given, c] {
      while (count(given, given.row.take(), c)) {
      }
    });
  for (int i = 0; i < c.near; ++i)
    stage.thread(numbered("N", i), [&given, c] {
      while (count(given, given.row.take_near(), c)) {
      }
    });
  for (int i = 0; i < c.far; ++i)
    stage.thread(numbered("F", i), [&given, c, strict] {
      for (;;) {
        const loop::Range tasks = given.row.take_far();
        MODEL_CHECK(tasks.empty() || tasks.begin >= strict);
        if (!count(given, tasks, c)) return;
      }
    });
  stage.finally([&given, c, strict] {
    // If no thread belongs to the node, the strict part remains.
    const bool near = c.owner || c.near > 0;
    for (uint32_t t = 0; t < c.tasks; ++t)
      MODEL_CHECK(given.times[t].get() == (near || t >= strict ? 1 : 0));
    MODEL_CHECK(given.row.empty() == near);
  });
}

Result explored(const Bounds& bounds, Case c) {
  return explore(bounds, [c](Stage& stage) { drain(stage, c); });
}

TEST(MemberRow, OwnerAndOneFar) {
  for (const uint32_t tasks : {1u, 2u, 3u, 4u}) expect_holds(explored({}, {true, 0, 1, tasks, 1}));
}

TEST(MemberRow, OwnerAndOneNear) { expect_holds(explored({.preemptions = 3}, {true, 1, 0, 3, 1})); }

TEST(MemberRow, TwoFar) { expect_holds(explored({.preemptions = 3}, {false, 0, 2, 4, 1})); }

TEST(MemberRow, OwnerOneNearOneFar) {
  expect_holds(explored({.preemptions = 2}, {true, 1, 1, 4, 1}));
}

TEST(MemberRow, SeveralAtOnce) {
  expect_holds(explored({.preemptions = 3}, {true, 1, 0, 6, 2}));
  expect_holds(explored({.preemptions = 3}, {true, 0, 1, 6, 3}));
  expect_holds(explored({.preemptions = 3}, {false, 1, 1, 6, 3}));
  // Half of the remaining tasks would reach into the strict part.
  expect_holds(explored({}, {false, 0, 1, 10, 4}));
}

struct Handed {
  MemberRow row;
  Shared<Plain<int>> box;
  Plain<int> runner;
};

void take_back(Handed& handed) {
  if (handed.row.empty()) handed.box.take([](const Plain<int>*) { return true; });
}

void hand_out(Stage& stage) {
  auto& handed = stage.make_named<Handed>("handed");
  handed.row.fill(1, 1, 1);
  stage.thread("H", [&handed] {
    handed.box.put(&handed.runner);
    take_back(handed);
  });
  stage.thread("R", [&handed] {
    while (!handed.row.take().empty()) {
    }
    take_back(handed);
  });
  stage.finally([&handed] { MODEL_CHECK(handed.box.empty()); });
}

TEST(MemberRow, HandedOutWorkIsTakenBack) { expect_holds(explore({}, hand_out)); }

}  // namespace
}  // namespace vicino::task
