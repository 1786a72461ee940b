// task/pending_count.hpp: a thread that waits for a pending count continues when the count is zero
// and not before; a record is freed once, by the last thread that needs it.
#include <array>

#include "spares.hpp"
#include "sync/event_count.hpp"
#include "task/pending_count.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

// A task's record, as in team/task.hpp.
struct Record {
  PendingCount children;
  Record* parent = nullptr;
  Plain<int>* done = nullptr;  // the result of the task for its parent
  Plain<int> result;
  Plain<int> group;  // the task's children read it
  Plain<int> freed;
};

struct Tree {
  Record top, parent;
  std::array<Record, 3> children;
  std::array<Plain<int>, 3> done;
  sync::EventCount pending_done;
};

Tree& make_tree(Stage& stage) {
  auto& tree = stage.make<Tree>();
  stage.name(tree.parent.children, "parent");
  stage.name(tree.parent.result, "result");
  stage.name(tree.parent.freed, "freed");
  stage.name(tree.children, "child");
  stage.name(tree.pending_done, "pending_done");
  tree.parent.parent = &tree.top;
  for (size_t i = 0; i < tree.children.size(); ++i) {
    tree.children[i].parent = &tree.parent;
    tree.children[i].done = &tree.done[i];
  }
  return tree;
}

// Another thread may own the memory from now on, so all of it is written.
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

// The same as in tasking/tasks.cpp.
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
    case PendingCount::Left::kWake:
      return tree.pending_done.notify();
    case PendingCount::Left::kFree: {
      Record* const above = parent.parent;
      free_record(parent);
      return drop_record(above);
    }
    case PendingCount::Left::kSome:
      return;
  }
}

// Runs a child on another thread.
void run_child(Tree& tree, size_t i) {
  Record& child = tree.children[i];
  child.done->set(1);
  tree.parent.group.get();
  end_record(child);
  leave_parent(tree, tree.parent);
}

void wait_for_children(Tree& tree) {
  PendingCount& pending = tree.parent.children;
  while (pending.live() != 0) {
    pending.settle();
    // T2 of pending_count.hpp
    const auto done = [&] {
      return pending.live_by(pending.word().load(std::memory_order_acquire));
    };
    while (done() != 0) tree.pending_done.wait_once([&](bool) { return done() == 0; });
    pending.unsettle();
  }
}

// One child runs here; the others, `away` in number, run on other threads. The parent waits for all
// of them and then ends.
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

// The parent ends without waiting: the last thread frees its record.
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

// The second child of the tree is the first one's child.
Tree& make_generations(Stage& stage) {
  auto& tree = make_tree(stage);
  tree.children[1].parent = &tree.children[0];
  tree.parent.children.add_here();
  tree.children[0].children.add_here();
  tree.top.children.add_away();
  return tree;
}

// A child ends before its own child: both records remain and are freed from the grandchild upwards.
void three_generations(Stage& stage) {
  auto& tree = make_generations(stage);
  Record& grandchild = tree.children[1];
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

// The parent waits for its child, whose record alone remains, because the grandchild needs it.
void waiting_above_a_record(Stage& stage) {
  auto& tree = make_generations(stage);
  Record& grandchild = tree.children[1];
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

TEST(PendingCount, OneAway) {
  expect_holds(explore({}, [](Stage& stage) { waiting(stage, 1); }));
}

TEST(PendingCount, TwoAway) {
  expect_holds(explore(kUsual, [](Stage& stage) { waiting(stage, 2); }));
}

TEST(PendingCount, EndsBeforeItsChild) {
  expect_holds(explore({}, [](Stage& stage) { not_waiting(stage, 1); }));
}

TEST(PendingCount, EndsBeforeItsChildren) {
  expect_holds(explore(kUsual, [](Stage& stage) { not_waiting(stage, 2); }));
}

TEST(PendingCount, ThreeGenerations) { expect_holds(explore(kUsual, three_generations)); }

TEST(LongPendingCount, MoreSwitches) {
  expect_holds(explore({}, [](Stage& stage) { waiting(stage, 2); }));
  expect_holds(explore({}, [](Stage& stage) { not_waiting(stage, 2); }));
  expect_holds(explore({}, three_generations));
}

TEST(PendingCount, WaitingAboveARecord) { expect_holds(explore(kUsual, waiting_above_a_record)); }

TEST(LongPendingCount, Mutants) {
  expect_caught(
      together({
          mutants(kUsual, [](Stage& stage) { waiting(stage, 2); }),
          mutants(kUsual, [](Stage& stage) { not_waiting(stage, 2); }),
          mutants(kUsual, three_generations),
          mutants(kUsual, waiting_above_a_record),
      }),
      {{"PendingCount::settle", "acq_rel -> acquire", "the remover reads none of the owner's data"},
       {"PendingCount::settle", "acq_rel -> release",
        "the owner loads the word again, with acquire"},
       {"{anonymous}::wait_for_children", "acquire -> relaxed", "live() is called afterwards"},
       {"PendingCount::drop", "acq_rel -> acquire",
        "a holder of a record has read only its atomics"},
       {"EventCount::wait_once", "acq_rel -> acquire",
        "the notifier reads nothing from the sleeper"},
       {"EventCount::notify", "acq_rel -> release",
        "the notifier reads nothing from the sleeper"}});
}

}  // namespace
}  // namespace vicino::task
