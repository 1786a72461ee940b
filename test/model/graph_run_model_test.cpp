// graph/run.hpp: every aggregate runs once, sees what those before it wrote, and runs where it
// must; every runner comes to an end; and the next run finds the graph as the first did.
#include <array>
#include <functional>
#include <utility>

#include "graph/run.hpp"
#include "spares.hpp"

namespace vicino::graph {
namespace {

using namespace model;  // NOLINT: a test

constexpr sync::PatienceLimits kLimits = sync::PatienceLimits::fixed(1000);

Rows rows(std::initializer_list<std::initializer_list<uint32_t>> all) {
  Rows made;
  for (const auto& row : all) {
    for (const uint32_t item : row) made.add(item);
    made.end_row();
  }
  return made;
}

// The graph, its run, and what its aggregates write.
struct Scene {
  explicit Scene(Rows before) : graph(*Graph::from(std::move(before))), run(graph) {}

  void begin(int runners) { run.begin(runners, runner_nodes, nodes); }

  // `shares`: how many runners share the roots.
  void work(int me, int shares) {
    if (me < shares) run.put_roots(me, me, shares);
    run.work(
        me, {patience[static_cast<size_t>(me)], kLimits},
        [this, me](uint32_t aggregate) { execute(me, aggregate); },
        [this, me](auto ask) {
          for (int other = 0; other < run.size; ++other)
            if (other != me && ask(other)) return;
        });
  }

  void execute(int me, uint32_t aggregate) {
    for (const uint32_t other : graph.before(aggregate)) MODEL_CHECK(data[other].get() == runs);
    MODEL_CHECK(data[aggregate].get() == runs - 1);
    data[aggregate].set(runs);
    const bool strict = !nodes.strict.empty() && nodes.strict[aggregate];
    MODEL_CHECK(!strict || nodes.node[aggregate] == runner_nodes.node(me));
  }

  void check_all_ran() {
    for (uint32_t i = 0; i < graph.size(); ++i) MODEL_CHECK(data[i].get() == runs);
    run.end();
  }

  const Graph graph;
  RunnerNodes runner_nodes;
  AggregateNodes nodes;
  Run run;
  int runs = 1;
  std::array<sync::Patience, 2> patience;
  std::array<Plain<int>, 4> data;
};

void run_by_two(Stage& stage, Scene& scene, int shares = 2) {
  scene.begin(2);
  for (const int me : {0, 1})
    stage.thread(numbered("runner", me), [&scene, me, shares] { scene.work(me, shares); });
}

constexpr Bounds kOneSwitch = {.preemptions = 1, .stale_reads = 1, .spurious = 0};
constexpr Bounds kFew = {.preemptions = 2, .stale_reads = 0, .spurious = 0};

// 0 before 1 and 2, both before 3: the runner that ends 1 or 2 last goes on with 3.
void diamond(Stage& stage) {
  auto& scene = stage.make<Scene>(rows({{}, {0}, {0}, {1, 2}}));
  run_by_two(stage, scene);
  stage.finally([&scene] { scene.check_all_ran(); });
}

// Two roots before one.
void meeting(Stage& stage) {
  auto& scene = stage.make<Scene>(rows({{}, {}, {0, 1}}));
  run_by_two(stage, scene);
  stage.finally([&scene] { scene.check_all_ran(); });
}

// The first runner has all roots, and the second one comes when it likes.
void latecomer(Stage& stage) {
  auto& scene = stage.make<Scene>(rows({{}, {}, {0, 1}}));
  run_by_two(stage, scene, 1);
  stage.finally([&scene] { scene.check_all_ran(); });
}

// After a run the same graph runs again: no count was left behind.
void run_twice(Stage& stage) {
  auto& scene = stage.make<Scene>(rows({{}, {}, {0, 1}}));
  run_by_two(stage, scene);
  stage.finally([&scene] {
    scene.check_all_ran();
    scene.runs = 2;
    scene.begin(1);
    scene.work(0, 1);
    scene.check_all_ran();
  });
}

Scene& make_placed(Stage& stage, Rows before, std::vector<int16_t> nodes, bool strict) {
  auto& scene = stage.make<Scene>(std::move(before));
  scene.runner_nodes = {{0, 1}, {0, 1}};
  scene.nodes.looks_before_far = 1;
  scene.nodes.strict.assign(nodes.size(), strict);
  scene.nodes.node = std::move(nodes);
  return scene;
}

// A runner releases an aggregate that only the runner of the other node may run.
void strict_elsewhere(Stage& stage) {
  auto& scene = make_placed(stage, rows({{}, {0}}), {0, 1}, true);
  run_by_two(stage, scene);
  stage.finally([&scene] { scene.check_all_ran(); });
}

// Two aggregates for the other node: its runner may take them out of the inbox together or not.
void two_elsewhere(Stage& stage) {
  auto& scene = make_placed(stage, rows({{}, {0}, {0}}), {0, 1, 1}, true);
  run_by_two(stage, scene);
  stage.finally([&scene] { scene.check_all_ran(); });
}

// Flexible ones: either runner may take them.
void flexible_elsewhere(Stage& stage) {
  auto& scene = make_placed(stage, rows({{}, {0}, {0}}), {0, 1, 1}, false);
  run_by_two(stage, scene);
  stage.finally([&scene] { scene.check_all_ran(); });
}

// The first aggregate stops the run. Whatever has run by then, both runners end, and the next run
// runs everything.
void stopped(Stage& stage) {
  auto& scene = stage.make<Scene>(rows({{}, {}, {0, 1}}));
  scene.begin(2);
  auto& ran = stage.make<std::array<Plain<int>, 3>>();  // two runs of one would be a race
  for (const int me : {0, 1})
    stage.thread(numbered("runner", me), [&scene, &ran, me] {
      scene.run.put_roots(me, me, 2);
      scene.run.work(
          me, {scene.patience[static_cast<size_t>(me)], kLimits},
          [&](uint32_t aggregate) {
            ran[aggregate].set(1);
            if (aggregate == 0) scene.run.stop();
          },
          [me](auto ask) { ask(1 - me); });
    });
  stage.finally([&scene] {
    scene.run.end();
    scene.begin(1);
    scene.work(0, 1);
    scene.check_all_ran();
  });
}

// A thread puts two aggregates into an inbox, and another empties it meanwhile.
void inbox(Stage& stage) {
  auto& box = stage.make_named<Inbox>("inbox");
  auto& below = stage.make_named<std::array<Inbox::Below, 2>>("below");
  auto& data = stage.make<std::array<Plain<int>, 2>>();
  auto& taken = stage.make<std::array<Plain<int>, 2>>();
  const auto take_all = [&] {
    box.take_all(below.data(), [&](uint32_t i) {
      MODEL_CHECK(data[i].get() == 1);
      taken[i].set(taken[i].get() + 1);
    });
  };
  stage.thread("putter", [&] {
    for (const uint32_t i : {0u, 1u}) {
      data[i].set(1);
      box.put(i, below.data());
    }
  });
  stage.thread("taker", take_all);
  stage.finally([&taken, take_all] {
    take_all();
    for (const auto& times : taken) MODEL_CHECK(times.get() == 1);
  });
}

TEST(GraphInbox, TakeAll) { expect_holds(explore({}, inbox)); }
TEST(GraphRun, Diamond) { expect_holds(explore(kOneSwitch, diamond)); }
TEST(GraphRun, Meeting) { expect_holds(explore(kOneSwitch, meeting)); }
TEST(GraphRun, Latecomer) { expect_holds(explore(kOneSwitch, latecomer)); }

TEST(GraphRun, RunTwice) { expect_holds(explore(kOneSwitch, run_twice)); }
TEST(GraphRun, StrictElsewhere) { expect_holds(explore(kOneSwitch, strict_elsewhere)); }
TEST(GraphRun, TwoElsewhere) { expect_holds(explore(kOneSwitch, two_elsewhere)); }
TEST(LongGraphRun, FlexibleElsewhere) { expect_holds(explore(kOneSwitch, flexible_elsewhere)); }
TEST(GraphRun, Stopped) { expect_holds(explore(kOneSwitch, stopped)); }

TEST(LongGraphRun, Meeting) { expect_holds(explore(kFew, meeting)); }
TEST(LongGraphRun, StrictElsewhere) { expect_holds(explore(kFew, strict_elsewhere)); }
TEST(LongGraphRun, Stopped) { expect_holds(explore(kFew, stopped)); }

// Deques, event counts and sleeping have tests of their own.
TEST(LongGraphRun, Mutants) {
  const std::vector<std::string> files{"run.", "inbox."};
  expect_caught(together({
                    mutants(kOneSwitch, meeting, files),
                    mutants(kOneSwitch, strict_elsewhere, files),
                    mutants({}, inbox, files),
                }),
                {{"Run::poll", "acquire -> relaxed", "it reads nothing then: C3"}});
}

}  // namespace
}  // namespace vicino::graph
