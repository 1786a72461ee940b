// task/free_agents.hpp with the termination detector and the team's queue: a free agent runs a
// shown task once and touches no host that has gone, the host's region ends, and no task is left to
// nobody.
#include "spares.hpp"
#include "task/free_agents.hpp"
#include "task/queues.hpp"
#include "task/termination.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kEpoch = 5;

struct Item {
  Plain<int> runs;
};

// A team. Its memory is written once more after the host was closed, as if it were freed: each
// access by a free agent reads it.
struct Host {
  void touch() { MODEL_CHECK(memory.get() == 0); }

  Plain<int> memory;
  Termination termination;
  Shared<Item> shared;
  Item items[2];
};

struct Stand {
  FreeAgents<Host> agents;
  Host host;
};

void run(Item& item) { item.runs.set(item.runs.get() + 1); }

// Takes one task if there is one. `makes`: the task makes the second one.
bool serve_once(Stand& stand, bool makes) {
  Item* const item = stand.agents.take([](Host* host) {
    host->touch();
    Item* const found = host->shared.take([](Item*) { return true; });
    if (found != nullptr) host->termination.join(kEpoch);
    return found;
  });
  if (item == nullptr) return false;
  Host& host = stand.host;
  int64_t balance = -1;
  host.touch();
  if (makes && item == &host.items[0]) {
    ++balance;
    host.shared.put(&host.items[1]);
  }
  run(*item);
  stand.agents.leave([&] {
    host.touch();
    host.termination.leave(balance);
    host.touch();
  });
  return true;
}

bool offers(Host& host) {
  host.touch();
  return host.shared.offers([](Item*) { return true; });
}

// By the team's thread: runs a task if there is one. Returns the change of the balance.
int64_t help(Host& host, bool makes) {
  Item* const item = host.shared.take([](Item*) { return true; });
  if (item == nullptr) return 0;
  const bool makes_one = makes && item == &host.items[0];
  if (makes_one) host.shared.put(&host.items[1]);
  run(*item);
  return makes_one ? 0 : -1;
}

// The team's thread shows a task, then ends the region. It looks for tasks a few times, and then
// only waits: so a free agent that has taken a task must end it, and what it makes must find
// somebody.
void host_region(Stand& stand, size_t items) {
  Host& host = stand.host;
  stand.agents.open(host);
  host.termination.join(kEpoch);
  host.shared.put(&host.items[0]);
  host.termination.leave(1);
  for (size_t looks = 0;; ++looks) {
    const uint64_t word = host.termination.word();
    if (Termination::over_by(word, kEpoch)) break;
    if (looks <= items && host.termination.enter(kEpoch))
      host.termination.leave(help(host, items == 2));
    else
      plat::wait_on(host.termination.words(), word, plat::Budget{});
  }
  for (size_t i = 0; i < items; ++i) MODEL_CHECK(host.items[i].runs.get() == 1);
  stand.agents.close(host);
  host.memory.set(1);
}

Result regions(const Bounds& bounds, int agents, size_t items) {
  return explore(bounds, [=](Stage& stage) {
    auto& stand = stage.make_named<Stand>("stand");
    stage.thread("P", [&stand, items] { host_region(stand, items); });
    for (int i = 0; i < agents; ++i)
      stage.thread(numbered("A", i), [&stand, items] {
        serve_once(stand, items == 2);
        serve_once(stand, items == 2);
      });
  });
}

// One free agent is there and about to end; at most one is wanted.
Result ending(const Bounds& bounds) {
  return explore(bounds, [](Stage& stage) {
    auto& stand = stage.make_named<Stand>("stand");
    auto& called = stage.make_named<Plain<int>>("called");
    auto& ended = stage.make_named<Plain<int>>("ended");
    MODEL_CHECK(stand.agents.calls_up(1));
    stage.thread("P", [&] {
      Host& host = stand.host;
      stand.agents.open(host);
      host.termination.join(kEpoch);
      host.shared.put(&host.items[0]);
      called.set(stand.agents.calls_up(1));
      host.termination.leave(1);
    });
    stage.thread("A", [&] {
      for (int looks = 0; looks < 2; ++looks) {
        if (serve_once(stand, false)) return;
        if (stand.agents.ends([](Host* host) { return offers(*host); })) return ended.set(1);
      }
    });
    stage.finally([&] {
      const bool left = stand.host.items[0].runs.get() == 0;
      MODEL_CHECK(!left || called.get() == 1);
    });
  });
}

TEST(FreeAgents, RunATaskBesideItsTeam) { expect_holds(regions({.preemptions = 2}, 1, 1)); }
TEST(FreeAgents, RunATaskThatMakesAnother) { expect_holds(regions({.preemptions = 2}, 1, 2)); }
TEST(FreeAgents, LeaveNoTaskToNobody) { expect_holds(ending({.preemptions = 3})); }
// With two preemptions the search gives up after three million executions, in a minute, also for one task; where each
// agent looks once for the only task, it ends after 1.4 million, in 23 s.
TEST(LongFreeAgents, Two) { expect_holds(regions({.preemptions = 1}, 2, 2)); }

}  // namespace
}  // namespace vicino::task
