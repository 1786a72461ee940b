// The loop schedules: every iteration goes to one member, once, however the members run.
#include <array>

#include "expect.hpp"
#include "loop/dynamic.hpp"
#include "loop/dynamic_shared.hpp"
#include "loop/guided.hpp"
#include "loop/trapezoid.hpp"

namespace vicino::loop {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kMostIterations = 16;

template <LoopScheduler S>
struct Loop {
  std::array<Lane, 3> lanes;
  S shared;
  std::array<Plain<int>, kMostIterations> runs;  // two members on one iteration would race
};

// The members take chunks until there are none.
template <LoopScheduler S>
void take_all(Stage& stage, uint32_t members, uint64_t trip, uint64_t chunk) {
  auto& loop = stage.make_named<Loop<S>>("loop");
  stage.name(loop.lanes, "lanes");
  stage.name(loop.runs, "iteration");
  const Plan plan{trip, chunk, members, std::span(loop.lanes).first(members)};
  loop.shared.start(plan);
  for (uint32_t m = 0; m < members; ++m)
    stage.thread(numbered("T", static_cast<int>(m)), [&loop, plan, m] {
      Cursor cursor;
      cursor.member = m;
      loop.shared.enter(plan, cursor);
      for (Range r = loop.shared.next(cursor); !r.empty(); r = loop.shared.next(cursor))
        for (uint64_t i = r.begin; i < r.end; ++i) loop.runs[i].set(loop.runs[i].get() + 1);
    });
  stage.finally([&loop, trip] {
    for (uint64_t i = 0; i < kMostIterations; ++i)
      MODEL_CHECK(loop.runs[i].get() == (i < trip ? 1 : 0));
  });
}

template <LoopScheduler S>
Result run_loop(const Bounds& bounds, uint32_t members, uint64_t trip, uint64_t chunk) {
  return explore(bounds, [=](Stage& stage) { take_all<S>(stage, members, trip, chunk); });
}

template <class S>
class Schedule : public testing::Test {};

struct NameOf {
  template <class S>
  static std::string GetName(int) {
    return std::string(S::kName);
  }
};

using Schedules = testing::Types<Dynamic, DynamicShared, Guided, Trapezoid>;
TYPED_TEST_SUITE(Schedule, Schedules, NameOf);

TYPED_TEST(Schedule, TwoMembers) {
  for (const uint64_t trip : {1u, 2u, 3u}) expect_holds(run_loop<TypeParam>({}, 2, trip, 1));
  expect_holds(run_loop<TypeParam>({.preemptions = 2, .stale_reads = 1}, 2, 7, 2));
}

TYPED_TEST(Schedule, ThreeMembers) {
  expect_holds(run_loop<TypeParam>({.preemptions = 1, .stale_reads = 1}, 3, 3, 1));
}

// Claims are relaxed: what there is to break is that they are one step.
TYPED_TEST(Schedule, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { take_all<TypeParam>(stage, 2, 4, 1); }));
}

// A thief's share may itself be robbed before the thief has taken of it.
TEST(LongSchedule, DynamicStealsFromThieves) {
  expect_holds(run_loop<Dynamic>({.preemptions = 2, .stale_reads = 1}, 3, 4, 1));
  expect_holds(run_loop<Dynamic>({}, 2, 4, 1));
  expect_holds(run_loop<Dynamic>({.preemptions = 4, .stale_reads = 1, .spurious = 0}, 2, 8, 1));
}

}  // namespace
}  // namespace vicino::loop
