// task/family.hpp: who waits for a family goes on when it is done and not before; a record is freed
// once, by the last that needs it.
#include <array>

#include "spares.hpp"
#include "sync/gate.hpp"
#include "task/family.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

// A task's record, as team/task.hpp has it, and the bell of the thread that runs it.
struct Record {
  Family children;
  Record* parent = nullptr;
  Plain<int>* done = nullptr;  // what the task does for its parent
  Plain<int> result;
  Plain<int> group;  // the task's children read it
  Plain<int> freed;
};

struct Tree {
  Record top, parent;
  std::array<Record, 3> children;
  std::array<Plain<int>, 3> done;
  sync::Gate bell;
};

Tree& make_tree(Stage& stage) {
  auto& tree = stage.make<Tree>();
  stage.name(tree.parent.children, "parent");
  stage.name(tree.parent.result, "result");
  stage.name(tree.parent.freed, "freed");
  stage.name(tree.children, "child");
  stage.name(tree.bell, "bell");
  tree.parent.parent = &tree.top;
  for (size_t i = 0; i < tree.children.size(); ++i) {
    tree.children[i].parent = &tree.parent;
    tree.children[i].done = &tree.done[i];
  }
  return tree;
}

// Its memory is somebody else's from now on: as if it were written.
void free_record(Record& record) {
  record.result.set(0);
  record.group.set(0);
  record.freed.set(record.freed.get() + 1);
}

void drop_record(Record* record) {
  while (record->children.drop()) {
    Record* const parent = record->parent;
    free_record(*record);
    record = parent;
  }
}

// As in team/tasks.cpp.
void end_record(Record& record) {
  if (record.children.alone()) return free_record(record);
  Record* const parent = record.parent;
  parent->children.hold();
  if (record.children.end()) {
    free_record(record);
    drop_record(parent);
  }
}

void leave_parent(Tree& tree, Record& parent) {
  switch (parent.children.remove_away()) {
    case Family::Left::kWake:
      return tree.bell.nudge();
    case Family::Left::kFree: {
      Record* const above = parent.parent;
      free_record(parent);
      return drop_record(above);
    }
    case Family::Left::kSome:
      return;
  }
}

// A child on another thread.
void run_child(Tree& tree, size_t i) {
  Record& child = tree.children[i];
  child.done->set(1);
  tree.parent.group.get();
  end_record(child);
  leave_parent(tree, tree.parent);
}

void wait_for_children(Tree& tree) {
  Family& family = tree.parent.children;
  while (family.live() != 0) {
    family.settle();
    const auto done = [&] { return family.live_by(family.word().load(std::memory_order_acquire)); };
    while (done() != 0) tree.bell.doze([&](bool) { return done() == 0; });
    family.unsettle();
  }
}

// Children of which one is run here; the others, `away`, elsewhere. The parent waits for all, and
// then ends.
void waiting(Stage& stage, size_t away) {
  auto& tree = make_tree(stage);
  for (size_t i = 0; i <= away; ++i) tree.parent.children.add_here();
  tree.top.children.add_away();
  stage.thread("parent", [&tree, away] {
    tree.parent.children.remove_here();
    wait_for_children(tree);
    for (size_t i = 0; i < away; ++i) MODEL_CHECK(tree.done[i].get() == 1);
    end_record(tree.parent);
    leave_parent(tree, tree.top);
  });
  for (size_t i = 0; i < away; ++i)
    stage.thread(numbered("child", static_cast<int>(i)), [&tree, i] { run_child(tree, i); });
  stage.finally([&tree] {
    MODEL_CHECK(tree.parent.freed.get() == 1);
    MODEL_CHECK(tree.top.freed.get() == 0);
    MODEL_CHECK(tree.top.children.alone());
  });
}

// The parent ends and waits for nobody: whoever is last frees its record.
void not_waiting(Stage& stage, size_t away) {
  auto& tree = make_tree(stage);
  for (size_t i = 0; i < away; ++i) tree.parent.children.add_here();
  tree.top.children.add_away();
  stage.thread("parent", [&tree] {
    tree.parent.result.set(1);
    end_record(tree.parent);
    leave_parent(tree, tree.top);
  });
  for (size_t i = 0; i < away; ++i)
    stage.thread(numbered("child", static_cast<int>(i)), [&tree, i] { run_child(tree, i); });
  stage.finally([&tree, away] {
    MODEL_CHECK(tree.parent.freed.get() == 1);
    for (size_t i = 0; i < away; ++i) MODEL_CHECK(tree.children[i].freed.get() == 1);
    MODEL_CHECK(tree.top.freed.get() == 0);
    MODEL_CHECK(tree.top.children.alone());
  });
}

// A child that ends before its own child: both records lie about, and go from below.
void three_generations(Stage& stage) {
  auto& tree = make_tree(stage);
  Record& grandchild = tree.children[1];
  grandchild.parent = &tree.children[0];
  tree.parent.children.add_here();
  tree.children[0].children.add_here();
  tree.top.children.add_away();
  stage.thread("parent", [&tree] {
    tree.parent.result.set(1);
    end_record(tree.parent);
    leave_parent(tree, tree.top);
  });
  stage.thread("child", [&tree] { run_child(tree, 0); });
  stage.thread("grandchild", [&tree, &grandchild] {
    end_record(grandchild);
    leave_parent(tree, tree.children[0]);
  });
  stage.finally([&tree] {
    MODEL_CHECK(tree.parent.freed.get() == 1);
    MODEL_CHECK(tree.children[0].freed.get() == 1);
    MODEL_CHECK(tree.children[1].freed.get() == 1);
    MODEL_CHECK(tree.top.children.alone());
  });
}

// The parent waits for its child, of which only the record is left, for the grandchild's sake.
void waiting_above_a_record(Stage& stage) {
  auto& tree = make_tree(stage);
  Record& grandchild = tree.children[1];
  grandchild.parent = &tree.children[0];
  tree.parent.children.add_here();
  tree.children[0].children.add_here();
  tree.top.children.add_away();
  stage.thread("parent", [&tree] {
    wait_for_children(tree);
    end_record(tree.parent);
    leave_parent(tree, tree.top);
  });
  stage.thread("child", [&tree] { run_child(tree, 0); });
  stage.thread("grandchild", [&tree, &grandchild] {
    tree.children[0].group.get();
    end_record(grandchild);
    leave_parent(tree, tree.children[0]);
  });
  stage.finally([&tree] {
    MODEL_CHECK(tree.parent.freed.get() == 1);
    MODEL_CHECK(tree.children[0].freed.get() == 1);
    MODEL_CHECK(tree.top.children.alone());
  });
}

constexpr Bounds kUsual = {.preemptions = 2, .stale_reads = 1, .spurious = 1};

TEST(Family, OneAway) {
  expect_holds(explore({}, [](Stage& stage) { waiting(stage, 1); }));
}

TEST(Family, TwoAway) {
  expect_holds(explore(kUsual, [](Stage& stage) { waiting(stage, 2); }));
}

TEST(Family, EndsBeforeItsChild) {
  expect_holds(explore({}, [](Stage& stage) { not_waiting(stage, 1); }));
}

TEST(Family, EndsBeforeItsChildren) {
  expect_holds(explore(kUsual, [](Stage& stage) { not_waiting(stage, 2); }));
}

TEST(Family, ThreeGenerations) { expect_holds(explore(kUsual, three_generations)); }

TEST(LongFamily, MoreSwitches) {
  expect_holds(explore({}, [](Stage& stage) { waiting(stage, 2); }));
  expect_holds(explore({}, [](Stage& stage) { not_waiting(stage, 2); }));
  expect_holds(explore({}, three_generations));
}

TEST(Family, WaitingAboveARecord) { expect_holds(explore(kUsual, waiting_above_a_record)); }

TEST(LongFamily, Mutants) {
  expect_caught(
      together({
          mutants(kUsual, [](Stage& stage) { waiting(stage, 2); }),
          mutants(kUsual, [](Stage& stage) { not_waiting(stage, 2); }),
          mutants(kUsual, three_generations),
          mutants(kUsual, waiting_above_a_record),
      }),
      {{"Family::settle", "acq_rel -> acquire", "who removes reads nothing of the owner's by it"},
       {"Family::settle", "acq_rel -> release", "the owner loads the word again, with acquire"},
       {"{anonymous}::wait_for_children", "acquire -> relaxed", "live() is asked after"},
       {"Family::drop", "acq_rel -> acquire", "who held a record has only read atomics of it"},
       {"Gate::doze", "acq_rel -> acquire", "who rings the bell reads nothing of the sleeper's"},
       {"Gate::nudge", "acq_rel -> release", "the same"}});
}

}  // namespace
}  // namespace vicino::task
