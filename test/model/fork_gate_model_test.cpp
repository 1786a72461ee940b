// sync/fork_gate.hpp: no thread is inside while the gate is closed, and none is left asleep.
#include <functional>

#include "spares.hpp"
#include "sync/fork_gate.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

struct Stand {
  ForkGate gate;
  Plain<int> data[2];  // each of a thread that passes the gate
};

void pass(Stand& stand, int number) {
  const ForkGate::Inside inside(stand.gate);
  Plain<int>& data = stand.data[number];
  data.set(data.get() + 1);
  data.set(data.get() + 1);
}

// Two threads pass the gate; a third closes it `forks` times, and finds nothing half changed.
std::function<void(Stage&)> passing(int threads, int times, int forks) {
  return [=](Stage& stage) {
    auto& stand = stage.make_named<Stand>("stand");
    for (int i = 0; i < threads; ++i)
      stage.thread(numbered("T", i), [&stand, i, times] {
        for (int time = 0; time < times; ++time) pass(stand, i);
      });
    stage.thread("F", [&stand, threads, forks] {
      for (int i = 0; i < forks; ++i) {
        stand.gate.close();
        for (int one = 0; one < threads; ++one) {
          Plain<int>& data = stand.data[one];
          MODEL_CHECK(data.get() % 2 == 0);
          data.set(data.get());
        }
        stand.gate.open();
      }
    });
    stage.finally([&stand, threads, times] {
      for (int one = 0; one < threads; ++one) MODEL_CHECK(stand.data[one].get() == 2 * times);
    });
  };
}

TEST(ForkGate, OneThreadTwice) { expect_holds(explore({}, passing(1, 2, 1))); }
TEST(ForkGate, OneThreadAndTwoForks) { expect_holds(explore({}, passing(1, 1, 2))); }
TEST(ForkGate, TwoThreads) { expect_holds(explore({.preemptions = 2}, passing(2, 1, 1))); }

TEST(ForkGate, Mutants) {
  expect_caught(together({mutants({}, passing(1, 2, 1)), mutants({}, passing(1, 1, 2))}));
}

}  // namespace
}  // namespace vicino::sync
