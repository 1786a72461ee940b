// Constructs in which a member may wait for another call late members up (team/late_start.hpp). The primary thread
// meets each in a region that it has begun alone, and nobody else calls the other member up: that one is the watcher,
// which looks before it sleeps, and here it polls. So a construct that calls nobody never ends, and a clock does.
#include <gtest/gtest.h>
#include <unistd.h>

#include "region/constructs.hpp"
#include "region/doacross.hpp"
#include "region/fork.hpp"
#include "region/loops.hpp"
#include "region/roots.hpp"
#include "tasking/tasks.hpp"
#include "team/late_start.hpp"
#include "team/team_loops.hpp"
#include "team/waiting.hpp"

namespace vicino::region {
namespace {

using team::Beginning;
using team::Call;
using Construct = void (*)(Member&);

Call call_of(Construct construct) {
  return {[](Member& member, const Call& call) {
            reinterpret_cast<Construct>(call.args[0])(member);
          },
          nullptr,
          1,
          {reinterpret_cast<void*>(construct)}};
}

// In a process of its own, which it ends.
[[noreturn]] void meet_alone(Construct construct, Beginning how) {
  constexpr unsigned kSeconds = 60;
  constexpr uint64_t kForLongNs = uint64_t{1} << 60;
  alarm(kSeconds);
  team::set_blocktime(kForLongNs);
  fork(call_of([](Member&) {}), {.threads = 2});  // from here on the worker listens
  team::Worker& worker = *me().worker;
  Team& team = worker.push_hot();
  worker.budget.enter();
  Member& primary = team.member(0);
  primary.start(primary.generation + 1);
  if (!begin_alone(team, how, call_of(construct), false)) _exit(2);
  team::self = &primary;
  construct(primary);
  end_region();
  _exit(0);
}

void expect_call(Construct construct, Beginning how = Beginning::kAlone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(meet_alone(construct, how), testing::ExitedWithCode(0), "");
}

TEST(LateMembers, ComeToABarrier) { expect_call(barrier); }

TEST(LateMembers, ComeToReduceByATree) {
  expect_call([](Member& member) {
    int sum = 1;
    const auto add = [](void* into, void* from) {
      *static_cast<int*>(into) += *static_cast<int*>(from);
    };
    if (reduce_tree(member, &sum, add) && sum != 2) _exit(1);
    let_go(member);
  });
}

TEST(LateMembers, ComeToADoacrossLoop) {
  expect_call([](Member& member) {
    const loop::DoacrossLoop nest[] = {{0, 1, 2}};
    begin_doacross(member, nest);
    if (member.id == 0)
      wait_for_post(member, [] { return 1; });
    else
      post(member, [] { return 1; });
    end_doacross(member);
  });
}

void run_loop(Member& member, uint64_t trip, const Asked& asked) {
  begin_loop(member, loop::UserBounds::from_zero(trip), {.asked = asked});
  while (!next_chunk(member).empty()) {
    enter_ordered(member);
    leave_ordered(member);
  }
}

// Only a region with room for a thread that joins when a core is lent has such loops.
TEST(LateMembers, ComeToAnOrderedLoop) {
  expect_call([](Member& member) { run_loop(member, 4, {.order = Order::kOrdered, .chunk = 1}); },
              Beginning::kAloneForLent);
}

TEST(LateMembers, ComeToTheSecondLoop) {
  expect_call(
      [](Member& member) {
        member.met.worksharings = 1;  // the first would look for a core
        for (uint64_t more = 0; more <= loop::Ring::kSlots; ++more)
          run_loop(member, 10, {.kind = loop::ScheduleKind::kDynamic});
      },
      Beginning::kAloneForLent);
}

TEST(LateMembers, ComeToRunATask) {
  expect_call([](Member& member) {
    if (member.id != 0) return;
    static plat::atomic<bool> done{false};
    team::Task& task = *tasking::new_task(member, 0, 0);
    task.body = [](Member&, team::Task&) {
      done.store(true, std::memory_order_relaxed);
      return true;
    };
    tasking::spawn(member, task);
    while (!done.load(std::memory_order_relaxed)) plat::yield();
  });
}

}  // namespace
}  // namespace vicino::region
