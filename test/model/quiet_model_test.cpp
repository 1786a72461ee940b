// tune/quiet.hpp: members of a team agree on whether an execution is timed, whoever changes that
// and when (Q3), and another team does not disturb them (Q1).
#include <array>

#include "expect.hpp"
#include "tune/quiet.hpp"

namespace vicino::tune {
namespace {

using namespace model;  // NOLINT: a test

constexpr int kMostMembers = 3, kMostExecutions = 6;

// How members meet. What sync/barrier.hpp promises, in one word.
enum class Meeting { kAllWait, kMember0Waits };

// Members of a team that are at the same site in every meeting, some times.
struct Team {
  Team(uint64_t its_number, int its_size) : number(its_number), size(its_size) {}

  void meet(int me, uint64_t meeting, Meeting how) {
    const uint64_t all = meeting * static_cast<uint64_t>(size);
    uint64_t seen = arrived.fetch_add(1u, std::memory_order_acq_rel) + 1;
    if (how == Meeting::kMember0Waits && me != 0) return;
    while (seen < all) seen = plat::wait_on(arrived, seen, 0);
  }
  void answer(int me, int execution, bool timed) {
    answers[static_cast<size_t>(me)][static_cast<size_t>(execution)].set(timed);
  }
  bool answered(int member, int execution) {
    return answers[static_cast<size_t>(member)][static_cast<size_t>(execution)].get();
  }
  bool agree_on(int execution) {
    for (int m = 1; m < size; ++m)
      if (answered(m, execution) != answered(0, execution)) return false;
    return true;
  }

  const uint64_t number;
  const int size;
  plat::atomic<uint64_t> arrived{0};
  std::array<std::array<Plain<bool>, kMostExecutions>, kMostMembers> answers;
};

struct Shape {
  int members = 2, meetings = 2, executions = 1;  // executions in each meeting
  int changers = 1;  // members that want something else all the time: more than any tuner
  Meeting how = Meeting::kAllWait;
  uint64_t apart = Quiet::kEach << Quiet::kRarest;  // meetings: so what is quiet is not timed

  uint64_t number(int meeting) const { return 1 + static_cast<uint64_t>(meeting) * apart; }
};

// Each member is asked for all executions, and a changer tries both ways in each meeting: of these
// one succeeds.
template <class Word>
void team_of(Stage& stage, Word& quiet, Team& team, const Shape& shape) {
  for (int me = 0; me < shape.members; ++me)
    stage.thread(numbered(team.number == 1 ? "A" : "B", me), [&quiet, &team, shape, me] {
      int execution = 0;
      for (int i = 0; i < shape.meetings; ++i) {
        team.meet(me, static_cast<uint64_t>(i) + 1, shape.how);
        const uint64_t meeting = shape.number(i);
        for (int e = 0; e < shape.executions; ++e)
          team.answer(me, execution++, quiet.times(team.number, meeting));
        if (me >= shape.members - shape.changers) {
          quiet.change(team.number, meeting, true, false);
          quiet.change(team.number, meeting, false, false);
        }
      }
    });
}

template <class Word>
void one_team(Stage& stage, const Shape& shape) {
  auto& quiet = stage.make_named<Word>("quiet");
  auto& team = stage.make<Team>(1u, shape.members);
  stage.name(team.arrived, "arrived");
  team_of(stage, quiet, team, shape);
  stage.finally([&team, shape] {
    for (int meeting = 0; meeting < shape.meetings; ++meeting)
      for (int i = 0; i < shape.executions; ++i) {
        const int execution = meeting * shape.executions + i;
        MODEL_CHECK(team.agree_on(execution));
        // It changed in each meeting, from the next one on.
        MODEL_CHECK(team.answered(0, execution) == (meeting % 2 == 0));
      }
  });
}

// The second is where the word is not its own; it may also come first.
template <class Word>
void two_teams(Stage& stage, const Shape& first, const Shape& second) {
  auto& quiet = stage.make_named<Word>("quiet");
  auto& a = stage.make<Team>(1u, first.members);
  auto& b = stage.make<Team>(2u, second.members);
  stage.name(a.arrived, "arrived A");
  stage.name(b.arrived, "arrived B");
  team_of(stage, quiet, a, first);
  team_of(stage, quiet, b, second);
  stage.finally([&a, &b, first, second] {
    for (int i = 0; i < first.meetings * first.executions; ++i) MODEL_CHECK(a.agree_on(i));
    for (int i = 0; i < second.meetings * second.executions; ++i) MODEL_CHECK(b.agree_on(i));
  });
}

template <class Word = Quiet>
Result alone(const Bounds& bounds, const Shape& shape) {
  return explore(bounds, [=](Stage& stage) { one_team<Word>(stage, shape); });
}

template <class Word = Quiet>
Result beside(const Bounds& bounds, const Shape& first, const Shape& second) {
  return explore(bounds, [=](Stage& stage) { two_teams<Word>(stage, first, second); });
}

constexpr Bounds kFewest = {.preemptions = 1, .stale_reads = 1, .spurious = 0};
constexpr Bounds kFew = {.preemptions = 2, .stale_reads = 1, .spurious = 0};

TEST(Quiet, TwoMembersThreeMeetings) {
  expect_holds(alone({}, {.meetings = 3}));
  expect_holds(alone({}, {.meetings = 2, .executions = 2}));
}

TEST(Quiet, TwoMembersThatBothChange) { expect_holds(alone(kFew, {.meetings = 3, .changers = 2})); }

TEST(Quiet, ThreeMembersTwoMeetings) { expect_holds(alone(kFewest, {.members = 3})); }

TEST(Quiet, TwoTeams) {
  expect_holds(beside(kFew, {}, {.members = 1}));
  expect_holds(beside({.preemptions = 1, .stale_reads = 0, .spurious = 0}, {}, {}));
}

TEST(LongQuiet, TwoMembersThatBothChange) {
  expect_holds(alone({}, {.meetings = 3, .changers = 2}));
  expect_holds(alone(kFew, {.meetings = 5, .changers = 2}));
}

TEST(LongQuiet, ThreeMembersTwoMeetings) {
  expect_holds(alone(kFewest, {.members = 3, .changers = 2}));
  expect_holds(alone({.preemptions = 2, .stale_reads = 0, .spurious = 0}, {.members = 3}));
}

TEST(LongQuiet, TwoTeams) { expect_holds(beside(kFewest, {}, {})); }

TEST(Quiet, Mutants) {
  expect_caught(together({
      mutants({}, [](Stage& stage) { one_team<Quiet>(stage, {}); }),
      mutants({}, [](Stage& stage) { two_teams<Quiet>(stage, {}, {.members = 1, .meetings = 1}); }),
  }));
}

// What tune/quiet.hpp would be without one of its rules. Each of them was thinkable.
enum class Fault {
  kAtOnce,      // who asks at the meeting of the change goes by the new state
  kAgain,       // a second change in the same meeting: Q2
  kTaken,       // another team takes the word over: Q1
  kSharedWord,  // all teams go by the same word: Q1
  kAsIfYoung,   // what has been quiet counts as young at the meeting that ends it
};

template <Fault kFault>
class Wrong {
 public:
  bool times(uint64_t team, uint64_t meeting) const noexcept {
    const auto word = Quiet::Word::of(word_.load(std::memory_order_relaxed));
    if (word.team != team && (kFault != Fault::kSharedWord || word.team == 0)) return true;
    const bool since = kFault == Fault::kAtOnce ? meeting >= word.since : meeting > word.since;
    if (kFault == Fault::kAsIfYoung && !since) return true;
    return !(since ? word.quiet : !word.quiet);
  }

  void change(uint64_t team, uint64_t meeting, bool quiet, bool) noexcept {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    const auto was = Quiet::Word::of(seen);
    if (quiet == was.quiet) return;
    if (kFault != Fault::kTaken && seen != 0 && was.team != team) return;
    if (kFault != Fault::kAgain && was.team == team && was.since >= meeting) return;
    word_.compare_exchange_strong(seen, Quiet::Word{team, quiet, 0, meeting}.packed(),
                                  std::memory_order_relaxed);
  }

 private:
  plat::atomic<uint64_t> word_{0};
};

TEST(WrongQuiet, GoesByTheNewStateAtOnce) {
  expect_fails(alone<Wrong<Fault::kAtOnce>>({}, {}), "agree", 30);
}

TEST(WrongQuiet, ChangesTwiceInAMeeting) {
  expect_fails(alone<Wrong<Fault::kAgain>>({}, {.meetings = 2, .executions = 2}), "agree", 40);
}

TEST(WrongQuiet, IsTakenByAnotherTeam) {
  expect_fails(beside<Wrong<Fault::kTaken>>({}, {}, {.members = 1, .meetings = 1}), "agree", 40);
}

TEST(WrongQuiet, IsGoneByInOtherTeams) {
  expect_fails(beside<Wrong<Fault::kSharedWord>>({}, {}, {.changers = 0}), "agree", 50);
}

TEST(WrongQuiet, IsYoungWhereItEnds) {
  expect_fails(alone<Wrong<Fault::kAsIfYoung>>({}, {.meetings = 2}), "agree", 40);
}

// The same source where not all members wait: that they do is what it rests on.
TEST(WrongQuiet, MembersGoOnWithoutWaiting) {
  expect_fails(alone({}, {.members = 2, .how = Meeting::kMember0Waits}), "agree", 30);
}

}  // namespace
}  // namespace vicino::tune
