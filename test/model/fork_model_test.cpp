// The handing over of regions in team/fork.cpp and team/serve.cpp: calls and results are published,
// workers that a smaller region leaves out come back for a larger one, and nobody is left behind
// when the team dissolves.
//
// Restated, not compiled: the sources around it hold threads and machines. What is kept line by
// line is release(), serve_team() and dissolve_teams(); gates, posts and gather() are the real
// ones.
#include <array>
#include <vector>

#include "spares.hpp"
#include "sync/barrier.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);
constexpr int kTeam = 3;
constexpr uint64_t kDissolve = 0;

constexpr uint64_t pack(uint64_t number, int size) {
  return number << 2 | static_cast<uint64_t>(size);
}

struct Team {
  explicit Team(int members_per_mailbox) : block(members_per_mailbox) {}

  Post& post(int i) { return posts[static_cast<size_t>(i)]; }
  size_t mailbox(int i) const { return static_cast<size_t>(i / block); }

  const int block;
  const std::array<Layout, kTeam + 1> layouts = {Layout(), Layout::blocks(1, 1),
                                                 Layout::blocks(2, 2), Layout::blocks(3, 3)};
  std::array<Gate, kTeam> go, resume;
  std::array<Plain<uint64_t>, kTeam> call, result;
  Plain<int> size;
  std::array<Post, kTeam> posts;
  int awake = kTeam;  // the primary's
};

void run_region(Team& team, int n, uint64_t number, Patience& patience) {
  team.size.set(n);
  for (int i = 0; i < n;) {
    const size_t box = team.mailbox(i);
    team.call[box].set(number);
    team.go[box].open(pack(number, n));
    while (i < n && team.mailbox(i) == box) ++i;
  }
  for (int i = team.awake; i < n; ++i) team.resume[static_cast<size_t>(i)].open(pack(number, n));
  team.awake = n;
  gather(team, team.layouts[static_cast<size_t>(n)], 0, number + 1, {patience, kLimits});
  for (int i = 1; i < n; ++i) MODEL_CHECK(team.result[static_cast<size_t>(i)].get() == number);
}

void dissolve(Team& team, uint64_t number, Patience& patience) {
  for (int i = 0; i < kTeam; ++i) {
    team.go[team.mailbox(i)].open(pack(number, kDissolve));
    team.resume[static_cast<size_t>(i)].open(pack(number, kDissolve));
  }
  for (int i = 1; i < kTeam; ++i) team.post(i).gathered.wait_for(number, patience, kLimits);
}

void serve(Team& team, int id) {
  Patience patience;
  const auto me = static_cast<size_t>(id);
  const size_t box = team.mailbox(id);
  Gate* gate = &team.go[box];
  for (uint64_t seen = 0;;) {
    const uint64_t go =
        gate->wait([seen](uint64_t value) { return value > seen; }, patience, kLimits);
    seen = go;
    const auto size = static_cast<int>(go & 3);
    if (size == kDissolve) break;
    if (id >= size) {
      gate = &team.resume[me];
      continue;
    }
    gate = &team.go[box];
    MODEL_CHECK(team.size.get() == size);
    team.result[me].set(team.call[box].get());
    gather(team, team.layouts[static_cast<size_t>(size)], id, (go >> 2) + 1, {patience, kLimits});
  }
  team.post(id).gathered.open(gate->value() >> 2);
}

// Regions of the sizes given, one after the other, and the end.
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
  expect_caught(
      mutants(kOneSwitch, [](Stage& stage) { regions(stage, {2}, 3); }),
      {kGateSpare,
       {"Gate::value", "acquire -> relaxed", "of the gate that wait() has just acquired"}});
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
