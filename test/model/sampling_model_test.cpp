// tune/sampling.hpp: the members of a team agree on whether an execution is timed, whichever member
// changes it and when (Q3 there), and another team does not disturb them (Q1 there).
#include <array>

#include "expect.hpp"
#include "tune/sampling.hpp"

namespace vicino::tune {
namespace {

using namespace model;  // NOLINT: a test

constexpr int kMostMembers = 3, kMostExecutions = 6;

// How members wait at a barrier: what sync/barrier.hpp promises, done with one word.
enum class Generation { kAllWait, kMember0Waits };

// The members of a team are at the same site in every barrier generation, a number of times.
struct Team {
  Team(uint64_t its_number, int its_size) : number(its_number), size(its_size) {}

  // An arrival's release pairs with the acquire of later arrivals and of wait_on.
  void meet(int me, uint64_t generation, Generation how) {
    const uint64_t all = generation * static_cast<uint64_t>(size);
    uint64_t seen = arrived.fetch_add(1u, std::memory_order_acq_rel) + 1;
    if (how == Generation::kMember0Waits && me != 0) return;
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
  int members = 2, generations = 2, executions = 1;  // executions in each generation
  int changers = 1;  // members that want something else all the time: more than any tuner
  Generation how = Generation::kAllWait;
  uint64_t apart = Sampling::kEach
                   << Sampling::kRarest;  // generations: a sampled site is not timed
  int first = 0;                          // with which rarity sampling begins

  uint64_t number(int generation) const { return 1 + static_cast<uint64_t>(generation) * apart; }
};

// Each member asks about all executions. A changer tries both changes in each barrier generation:
// one of them succeeds.
template <class Word>
void team_of(Stage& stage, Word& quiet, Team& team, const Shape& shape) {
  for (int me = 0; me < shape.members; ++me)
    stage.thread(numbered(team.number == 1 ? "A" : "B", me), [&quiet, &team, shape, me] {
      int execution = 0;
      for (int i = 0; i < shape.generations; ++i) {
        team.meet(me, static_cast<uint64_t>(i) + 1, shape.how);
        const uint64_t generation = shape.number(i);
        for (int e = 0; e < shape.executions; ++e)
          team.answer(me, execution++, quiet.times(team.number, generation));
        if (me >= shape.members - shape.changers) {
          quiet.change(team.number, generation, true, false, shape.first);
          quiet.change(team.number, generation, false, false, shape.first);
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
    for (int generation = 0; generation < shape.generations; ++generation)
      for (int i = 0; i < shape.executions; ++i) {
        const int execution = generation * shape.executions + i;
        MODEL_CHECK(team.agree_on(execution));
        // The state changes in each barrier generation, with effect from the next one.
        if (shape.first == 0) MODEL_CHECK(team.answered(0, execution) == (generation % 2 == 0));
      }
  });
}

// The second team's word is not its own; but the second team may also be the first to change it.
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
    for (int i = 0; i < first.generations * first.executions; ++i) MODEL_CHECK(a.agree_on(i));
    for (int i = 0; i < second.generations * second.executions; ++i) MODEL_CHECK(b.agree_on(i));
  });
}

template <class Word = Sampling>
Result alone(const Bounds& bounds, const Shape& shape) {
  return explore(bounds, [=](Stage& stage) { one_team<Word>(stage, shape); });
}

template <class Word = Sampling>
Result beside(const Bounds& bounds, const Shape& first, const Shape& second) {
  return explore(bounds, [=](Stage& stage) { two_teams<Word>(stage, first, second); });
}

constexpr Bounds kFewest = {.preemptions = 1, .stale_reads = 1, .spurious = 0};
constexpr Bounds kFew = {.preemptions = 2, .stale_reads = 1, .spurious = 0};

TEST(Sampling, TwoMembersThreeMeetings) {
  expect_holds(alone({}, {.generations = 3}));
  expect_holds(alone({}, {.generations = 2, .executions = 2}));
}

TEST(Sampling, TwoMembersThatBothChange) {
  expect_holds(alone(kFew, {.generations = 3, .changers = 2}));
}

// Half of the generations are timed, whatever was decided.
TEST(Sampling, TwoMembersWhereSamplingBeginsRare) {
  expect_holds(alone(kFew, {.generations = 4, .changers = 2, .apart = 1, .first = 1}));
}

TEST(Sampling, ThreeMembersTwoMeetings) { expect_holds(alone(kFewest, {.members = 3})); }

TEST(Sampling, TwoTeams) {
  expect_holds(beside(kFew, {}, {.members = 1}));
  expect_holds(beside({.preemptions = 1, .stale_reads = 0, .spurious = 0}, {}, {}));
}

TEST(LongSampling, TwoMembersThatBothChange) {
  expect_holds(alone({}, {.generations = 3, .changers = 2}));
  expect_holds(alone(kFew, {.generations = 5, .changers = 2}));
}

TEST(LongSampling, ThreeMembersTwoMeetings) {
  expect_holds(alone(kFewest, {.members = 3, .changers = 2}));
  expect_holds(alone({.preemptions = 2, .stale_reads = 0, .spurious = 0}, {.members = 3}));
}

TEST(LongSampling, TwoTeams) { expect_holds(beside(kFewest, {}, {})); }

TEST(Sampling, Mutants) {
  expect_caught(together({
      mutants({}, [](Stage& stage) { one_team<Sampling>(stage, {}); }),
      mutants(
          {},
          [](Stage& stage) { two_teams<Sampling>(stage, {}, {.members = 1, .generations = 1}); }),
  }));
}

// tune/sampling.hpp without one of its rules. Each of these faults was a possible design.
enum class Fault {
  kAtOnce,      // the new state holds already in the barrier generation of the change
  kAgain,       // a second change in the same barrier generation: Q2
  kTaken,       // another team takes the word over: Q1
  kSharedWord,  // all teams use the same word: Q1
  kAsIfYoung,   // a sampled site counts as young in the generation that ends the sampling
};

template <Fault kFault>
class Wrong {
 public:
  bool times(uint64_t team, uint64_t generation) const noexcept {
    const auto word = Sampling::Word::of(word_.load(std::memory_order_relaxed));
    if (word.team != team && (kFault != Fault::kSharedWord || word.team == 0)) return true;
    const bool since =
        kFault == Fault::kAtOnce ? generation >= word.since : generation > word.since;
    if (kFault == Fault::kAsIfYoung && !since) return true;
    return !(since ? word.quiet : !word.quiet);
  }

  void change(uint64_t team, uint64_t generation, bool quiet, bool, int) noexcept {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    const auto was = Sampling::Word::of(seen);
    if (quiet == was.quiet) return;
    if (kFault != Fault::kTaken && seen != 0 && was.team != team) return;
    if (kFault != Fault::kAgain && was.team == team && was.since >= generation) return;
    word_.compare_exchange_strong(seen, Sampling::Word{team, quiet, 0, generation}.packed(),
                                  std::memory_order_relaxed);
  }

 private:
  plat::atomic<uint64_t> word_{0};
};

TEST(WrongQuiet, GoesByTheNewStateAtOnce) {
  expect_fails(alone<Wrong<Fault::kAtOnce>>({}, {}), "agree", 30);
}

TEST(WrongQuiet, ChangesTwiceInAMeeting) {
  expect_fails(alone<Wrong<Fault::kAgain>>({}, {.generations = 2, .executions = 2}), "agree", 40);
}

TEST(WrongQuiet, IsTakenByAnotherTeam) {
  expect_fails(beside<Wrong<Fault::kTaken>>({}, {}, {.members = 1, .generations = 1}), "agree", 40);
}

TEST(WrongQuiet, IsGoneByInOtherTeams) {
  expect_fails(beside<Wrong<Fault::kSharedWord>>({}, {}, {.changers = 0}), "agree", 50);
}

TEST(WrongQuiet, IsYoungWhereItEnds) {
  expect_fails(alone<Wrong<Fault::kAsIfYoung>>({}, {.generations = 2}), "agree", 40);
}

// The right source fails where not all members wait, because it relies on their waiting.
TEST(WrongQuiet, MembersGoOnWithoutWaiting) {
  expect_fails(alone({}, {.members = 2, .how = Generation::kMember0Waits}), "agree", 30);
}

}  // namespace
}  // namespace vicino::tune
