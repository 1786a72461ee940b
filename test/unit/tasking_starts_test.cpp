// tasking/start.hpp: how a new task begins, by what other members do and by how long such tasks take.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "plat/plat.hpp"
#include "region/fork.hpp"
#include "task/holders.hpp"
#include "task/sleep.hpp"
#include "tasking/attentive.hpp"
#include "tasking/ready.hpp"
#include "tasking/tasks.hpp"

namespace vicino::tasking {
namespace {

// Runs the body on the first member of a team of two, while the second neither works nor looks for work.
void beside_another(const std::function<void(Member& mine, Member& other)>& body) {
  struct Shared {
    const std::function<void(Member&, Member&)>& body;
    plat::atomic<bool> has_come{false}, over{false};  // the second member; the body
  } shared{body};
  const team::Call call{[](Member& member, const team::Call& its) {
                          auto& all = *static_cast<Shared*>(its.args[0]);
                          if (member.id == 1) all.has_come.store(true, std::memory_order_release);
                          if (member.id == 0) {
                            // Until then it may still look for tasks of the region before.
                            while (!all.has_come.load(std::memory_order_acquire)) plat::relax();
                            all.body(member, member.team->member(1));
                            all.over.store(true, std::memory_order_release);
                          }
                          while (!all.over.load(std::memory_order_acquire)) plat::relax();
                        },
                        nullptr,
                        1,
                        {&shared}};
  region::fork(call, {.threads = 2});
}

constexpr char kCode = 0, kStolen = 0;  // stand for those of tasks

void queue(Member& mine, int tasks, const char* code = &kCode) {
  for (int i = 0; i < tasks; ++i) {
    Task* const task = new_task(mine, 0, 0);
    task->body = [](Member&, Task&) { return true; };
    task->function = const_cast<char*>(code);
    Starts(mine).give_level(*task);
    spawn(mine, *task);
  }
}

void run_queued(Member& mine) {
  while (mine.tasks.deque.size() > 0) yield_to_task(mine);
}

// The oldest queued task is stolen, and the thief runs it.
void lose_one(Member& mine, Member& thief) {
  Task* task = nullptr;
  const auto stolen = mine.tasks.deque.steal(task, [](const Task*) { return true; });
  ASSERT_EQ(stolen, task::Deque<Task>::Stolen::kTask);
  if (&thief == &mine) return run_counted(thief, *task);
  thief.tasks.epoch.join();
  run_counted(thief, *task);
  stop_work(thief);
}

bool is_queued(Member& mine, const char* code = &kCode) {
  return Starts(mine).ask(code, Situation::kAsked) == Start::kQueued;
}

int queued_in_a_row(Member& mine) {
  int count = 0;
  while (count < 1000 && is_queued(mine)) ++count;
  return count;
}

// From here on tasks of the code are short, and not tiny, and no other member has looked lately.
void learn_short(Member& mine) {
  queue(mine, 1);  // until an epoch's first task, every task is wanted
  run_queued(mine);
  for (int i = 0; i < 10; ++i)
    mine.worker->lengths.add(&kCode, mine.tasks.standing.level().now(), 2000);
  queued_in_a_row(mine);
}

TEST(TaskingStarts, ShortTasksAreQueuedForSomeTimeAfterALook) {
  beside_another([](Member& mine, Member&) {
    task::Idle idle(mine.team->tasks);
    learn_short(mine);
    EXPECT_FALSE(is_queued(mine));
    idle.look_in_vain();
    EXPECT_TRUE(is_queued(mine));
    idle.found();
    const int more = queued_in_a_row(mine);
    EXPECT_GT(more, 20);
    EXPECT_LT(more, 200);
    EXPECT_FALSE(is_queued(mine));
  });
}

TEST(TaskingStarts, AndAsLongAsTheyAreTaken) {
  beside_another([](Member& mine, Member&) {
    task::Idle idle(mine.team->tasks);
    learn_short(mine);
    idle.look_in_vain();
    EXPECT_TRUE(is_queued(mine));
    idle.found();
    for (int round = 0; round < 50; ++round) {
      queue(mine, 1);
      lose_one(mine, mine);
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(is_queued(mine)) << round;
    }
    EXPECT_LT(queued_in_a_row(mine), 200);
  });
}

TEST(TaskingStarts, ButNotWhereEnoughAreQueued) {
  beside_another([](Member& mine, Member&) {
    task::Idle idle(mine.team->tasks);
    learn_short(mine);
    idle.look_in_vain();
    EXPECT_TRUE(is_queued(mine));
    queue(mine, 40);
    EXPECT_FALSE(is_queued(mine));
    run_queued(mine);
    EXPECT_TRUE(is_queued(mine));
  });
}

// Thieves take all that the member makes, so it runs none of these tasks.
TEST(TaskingStarts, ThievesTellHowLongTasksTake) {
  beside_another([](Member& mine, Member& other) {
    for (int i = 0; i < 10; ++i)
      other.worker->lengths.add(&kStolen, mine.tasks.standing.level().now(), 100);
    int queued = 0;
    for (; queued < 100 && is_queued(mine, &kStolen); ++queued) {
      queue(mine, 1, &kStolen);
      lose_one(mine, other);
    }
    EXPECT_GE(queued, task::Length::kEnough);
    EXPECT_LT(queued, 20);
  });
}

// The compiler has to leave the frame on the stack until here.
void keep(const char* frame) { asm volatile("" : : "r"(frame) : "memory"); }

// Calls itself, and then notes where a task would be made.
[[gnu::noinline]] uint32_t level_below(Member& mine, int calls) {
  char frame[64];
  if (calls == 0) Starts(mine).note_level(__builtin_frame_address(0));
  const uint32_t level =
      calls == 0 ? mine.tasks.standing.level().now() : level_below(mine, calls - 1);
  keep(frame);
  return level;
}

// The same; then the place where a task of its own that is made there makes one.
[[gnu::noinline]] uint32_t level_in_call_below(Member& mine, int calls) {
  char frame[64];
  uint32_t level = 0;
  if (calls == 0) {
    Starts(mine).note_level(__builtin_frame_address(0));
    run_bare(mine, [&] { level = level_below(mine, 0); });
  } else {
    level = level_in_call_below(mine, calls - 1);
  }
  keep(frame);
  return level;
}

// The present task makes its first task at this level.
void make_first_at(Member& mine, uint32_t level) {
  mine.tasks.standing.level().begin_at(level);
  Starts(mine).note_level(__builtin_frame_address(0));
}

// What a function makes after its calls have made some is longer than what they made.
TEST(TaskingStarts, TheFirstTaskMayBeMadeDeepInTheRecursion) {
  beside_another([](Member& mine, Member&) {
    make_first_at(mine, 9);
    run_bare(mine, [&] {
      EXPECT_EQ(level_below(mine, 2), 10u);
      EXPECT_LT(level_below(mine, 1), 10u);
      EXPECT_GT(level_below(mine, 4), 10u);
      EXPECT_EQ(level_below(mine, 2), 10u);
    });
    make_first_at(mine, 9);
    run_bare(mine, [&] {
      EXPECT_EQ(level_below(mine, 60), 10u);
      EXPECT_EQ(level_below(mine, 0), 1u);  // level 0 is for tasks that no task has made
    });
  });
}

// What a task calls itself is a part of the recursion, as the tasks that it makes are.
TEST(TaskingStarts, TheTasksOwnRecursionCounts) {
  beside_another([](Member& mine, Member&) {
    run_bare(mine, [&] {
      const uint32_t first = level_below(mine, 0);
      EXPECT_EQ(level_below(mine, 0), first);
      EXPECT_GT(level_below(mine, 4), first);
      EXPECT_GT(level_below(mine, 40), level_below(mine, 4));
      EXPECT_EQ(level_below(mine, 1000), task::Level::kLast);
      EXPECT_EQ(level_in_call_below(mine, 1000), task::Level::kLast);
      EXPECT_EQ(level_in_call_below(mine, 0), first + 1);
      EXPECT_GT(level_in_call_below(mine, 4), first + 1);
      EXPECT_EQ(level_below(mine, 0), first);
    });
  });
}

TEST(TaskingStarts, AQueuedTaskTakesItsLevelAlong) {
  beside_another([](Member& mine, Member&) {
    const uint32_t below = level_below(mine, 4);
    Task* const task = new_task(mine, 0, 0);
    task->set_data_domain(3);
    Starts(mine).give_level(*task);
    EXPECT_EQ(task->depth(), below + 1);
    EXPECT_EQ(task->data_domain(), 3);
    EXPECT_TRUE(task->descends_from(mine.tasks.standing.implicit()));
    static bool has_run;
    has_run = false;
    task->body = [](Member& member, Task& its) {
      level_below(member, 0);
      level_below(member, 4);
      Task* const child = new_task(member, 0, 0);
      Starts(member).give_level(*child);
      EXPECT_GT(child->depth(), its.depth() + 1);
      EXPECT_TRUE(child->descends_from(its));
      child->body = [](Member&, Task&) { return has_run = true; };
      spawn(member, *child);
      return true;
    };
    spawn(mine, *task);
    run_queued(mine);
    run_queued(mine);
    EXPECT_TRUE(has_run);
  });
}

// While others look, short tasks are queued. What such a task makes may be known to be tiny by now, and
// so may the task: that is learned from those that are run.
TEST(TaskingStarts, AQueuedShortTaskMayTurnOutToBeTiny) {
  beside_another([](Member& mine, Member&) {
    learn_short(mine);
    const auto length = [&] {
      return mine.worker->lengths.find(&kCode, mine.tasks.standing.level().now());
    };
    EXPECT_FALSE(length().is_tiny());
    for (int i = 0; i < 5000 && !length().is_tiny(); ++i) {
      Task* const task = new_task(mine, 0, 0);
      Starts(mine).give_level(*task);
      task->function = const_cast<char*>(&kCode);
      task->body = [](Member&, Task&) { return true; };
      spawn(mine, *task);
      run_queued(mine);
    }
    EXPECT_TRUE(length().is_tiny());
  });
}

// A task can be tiny in the mean and long nevertheless.
TEST(TaskingStarts, WhileAMemberStarvesWhatATinyCallMakesIsQueued) {
  beside_another([](Member& mine, Member&) {
    task::Idle idle(mine.team->tasks);
    learn_short(mine);
    for (int i = 0; i < 100; ++i)
      mine.worker->lengths.add(&kCode, mine.tasks.standing.level().now(), 50);
    ASSERT_TRUE(Starts(mine).is_tiny_call(&kCode));
    run_tiny(mine, [&] {
      idle.look_in_vain();
      EXPECT_TRUE(Starts(mine).takes_free_call());
      idle.starve();
      EXPECT_FALSE(Starts(mine).takes_free_call());
      EXPECT_FALSE(Starts(mine).is_tiny_call(&kCode));
      EXPECT_TRUE(is_queued(mine));
      idle.found();
      EXPECT_TRUE(Starts(mine).takes_free_call());
    });
    EXPECT_FALSE(Starts(mine).is_tiny_call(&kCode));  // it is timed
    EXPECT_TRUE(Starts(mine).is_tiny_call(&kCode));
  });
}

// Nobody looks for tasks before an epoch's first one is queued.
TEST(TaskingStarts, TheFirstTinyCallThatIsLongQueuesOne) {
  beside_another([](Member& mine, Member&) {
    for (int i = 0; i < 100; ++i)
      mine.worker->lengths.add(&kCode, mine.tasks.standing.level().now(), 50);
    ASSERT_FALSE(mine.tasks.epoch.is_at_work());
    mine.worker->stack.look();
    for (int i = 0; i < 5; ++i) {
      run_tiny(mine, [&] {
        uint32_t calls = 0;
        while (calls < 1000 && Starts(mine).takes_free_call()) ++calls;
        EXPECT_EQ(calls, Starts::kUnasked);
        EXPECT_FALSE(Starts(mine).is_tiny_call(&kCode));
        EXPECT_TRUE(is_queued(mine));
      });
    }
    queue(mine, 1);
    run_tiny(mine, [&] {
      for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Starts(mine).takes_free_call());
    });
    run_queued(mine);
  });
}

// A look at all members of a large team takes long.
TEST(TaskingStarts, ALookEndsWithTheWait) {
  beside_another([](Member& mine, Member& other) {
    Task* const task = new_task(mine, 0, 0);
    task->body = [](Member&, Task&) { return true; };
    account(mine, *task);
    mine.team->tasks.holders->push(other.id, other.tasks.search, other.tasks.deque, task);
    task::PendingCount awaited;
    EXPECT_EQ(find(mine, &awaited), nullptr);
    awaited.add_here();
    ASSERT_EQ(find(mine, &awaited), task);
    run_counted(mine, *task);
  });
}

// Only a member that waits is said to look: one that yields has work of its own.
TEST(TaskingStarts, YieldingIsNoLook) {
  beside_another([](Member& mine, Member&) {
    const task::Hunger& hunger = mine.team->tasks.hunger;
    learn_short(mine);
    yield_to_task(mine);  // finds nothing
    EXPECT_FALSE(hunger.is_felt());
    EXPECT_FALSE(is_queued(mine));
    task::Idle idle(mine.team->tasks);
    EXPECT_FALSE(help(mine, nullptr, &idle));
    EXPECT_TRUE(hunger.is_felt());
  });
}

}  // namespace
}  // namespace vicino::tasking
