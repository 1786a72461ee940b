// The loop schedules: each iteration goes to one member, once, in every interleaving.
#include <array>

#include "expect.hpp"
#include "loop/registry.hpp"
#include "loop/schedulers.hpp"

namespace vicino::loop {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kMostIterations = 16;

constexpr size_t kMostWords = 64;

template <LoopScheduler S>
struct Loop {
  std::array<Lane, 3> lanes;
  S shared;
  std::array<plat::atomic<uint64_t>, kMostWords> history{};
  std::array<Plain<int>, kMostIterations> runs;  // two members on one iteration would race
};

// A loop, as the members meet it. `values` are those of the schedule's parameters.
struct Case {
  uint32_t members;
  uint64_t trip;
  uint64_t chunk = 1;
  Values values = {-1, -1, -1, -1, -1};  // not set: the schedule's own values
  uint32_t late = 0;                     // this many members, the last ones, never come
};

template <LoopScheduler S>
Plan plan_for(Loop<S>& loop, const Case& c) {
  Plan plan;
  plan.trip = c.trip;
  plan.chunk = c.chunk;
  plan.members = c.members;
  plan.lanes = std::span(loop.lanes).first(c.members);
  plan.values = fallbacks(S::kParameters);
  for (size_t i = 0; i < kMaxParameters; ++i)
    if (c.values[i] >= 0) plan.values[i] = c.values[i];
  // Otherwise time would decide the chunks, and there are few iterations.
  for (size_t i = 0; i < S::kParameters.size(); ++i) {
    if (S::kParameters[i].name == "grain") plan.values[i] = 0;
    if (S::kParameters[i].name == "first") plan.values[i] = c.members;
    if (S::kParameters[i].name == "d_min") plan.values[i] = 1;
  }
  static_assert(S::history_words(3) <= kMostWords);
  plan.history = std::span(loop.history).first(S::history_words(c.members));
  return plan;
}

// The members take chunks until none are left.
template <LoopScheduler S>
void take_all(Stage& stage, const Case& c) {
  auto& loop = stage.make_named<Loop<S>>("loop");
  stage.name(loop.lanes, "lanes");
  stage.name(loop.runs, "iteration");
  const Plan plan = plan_for(loop, c);
  loop.shared.start(plan);
  for (uint32_t m = 0; m < c.members - c.late; ++m)
    stage.thread(numbered("T", static_cast<int>(m)), [&loop, plan, m] {
      Cursor cursor;
      cursor.member = m;
      enter(loop.shared, plan, cursor);
      for (Range r = loop.shared.next(cursor); !r.empty(); r = loop.shared.next(cursor))
        for (uint64_t i = r.begin; i < r.end; ++i) loop.runs[i].set(loop.runs[i].get() + 1);
    });
  stage.finally([&loop, trip = c.trip] {
    for (uint64_t i = 0; i < kMostIterations; ++i)
      MODEL_CHECK(loop.runs[i].get() == (i < trip ? 1 : 0));
  });
}

template <LoopScheduler S>
Result run_loop(const Bounds& bounds, const Case& c) {
  return explore(bounds, [=](Stage& stage) { take_all<S>(stage, c); });
}

template <class S>
class Schedule : public testing::Test {};
template <class S>
class LongSchedule : public testing::Test {};
template <class S>
struct Tag {};

struct NameOf {
  template <class S>
  static std::string GetName(int) {
    return std::string(S::kName);
  }
};

// The schedules of the registry whose members share state.
template <class... S>
auto shared_ones(const std::tuple<S...>*) -> decltype(std::tuple_cat(
    std::declval<std::conditional_t<S::kShared, std::tuple<Tag<S>>, std::tuple<>>>()...));
template <class... S>
auto as_types(const std::tuple<Tag<S>...>*) -> testing::Types<S...>;

using Shared = decltype(shared_ones(static_cast<const loop::Schedulers*>(nullptr)));
using Schedules = decltype(as_types(static_cast<const Shared*>(nullptr)));
TYPED_TEST_SUITE(Schedule, Schedules, NameOf);

constexpr Bounds kShort = {.preemptions = 2, .stale_reads = 1};

TYPED_TEST(Schedule, TwoMembers) {
  for (const uint64_t trip : {1u, 2u, 3u}) expect_holds(run_loop<TypeParam>(kShort, {2, trip}));
  expect_holds(run_loop<TypeParam>(kShort, {2, 7, 2}));
}

TYPED_TEST(Schedule, ThreeMembers) {
  expect_holds(run_loop<TypeParam>({.preemptions = 1, .stale_reads = 1}, {3, 3}));
}

// Words that are hints: the iterations that run do not depend on them.
template <class S>
std::vector<Spare> hints() {
  constexpr std::string_view kWhy = "a hint";
  std::vector<Spare> hints;
  if (S::kName == Nich::kName) {
    hints.push_back({"Nich::count", "not atomic", kWhy});
    hints.push_back({"Nich::look_for_more", "release -> relaxed",
                     "the release after no fill: only a third member of the group needs it"});
  }
  if (S::kName == Vsched::kName) hints.push_back({"Vsched::store_owner", "not atomic", kWhy});
  if (std::ranges::find(S::kParameters, "f", &Parameter::name) != S::kParameters.end()) {
    hints.push_back({"StaticFraction::finished", "not atomic", kWhy});
    hints.push_back({"StaticFraction::raise", "not atomic", kWhy});
  }
  return hints;
}

// Claims are relaxed, so the mutants break only that a claim is one step. (NiCh's claims have a
// test below; weighted claims nothing.)
TYPED_TEST(Schedule, Mutants) {
  if constexpr (!std::is_same_v<TypeParam, Nich> && !std::is_same_v<TypeParam, Weighted>)
    expect_caught(mutants(kShort, [](Stage& stage) { take_all<TypeParam>(stage, {2, 4}); }),
                  hints<TypeParam>());
}

// NiCh. Groups of one member: two lanes, with thieves between them. Groups of two: members that
// share a lane and its claim.
constexpr Values kGroupsOf1 = {-1, 1, 1, -1}, kGroupsOf2 = {-1, 2, 1, -1};

TEST(NichSchedule, GroupsOfOne) { expect_holds(run_loop<Nich>(kShort, {2, 4, 1, kGroupsOf1})); }

TEST(NichSchedule, TwoShareALaneAndRobTheThird) {
  expect_holds(run_loop<Nich>(kShort, {3, 7, 4, kGroupsOf2, 1}));
}

TEST(LongNichSchedule, Mutants) {
  expect_caught(
      together(
          {mutants(kShort, [](Stage& stage) { take_all<Nich>(stage, {2, 4, 1, kGroupsOf1}); }),
           mutants(kShort, [](Stage& stage) { take_all<Nich>(stage, {3, 7, 4, kGroupsOf2, 1}); })}),
      hints<Nich>());
}

// A thief's share may itself be robbed before the thief has taken anything from it: all of it,
// again and again, by one of two other members; or half of a larger share.
//
// iCh reads what other members last wrote to k and d before each chunk, and any of these reads may
// be stale: ten times the states. Where there are three members, it gets one iteration less, so one
// of them begins as a thief; where there are many iterations, it gets one preemption less.
TYPED_TEST_SUITE(LongSchedule, Schedules, NameOf);

TYPED_TEST(LongSchedule, ThievesAreRobbed) {
  constexpr unsigned kLess = std::is_same_v<TypeParam, Ich>;
  expect_holds(run_loop<TypeParam>({}, {2, 3}));
  expect_holds(run_loop<TypeParam>(kShort, {3, 4 - kLess}));
  expect_holds(
      run_loop<TypeParam>({.preemptions = 4 - kLess, .stale_reads = 1, .spurious = 0}, {2, 8}));
}

// With few iterations, all stale reads and all weak CASes that fail spuriously are tried. The last
// case has a share of two to rob: a member that fills its pair's lane may find it filled by the
// other member.
TEST(LongNichSchedule, Groups) {
  expect_holds(run_loop<Nich>({}, {2, 3, 1, kGroupsOf1}));
  expect_holds(run_loop<Nich>({.preemptions = 3, .stale_reads = 1}, {2, 4, 1, kGroupsOf1}));
  expect_holds(run_loop<Nich>(kShort, {3, 3, 1, kGroupsOf2}));
  expect_holds(
      run_loop<Nich>({.preemptions = 2, .stale_reads = 1, .spurious = 0}, {3, 7, 4, kGroupsOf2}));
}

}  // namespace
}  // namespace vicino::loop
