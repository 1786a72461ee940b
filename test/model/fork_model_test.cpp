// sync/handover.hpp: calls and results are published, workers that a smaller region leaves out come
// back for a larger one, and each worker is released when the team dissolves.
#include <array>
#include <vector>

#include "spares.hpp"
#include "sync/barrier.hpp"
#include "sync/handover.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);
constexpr int kTeam = 3;
struct Team {
  explicit Team(int members_per_mailbox) : block(members_per_mailbox) {}

  BarrierFlags& flags(int i) { return all_flags[static_cast<size_t>(i)]; }
  size_t mailbox(int i) const { return static_cast<size_t>(i / block); }
  EventCount& group_event(int i) { return go[mailbox(i)]; }
  EventCount& own_event(int i) { return resume[static_cast<size_t>(i)]; }

  const int block;
  const std::array<Layout, kTeam + 1> layouts = {Layout(), Layout::blocks(1, 1),
                                                 Layout::blocks(2, 2), Layout::blocks(3, 3)};
  std::array<EventCount, kTeam> go, resume;
  std::array<Plain<uint64_t>, kTeam> call, result;
  Plain<int> size;
  std::array<BarrierFlags, kTeam> all_flags;
  int awake = kTeam;  // the primary's
};

void run_region(Team& team, int n, uint64_t number, Patience& patience) {
  team.size.set(n);
  call_up(team, Go::pack(number, n), team.awake, kTeam,
          [&](int i) { team.call[team.mailbox(i)].set(number); });
  team.awake = n;
  gather(team, team.layouts[static_cast<size_t>(n)], 0, number + 1, {patience, kLimits});
  for (int i = 1; i < n; ++i) MODEL_CHECK(team.result[static_cast<size_t>(i)].get() == number);
}

void dissolve(Team& team, uint64_t number, Patience& patience) {
  call_off(team, number, kTeam);
  for (int i = 1; i < kTeam; ++i) team.flags(i).gathered.wait_for(number, patience, kLimits);
}

void serve(Team& team, int id) {
  Patience patience;
  Listener listener(id, team.group_event(id), team.own_event(id), 0);
  uint64_t go;
  while (go = listener.next(Waiting{patience, kLimits}), Go::size(go) != Go::kDissolve) {
    const int size = Go::size(go);
    MODEL_CHECK(team.size.get() == size);
    team.result[static_cast<size_t>(id)].set(team.call[team.mailbox(id)].get());
    gather(team, team.layouts[static_cast<size_t>(size)], id, Go::number(go) + 1,
           {patience, kLimits});
  }
  team.flags(id).gathered.advance(Go::number(go));
}

// Regions of the given sizes, one after the other; then the team dissolves.
void regions(Stage& stage, const std::vector<int>& sizes, int block) {
  auto& team = stage.make_named<Team>("team", block);
  stage.name(team.go, "go");
  stage.name(team.resume, "resume");
  stage.name(team.call, "call");
  stage.thread("primary", [&team, sizes] {
    Patience patience;
    uint64_t number = 1;
    for (const int n : sizes) {
      run_region(team, n, number, patience);
      number += 2;
    }
    dissolve(team, number, patience);
  });
  for (int id = 1; id < kTeam; ++id)
    stage.thread(numbered("W", id), [&team, id] { serve(team, id); });
}

Result run_regions(const Bounds& bounds, const std::vector<int>& sizes, int block) {
  return explore(bounds, [=](Stage& stage) { regions(stage, sizes, block); });
}

constexpr Bounds kFree = {.preemptions = 0, .stale_reads = 0, .spurious = 0};
constexpr Bounds kOneSwitch = {.preemptions = 1, .stale_reads = 0, .spurious = 0};

TEST(Fork, AllInTheRegion) { expect_holds(run_regions(kFree, {3}, 3)); }

TEST(Fork, OneIsLeftOut) { expect_holds(run_regions(kFree, {2}, 3)); }

TEST(Fork, WhoWasLeftOutComesBack) { expect_holds(run_regions(kFree, {2, 3}, 1)); }

TEST(LongFork, Mutants) {
  expect_caught(mutants(kOneSwitch, [](Stage& stage) { regions(stage, {2}, 3); }), {kGateSpare});
}

TEST(LongFork, OneSwitchMore) {
  expect_holds(run_regions(kOneSwitch, {3}, 3));
  expect_holds(run_regions(kOneSwitch, {2}, 3));
}

TEST(LongFork, WhoWasLeftOutComesBackToASharedMailbox) {
  expect_holds(run_regions(kFree, {2, 3}, 3));
}

}  // namespace
}  // namespace vicino::sync
