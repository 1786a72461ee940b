// task/depend.hpp: a vertex becomes ready once, through the last of its predecessors to complete,
// and its task sees what their tasks did; exclusions are held by one task at a time and handed on.
#include <array>

#include "expect.hpp"
#include "task/depend.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

// Vertices with space, apart from any heap: the stage holds a reference to each, so none is freed.
struct Room {
  std::array<Edge, 4> edges;
  std::array<Join*, 2> exclusions;
};
struct Roomy : Room, Vertex {
  Plain<int> result;   // the result of its task
  Plain<int> readied;  // how often it became ready; two at once would race
  Roomy() : Vertex(edges.data(), exclusions.data()) { hold(); }
};

Roomy& roomy(Vertex& vertex) { return static_cast<Roomy&>(vertex); }

void run(Vertex& vertex) {
  Roomy& task = roomy(vertex);
  task.readied.set(task.readied.get() + 1);
}

void finish(Roomy& task, Heap& heap) {
  task.result.set(7);
  complete(task, heap, [](Vertex& ready) { run(ready); });
}

// The generating thread adds a task's predecessors while they complete.
struct Successor {
  std::array<Roomy, 2> before;
  Roomy after;
  std::array<Heap, 3> heaps;
};

void successor(Stage& stage, size_t predecessors) {
  auto& s = stage.make_named<Successor>("s");
  for (size_t p = 0; p < predecessors; ++p)
    stage.thread(numbered("T", static_cast<int>(p)), [&s, p] { finish(s.before[p], s.heaps[p]); });
  stage.thread("generator", [&s, predecessors] {
    for (size_t p = 0; p < predecessors; ++p)
      if (!s.after.wait_for(s.before[p])) MODEL_CHECK(s.before[p].result.get() == 7);
    if (s.after.all_known()) run(s.after);
  });
  stage.finally([&s] { MODEL_CHECK(s.after.readied.get() == 1); });
}

// The thread that makes the task ready sees the results of all its predecessors at that point.
void results(Stage& stage) {
  auto& s = stage.make_named<Successor>("s");
  const auto look = [&s](Vertex& vertex) {
    run(vertex);
    MODEL_CHECK(s.before[0].result.get() == 7);
    MODEL_CHECK(s.before[1].result.get() == 7);
  };
  for (size_t p = 0; p < 2; ++p)
    stage.thread(numbered("T", static_cast<int>(p)), [&s, p, look] {
      s.before[p].result.set(7);
      complete(s.before[p], s.heaps[p], look);
    });
  stage.thread("generator", [&s, look] {
    s.after.wait_for(s.before[0]);
    s.after.wait_for(s.before[1]);
    if (s.after.all_known()) look(s.after);
  });
  stage.finally([&s] { MODEL_CHECK(s.after.readied.get() == 1); });
}

TEST(Depend, OnePredecessor) {
  expect_holds(explore({}, [](Stage& stage) { successor(stage, 1); }));
}
TEST(Depend, TwoPredecessors) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 2}, [](Stage& s) { successor(s, 2); }));
}
TEST(Depend, TheirResultsAreSeen) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 2}, results));
}

// Two readers in a phase with a join, and the writer after them.
struct Phase {
  std::array<Roomy, 2> readers;
  Roomy writer;
  Join join;
  std::array<Heap, 3> heaps;
  Phase() { join.hold(), join.hold(); }
};

void phase(Stage& stage) {
  auto& s = stage.make_named<Phase>("s");
  s.join.add(s.readers[0]);  // the other reader joins the phase while this one completes
  const auto look = [&s](Vertex& vertex) {
    run(vertex);
    MODEL_CHECK(s.readers[0].result.get() == 7);
    MODEL_CHECK(s.readers[1].result.get() == 7);
    MODEL_CHECK(s.writer.result.get() == 1);  // written by the thread that generated it
  };
  for (size_t r = 0; r < 2; ++r)
    stage.thread(numbered("T", static_cast<int>(r)), [&s, r, look] {
      s.readers[r].result.set(7);
      complete(s.readers[r], s.heaps[r], look);
    });
  stage.thread("generator", [&s, look] {
    s.join.add(s.readers[1]);
    s.join.end_phase();
    s.writer.wait_for(s.join);
    s.writer.result.set(1);
    if (s.writer.all_known()) look(s.writer);
  });
  stage.finally([&s] { MODEL_CHECK(s.writer.readied.get() == 1); });
}

TEST(Depend, JoinOfTwoReaders) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 2}, phase));
}

// An exporting task ends while its child does, and a sibling comes to wait for it (I6).
struct RoomyGate : Gate {
  std::array<Edge, 1> room;
  RoomyGate() { edges_ = room.data(), hold(); }
};
struct Extended {
  Roomy child, exporting, after;
  RoomyGate gate;
  std::array<Heap, 2> heaps;
};

void extended(Stage& stage) {
  auto& s = stage.make_named<Extended>("s");
  const auto look = [&s](Vertex& vertex) {
    run(vertex);
    MODEL_CHECK(s.child.result.get() == 7);
    MODEL_CHECK(s.exporting.result.get() == 7);
    MODEL_CHECK(s.after.result.get() == 1);  // written by the thread that generated it
  };
  stage.thread("child", [&s, look] {
    s.child.result.set(7);
    complete(s.child, s.heaps[0], look);
  });
  stage.thread("exporting", [&s, look] {
    s.exporting.result.set(7);
    s.gate.wait_for(s.child);
    s.exporting.extend(s.gate);
    if (s.gate.all_known()) complete(s.gate, s.heaps[1], look);
    end_extended(s.exporting, s.heaps[1], look);
  });
  stage.thread("generator", [&s, look] {
    s.after.wait_for(s.exporting);
    s.after.result.set(1);
    if (s.after.all_known()) look(s.after);
  });
  stage.finally([&s] { MODEL_CHECK(s.after.readied.get() == 1); });
}

TEST(Depend, ExtendedByAChild) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 2}, extended));
}

// Tasks that need one or two exclusions each.
struct Excluded {
  std::array<Roomy, 3> tasks;
  std::array<Join, 2> joins;
  Plain<int> inside;  // written inside the first exclusion: two would race
  std::array<Heap, 3> heaps;
};

void use_exclusions(Excluded& s, Vertex& vertex, Heap& heap) {
  // Runs a ready task; the same thread runs the tasks to which it hands the exclusions on.
  Vertex* next = &vertex;
  while (next != nullptr) {
    Vertex* const now = next;
    next = nullptr;
    s.inside.set(s.inside.get() + 1);
    MODEL_CHECK(roomy(*now).result.get() == 1);  // written by the thread that waited
    roomy(*now).readied.set(roomy(*now).readied.get() + 1);
    complete(*now, heap, [&next](Vertex& ready) {
      MODEL_CHECK(next == nullptr);
      next = &ready;
    });
  }
}

void exclusions(Stage& stage, size_t tasks) {
  auto& s = stage.make_named<Excluded>("s");
  for (Join& join : s.joins)
    for (size_t t = 0; t < tasks; ++t) {
      join.hold();
      s.tasks[t].need(join);
    }
  for (size_t t = 0; t < tasks; ++t)
    stage.thread(numbered("T", static_cast<int>(t)), [&s, t] {
      Vertex& vertex = s.tasks[t];
      s.tasks[t].result.set(1);
      if (vertex.all_known() && vertex.proceed()) use_exclusions(s, vertex, s.heaps[t]);
    });
  stage.finally([&s, tasks] {
    for (size_t t = 0; t < tasks; ++t) MODEL_CHECK(s.tasks[t].readied.get() == 1);
    MODEL_CHECK(s.inside.get() == static_cast<int>(tasks));
  });
}

TEST(Exclusion, TwoTasks) {
  expect_holds(explore({}, [](Stage& s) { exclusions(s, 2); }));
}
TEST(Exclusion, ThreeTasks) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, [](Stage& s) { exclusions(s, 3); }));
}

// The thread that drops the last reference frees the vertex, alone and after all uses of it.
struct Dropped {
  Roomy vertex;
  std::array<Plain<int>, 2> used;
  Plain<int> freed;
};

void drops(Stage& stage) {
  auto& s = stage.make_named<Dropped>("s");
  for (size_t t = 0; t < 2; ++t)
    stage.thread(numbered("T", static_cast<int>(t)), [&s, t] {
      s.used[t].set(1);
      if (!s.vertex.drop()) return;
      MODEL_CHECK(s.used[0].get() + s.used[1].get() == 2);
      s.freed.set(s.freed.get() + 1);
    });
  stage.finally([&s] { MODEL_CHECK(s.freed.get() == 1); });
}

TEST(Drop, TwoReferences) { expect_holds(explore({}, drops)); }
TEST(Drop, Mutants) { expect_caught(mutants({}, drops)); }

const std::vector<Spare> kSpares = {
    {"Vertex::close", "acq_rel -> release",
     "edges are plain; this test does not check that they are seen"},
    {"Vertex::push", "release -> relaxed", "as above"},
    {"Vertex::drop", "", "the test holds each vertex; see Drop"},
    {"Join::settle", "", "as above"},
};

TEST(Depend, Mutants) {
  expect_caught(mutants({.preemptions = 3, .stale_reads = 2}, results),
                {kSpares.begin(), kSpares.end() - 1});
}
TEST(Extended, Mutants) {
  expect_caught(mutants({.preemptions = 3, .stale_reads = 1}, extended),
                {kSpares.begin(), kSpares.end() - 1});
}
TEST(Phase, Mutants) {
  expect_caught(mutants({.preemptions = 3, .stale_reads = 1}, phase), kSpares);
}

}  // namespace
}  // namespace vicino::task
