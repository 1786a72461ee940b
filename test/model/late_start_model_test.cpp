// sync/late_start.hpp: the watcher, which may just have begun to rest, calls up the members of a
// region that lasts; a region that has ended gets no members.
#include "spares.hpp"
#include "sync/event_count.hpp"
#include "sync/late_start.hpp"
#include "task/sleep.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);
constexpr uint64_t kEnd = 100;

struct Shared {
  LateStart late;
  EventCount event;      // where the watcher sleeps; kEnd: the team has ended
  EventCount came;       // the number of the region that the members were called up for
  Plain<uint64_t> call;  // written before a region, read by the thread that calls the members

  // Where another member sleeps at the event count, too: how members sleep and are woken.
  task::Sleepers sleepers;
  task::Sleeper members[3];
  bool with_other = false;
  int size = 3;
  task::Sleeper& sleeper(int i) { return members[i]; }
};
constexpr int kWatcher = 1, kOther = 2;

Shared& shared(Stage& stage) {
  auto& s = stage.make<Shared>();
  stage.name(s.late, "late");
  stage.name(s.event, "event");
  stage.name(s.came, "came");
  stage.name(s.call, "call");
  return s;
}

void begin(Shared& s, uint64_t number) {
  s.call.set(number);
  if (!s.late.begin(number)) return;
  if (s.with_other)
    task::wake(s, kWatcher, [](int) { return true; });
  else
    s.event.notify();
}

// A region whose work waits for the members.
void lasting(Shared& s, uint64_t number) {
  begin(s, number);
  Patience patience;
  s.came.wait_for(number, patience, kLimits);
  MODEL_CHECK(!s.late.close(number));
}

// A region that may end with the primary thread as its only member: then its data are that thread's
// again.
void brief(Shared& s, uint64_t number) {
  begin(s, number);
  if (s.late.close(number)) return;
  Patience patience;
  s.came.wait_for(number, patience, kLimits);
}

template <class Done>
void sleep(Shared& s, int member, Done done) {
  if (s.with_other)
    task::sleep_in(s.sleepers, s.members[member], s.event, done, [] { return false; });
  else
    s.event.wait_once([&](bool) { return done(); });
}

// Does what Attentive::sleep() does, without time between two looks.
void watch(Shared& s) {
  LateStart::Watch watch;
  while (s.event.value() != kEnd) {
    if (const uint64_t number = s.late.look(watch); number != 0) {
      MODEL_CHECK(s.call.get() == number);
      s.came.advance(number);
    } else if (watch.pause_ns == 0) {
      sleep(s, kWatcher, [&] { return s.event.value() == kEnd || s.late.wants_watch(watch); });
    }
  }
}

// A member that waits for the next region where the watcher sleeps.
void wait_for_region(Shared& s) {
  const auto ended = [&s] { return s.event.value() == kEnd; };
  while (!ended()) sleep(s, kOther, ended);
}

using Region = void (*)(Shared&, uint64_t number);

void regions(Stage& stage, std::initializer_list<Region> list, bool with_other = false) {
  auto& s = shared(stage);
  s.with_other = with_other;
  stage.thread("primary", [&s, all = std::vector(list)] {
    uint64_t number = 1;
    for (const Region region : all) region(s, number++);
    s.event.advance(kEnd);
  });
  stage.thread("watcher", [&s] { watch(s); });
  if (with_other) stage.thread("other", [&s] { wait_for_region(s); });
}

TEST(LateStart, ComeToARegionThatLasts) {
  expect_holds(explore({.preemptions = 4, .stale_reads = 2},
                       [](Stage& stage) { regions(stage, {lasting}); }));
}

// The other member may set the bit of the event count again before the watcher sleeps there.
TEST(LateStart, ComeWhereAnotherMemberWaits) {
  expect_holds(explore({.preemptions = 1, .stale_reads = 0},
                       [](Stage& stage) { regions(stage, {lasting}, true); }));
}

TEST(LateStart, DoNotComeToOneThatHasEnded) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 1},
                       [](Stage& stage) { regions(stage, {brief, brief}); }));
}

TEST(LateStart, ComeAfterBriefRegions) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 1},
                       [](Stage& stage) { regions(stage, {brief, lasting, brief}); }));
}

TEST(LateStart, Mutants) {
  const Bounds bounds{.preemptions = 2, .stale_reads = 1};
  const char* const kSeen =
      "the words that the watcher reads next are seq_cst, so the model orders them";
  expect_caught(
      together({mutants(bounds, [](Stage& stage) { regions(stage, {lasting}); }),
                mutants(bounds, [](Stage& stage) { regions(stage, {brief, lasting}); }),
                mutants(bounds, [](Stage& stage) { regions(stage, {brief, brief}); })}),
      {kGateSpare,
       {"EventCount::notify", "acq_rel -> acquire", kSeen},
       {"EventCount::notify", "acq_rel -> release", "the notifier reads nothing from a sleeper"},
       {"EventCount::wait_once", "acq_rel -> acquire",
        "the sleeper has written nothing for others"},
       {"EventCount::wait_once", "acq_rel -> release", kSeen},
       {"EventCount::value", "acquire -> relaxed", "kEnd carries no other data here"}});
}

}  // namespace
}  // namespace vicino::sync
