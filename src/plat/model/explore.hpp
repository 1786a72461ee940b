// explore.hpp: runs a scenario in every way that its bounds allow.
//
//   Result r = explore({.preemptions = 2}, [](Stage& stage) {
//     auto& count = stage.make<EventCount>();
//     auto& data = stage.make<Plain<int>>();
//     stage.thread([&] { data.set(1); count.advance(1); });
//     stage.thread([&] { count.wait...; MODEL_CHECK(data.get() == 1); });
//     stage.finally([&] { ... });
//   });
//   EXPECT_TRUE(r.ok()) << r.trace;
//
// The bounds grow together from zero, so that a failure is found with few switches and few stale
// reads; the failing execution is then made smaller before it is shown.
//
// A scenario runs very often and must behave the same each time: its only inputs are the values
// that atomics and Plains give. The search cannot see data that threads share and that is neither
// atomic nor Plain: write results to a variable per thread, or to a Plain.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plat/model/execution.hpp"

namespace vicino::model {

struct Bounds {
  unsigned preemptions = 3;
  unsigned stale_reads = 2;
  unsigned spurious = 1;
  unsigned max_steps = 400;             // of one execution; more is a livelock
  uint64_t max_executions = 3'000'000;  // then the search gives up: not complete
  unsigned random_values = 1;           // rnd() gives this many different values
};

struct Result {
  bool failed = false;
  bool complete = false;   // every execution within the bounds was tried, or equals one that was
  bool unbounded = false;  // moreover the bounds excluded none
  std::string failure;     // the reason
  std::string trace;       // the steps, with the reason at the end
  std::size_t steps = 0;   // lines of the trace
  unsigned switches = 0;   // in the trace
  uint64_t executions = 0;
  uint64_t states = 0;  // different ones, at the highest bounds

  bool ok() const noexcept { return complete && !failed; }
};

// The interface for writing a scenario; valid while the scenario is built and run.
class Stage {
 public:
  explicit Stage(Execution& execution) : execution_(execution) {}

  // An object that lives as long as the execution.
  template <class T, class... Args>
  T& make(Args&&... args) {
    auto made = std::make_shared<T>(std::forward<Args>(args)...);
    objects_.push_back(made);
    return *made;
  }

  // Like make(), with a name for the trace.
  template <class T, class... Args>
  T& make_named(std::string_view name, Args&&... args) {
    T& made = make<T>(std::forward<Args>(args)...);
    this->name(made, name);
    return made;
  }

  template <class T>
  void name(const T& object, std::string_view name) {
    execution_.name(&object, sizeof object, name);
  }

  // At most kMaxThreads - 1 threads.
  void thread(std::string name, std::function<void()> body) {
    execution_.thread(std::move(name), std::move(body));
  }
  // `check` runs when all threads have ended, and sees all that they did.
  void finally(std::function<void()> check) { execution_.finally(std::move(check)); }

 private:
  Execution& execution_;
  std::vector<std::shared_ptr<void>> objects_;
};

using Scenario = std::function<void(Stage&)>;

Result explore(const Bounds& bounds, const Scenario& scenario);

// One weaker form of the scenario's program, and whether the search notices it.
struct Mutant {
  std::string what;  // EventCount::advance (event_count.hpp:42): release -> relaxed
  Result result;
};

struct Mutants {
  Result sound;  // of the unchanged program; if it fails, the others say nothing
  std::vector<Mutant> all;
};

// Explores the scenario once for each order, RMW and wake-up in it, with that one made weaker. If
// the search does not notice, the order is stronger than the protocol needs, or the scenario does
// not test it. `files`: the only ones of which orders are made weaker, as their names begin; empty:
// all. A broken part may crash the program, so a part that has tests of its own is best left whole.
Mutants mutants(const Bounds& bounds, const Scenario& scenario,
                const std::vector<std::string>& files = {});

[[noreturn]] void fail(std::string_view condition, const Where& where);

}  // namespace vicino::model

// Ends the execution as failed unless the condition holds.
#define MODEL_CHECK(condition)        \
  ((condition) ? static_cast<void>(0) \
               : ::vicino::model::fail(#condition, ::vicino::model::Where::current()))
