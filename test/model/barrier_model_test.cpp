// sync/barrier.hpp: no member leaves a barrier before all have arrived, and each write before it is
// seen by all members after it, whether they poll or sleep, generation after generation.
#include <array>

#include "spares.hpp"
#include "sync/barrier.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);

// A team with a barrier; each member has data that all members read between two barriers.
template <int N>
struct Team {
  explicit Team(int block) : layout(Layout::blocks(N, block)) {}
  BarrierFlags& flags(int i) { return all_flags[static_cast<size_t>(i)]; }

  Layout layout;
  std::array<BarrierFlags, N> all_flags;
  std::array<Plain<uint64_t>, N> data;
};

template <int N>
Team<N>& team(Stage& stage, int block) {
  auto& t = stage.make<Team<N>>(block);
  for (int i = 0; i < N; ++i) {
    stage.name(t.all_flags[static_cast<size_t>(i)], numbered("flags", i));
    stage.name(t.data[static_cast<size_t>(i)], numbered("data", i));
  }
  return t;
}

// Write, barrier, read what all wrote, barrier, write again. Whether a barrier lies in between or
// not, the accesses are ordered only if every member waits for every other.
template <int N>
void generations(Stage& stage, uint64_t count, int block) {
  auto& t = team<N>(stage, block);
  for (int me = 0; me < N; ++me)
    stage.thread(numbered("T", me), [&t, me, count] {
      Patience patience;
      auto& mine = t.data[static_cast<size_t>(me)];
      for (uint64_t number = 1; number <= count; ++number) {
        if (number % 2 == 1) mine.set(number);
        meet(t, t.layout, me, number, {patience, kLimits});
        if (number % 2 == 0) continue;
        for (auto& data : t.data) MODEL_CHECK(data.get() == number);
      }
      if (count % 2 == 0) mine.set(0);
    });
}

template <int N>
Result meet_within(const Bounds& bounds, uint64_t count, int block) {
  return explore(bounds, [=](Stage& stage) { generations<N>(stage, count, block); });
}

TEST(Barrier, TwoMembersTwoMeetings) { expect_holds(meet_within<2>({}, 2, 2)); }

TEST(Barrier, TwoMembersThreeMeetings) {
  expect_holds(meet_within<2>({.preemptions = 2, .stale_reads = 1}, 3, 2));
}

TEST(Barrier, ThreeMembersInOneUnit) {
  expect_holds(meet_within<3>({.preemptions = 1, .stale_reads = 1, .spurious = 0}, 1, 3));
  expect_holds(meet_within<3>({.preemptions = 0, .stale_reads = 0, .spurious = 0}, 2, 3));
}

TEST(Barrier, ThreeMembersInTwoUnits) {
  expect_holds(meet_within<3>({.preemptions = 2, .stale_reads = 1}, 1, 2));
  expect_holds(meet_within<3>({.preemptions = 1, .stale_reads = 0, .spurious = 0}, 2, 2));
}

TEST(LongBarrier, TwoMembersFourMeetings) {
  expect_holds(meet_within<2>({.preemptions = 2, .stale_reads = 1}, 4, 2));
}

TEST(LongBarrier, ThreeMembersInOneUnit) {
  expect_holds(meet_within<3>({.preemptions = 2, .stale_reads = 1}, 1, 3));
  expect_holds(meet_within<3>({.preemptions = 1, .stale_reads = 0, .spurious = 0}, 2, 3));
}

TEST(LongBarrier, ThreeMembersInTwoUnits) {
  expect_holds(meet_within<3>({.preemptions = 3, .stale_reads = 2}, 1, 2));
  expect_holds(meet_within<3>({.preemptions = 1, .stale_reads = 1, .spurious = 0}, 2, 2));
}

TEST(Barrier, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { generations<2>(stage, 1, 2); }), {kGateSpare});
}

// Member 0 sees what the other members wrote; they do not wait.
template <int N>
void gathering(Stage& stage, int block) {
  auto& t = team<N>(stage, block);
  for (int me = 0; me < N; ++me)
    stage.thread(numbered("T", me), [&t, me] {
      Patience patience;
      t.data[static_cast<size_t>(me)].set(1);
      gather(t, t.layout, me, 1, {patience, kLimits});
      if (me == 0)
        for (auto& data : t.data) MODEL_CHECK(data.get() == 1);
    });
}

TEST(Gather, ThreeMembersInOneUnit) {
  expect_holds(explore({}, [](Stage& stage) { gathering<3>(stage, 3); }));
}

TEST(Gather, ThreeMembersInTwoUnits) {
  expect_holds(explore({}, [](Stage& stage) { gathering<3>(stage, 2); }));
}

TEST(Gather, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { gathering<3>(stage, 2); }), {kGateSpare});
}

}  // namespace
}  // namespace vicino::sync
