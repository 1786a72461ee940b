// tune/lease.hpp: one thread at a time is inside, it sees what earlier ones did there (L1), and an
// execution that ends has the lease while it is inside (L2).
#include <array>
#include <initializer_list>

#include "spares.hpp"
#include "tune/lease.hpp"

namespace vicino::tune {
namespace {

using namespace model;  // NOLINT: a test

template <class L>
struct Shared {
  L lease;
  Plain<int> learnt;                // two threads inside would race
  std::array<Plain<int>, 3> added;  // by thread

  void learn(int thread) {
    learnt.set(learnt.get() + 1);
    auto& mine = added[static_cast<size_t>(thread)];
    mine.set(mine.get() + 1);
  }
  int sum() {
    int sum = 0;
    for (auto& its : added) sum += its.get();
    return sum;
  }
};

enum class Does { kExecutes, kAbandons, kVisits };

// How an execution ends.
struct Whole {
  template <class L, class Learn>
  static void end(L& lease, typename L::Token token, Learn learn) {
    lease.end(token, learn);
  }
};
// Checks the token before it goes inside.
struct InTwoSteps {
  template <class L, class Learn>
  static void end(L& lease, typename L::Token token, Learn learn) {
    if (!lease.is_held_by(token)) return;
    lease.visit(learn);
    lease.give_back(token);
  }
};

// Each thread does its part `times` times.
template <class L, class How = Whole>
void threads(Stage& stage, std::initializer_list<Does> parts, int times) {
  auto& s = stage.make_named<Shared<L>>("site");
  int number = 0;
  for (const Does part : parts) {
    const int t = number++;
    stage.thread(numbered("T", t), [&s, t, part, times] {
      for (int i = 0; i < times; ++i) {
        if (part == Does::kVisits) {
          s.lease.visit([&] { s.learn(t); });
          continue;
        }
        const auto token = s.lease.take([&] {
          s.learnt.get();
          return true;
        });
        if (token == L::kNone) continue;
        if (part == Does::kAbandons)
          s.lease.give_back(token);
        else
          How::end(s.lease, token, [&] {
            MODEL_CHECK(s.lease.is_held_by(token));
            s.learn(t);
          });
        MODEL_CHECK(!s.lease.is_held_by(token));
      }
    });
  }
  stage.finally([&s] {
    MODEL_CHECK(s.learnt.get() == s.sum());
    MODEL_CHECK(s.lease.visit([] {}));                           // all have left
    MODEL_CHECK(s.lease.take([] { return true; }) != L::kNone);  // and given it back
  });
}

using enum Does;
// A lease that each request takes from its holder.
using Fleeting = LeaseOf<0>;

TEST(Lease, TwoThreadsThreeExecutions) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 3},
                       [](Stage& stage) { threads<Lease>(stage, {kExecutes, kExecutes}, 3); }));
}

TEST(Lease, ThreeThreadsTwoExecutions) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, [](Stage& stage) {
    threads<Lease>(stage, {kExecutes, kExecutes, kExecutes}, 2);
  }));
}

TEST(Lease, AThreadLooksAtTheTuner) {
  for (const Does part : {kExecutes, kAbandons})
    expect_holds(explore({.preemptions = 3, .stale_reads = 2}, [part](Stage& stage) {
      threads<Lease>(stage, {part, kVisits, kVisits}, 2);
    }));
}

TEST(Lease, OneThatIsLost) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 2}, [](Stage& stage) {
    threads<Fleeting>(stage, {kExecutes, kExecutes, kVisits}, 2);
  }));
}

TEST(Lease, AnExecutionChecksItsTokenAndGoesInsideInOneStep) {
  expect_fails(explore({.preemptions = 3, .stale_reads = 2},
                       [](Stage& stage) {
                         threads<Fleeting, InTwoSteps>(stage, {kExecutes, kExecutes}, 1);
                       }),
               "is_held_by", 40);
}

TEST(Lease, Mutants) {
  const Bounds bounds{.preemptions = 3, .stale_reads = 3};
  expect_caught(
      together(
          {mutants(bounds, [](Stage& stage) { threads<Lease>(stage, {kExecutes, kExecutes}, 2); }),
           mutants(bounds, [](Stage& stage) { threads<Lease>(stage, {kExecutes, kVisits}, 2); }),
           mutants(bounds, [](Stage& stage) { threads<Lease>(stage, {kAbandons, kVisits}, 2); }),
           mutants(bounds,
                   [](Stage& stage) { threads<Fleeting>(stage, {kExecutes, kAbandons}, 2); })}),
      {{"LeaseOf<kMost>::take", "not atomic", "the number of requests in vain may miss some"}});
}

}  // namespace
}  // namespace vicino::tune
