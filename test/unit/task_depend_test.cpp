// task/depend.hpp with one thread: which tasks may begin, by the definition; and what is kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "task/depend.hpp"

namespace vicino::task {
namespace {

using Dependences = std::vector<Dependence>;

const void* address(int number) { return reinterpret_cast<void*>(uintptr_t{64} * number + 8); }

// A vertex with its space, from the heap, as the runtime makes it.
struct Task : Vertex {
  using Vertex::Vertex;
  int number = 0;
};

class Tasks {
 public:
  ~Tasks() { table_.clear(heap_); }

  int add(const Dependences& dependences) {
    const size_t edges = Table::edges_for(dependences.size());
    Heap::Origin origin;
    const size_t bytes = sizeof(Task) + edges * sizeof(Edge) + dependences.size() * sizeof(Join*);
    void* const memory = take_vertex_memory(heap_, bytes, origin);
    auto* const first = reinterpret_cast<Edge*>(static_cast<Task*>(memory) + 1);
    auto* task = new (memory) Task(first, reinterpret_cast<Join**>(first + edges));
    task->origin = origin;
    task->number = static_cast<int>(tasks_.size());
    tasks_.push_back(task);
    if (table_.add(*task, dependences, heap_) && task->proceed()) ready_.insert(task->number);
    return task->number;
  }
  void finish(int number) {
    ASSERT_EQ(ready_.erase(number), 1u) << number << " had not become ready";
    complete(*tasks_[static_cast<size_t>(number)], heap_, [this](Vertex& vertex) {
      const int next = static_cast<Task&>(vertex).number;
      EXPECT_TRUE(ready_.insert(next).second) << next << " became ready twice";
    });
  }
  auto put() {
    return [this](Vertex& vertex) { ready_.insert(static_cast<Task&>(vertex).number); };
  }
  // The same for an exporting task, whose children are in `inner`.
  void finish_extended(int number, Table& inner) {
    ready_.erase(number);
    inner.extend(vertex(number), heap_, put());
    end_extended(vertex(number), heap_, put());
  }
  Vertex& vertex(int number) { return *tasks_[static_cast<size_t>(number)]; }
  const std::set<int>& ready() const { return ready_; }
  Table& table() { return table_; }
  Heap& heap() { return heap_; }

 private:
  Heap heap_;
  Table table_;
  std::vector<Task*> tasks_;
  std::set<int> ready_;
};

// A task's access to each address: two different ones count as writing.
std::map<const void*, Access> accesses(const Dependences& dependences) {
  std::map<const void*, Access> all;
  for (const auto& [at, access] : dependences) {
    auto& known = all.emplace(at, access).first->second;
    if (known != access) known = Access::kOut;
  }
  return all;
}

bool has_memory(const Dependences& dependences) {
  return std::any_of(dependences.begin(), dependences.end(),
                     [](auto& d) { return d.access == Access::kMemory; });
}

// Whether the later of two siblings has to wait for the earlier one or, with `excluding`, the two
// exclude each other.
bool depends(const Dependences& earlier, const Dependences& later, bool excluding) {
  if (earlier.empty() || later.empty()) return false;  // even if the other is of all memory
  if (has_memory(earlier) || has_memory(later)) return true;
  const auto before = accesses(earlier);
  for (const auto& [at, access] : accesses(later)) {
    const auto other = before.find(at);
    if (other == before.end()) continue;
    if (other->second != access || access == Access::kOut) return true;
    if (access == Access::kMutex && excluding) return true;
  }
  return false;
}

Dependences random_dependences(std::mt19937& random, bool mutexes) {
  constexpr Access kKinds[] = {Access::kIn, Access::kIn, Access::kOut, Access::kSet,
                               Access::kMutex};
  Dependences made;
  if (random() % 40 == 0) made.push_back({nullptr, Access::kMemory});
  for (size_t n = random() % 4; n > 0; --n)
    made.push_back({address(static_cast<int>(random() % 6)), kKinds[random() % (mutexes ? 5 : 4)]});
  return made;
}

// With `mutexes`, a task may wait for an excluded sibling that itself waits, so the test checks
// that no two overlap and that all end. Without, it checks that each task is ready exactly when it
// may begin.
void random_programs(bool mutexes) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Tasks tasks;
    std::vector<Dependences> all;
    std::set<int> unfinished;
    const auto look = [&] {
      for (const int at : unfinished) {
        const auto waits_for = [&](int earlier) {
          return earlier < at &&
                 depends(all[static_cast<size_t>(earlier)], all[static_cast<size_t>(at)], false);
        };
        const bool may = std::none_of(unfinished.begin(), unfinished.end(), waits_for);
        if (tasks.ready().contains(at)) {
          ASSERT_TRUE(may) << "seed " << seed << ": " << at << " is too early";
          for (const int other : tasks.ready())
            ASSERT_TRUE(other >= at || !depends(all[static_cast<size_t>(other)],
                                                all[static_cast<size_t>(at)], true))
                << "seed " << seed << ": " << at << " and " << other << " overlap";
        } else {
          ASSERT_FALSE(may && !mutexes) << "seed " << seed << ": " << at << " is held back";
        }
      }
    };
    for (int steps = 0; steps < 120; ++steps) {
      if (random() % 2 == 0) {
        all.push_back(random_dependences(random, mutexes));
        unfinished.insert(tasks.add(all.back()));
      } else if (!tasks.ready().empty()) {
        auto at = tasks.ready().begin();
        std::advance(at, random() % tasks.ready().size());
        const int done = *at;
        tasks.finish(done);
        unfinished.erase(done);
      }
      ASSERT_NO_FATAL_FAILURE(look());
    }
    while (!tasks.ready().empty()) {
      const int done = *tasks.ready().begin();
      tasks.finish(done);
      unfinished.erase(done);
      ASSERT_NO_FATAL_FAILURE(look());
    }
    ASSERT_THAT(unfinished, testing::IsEmpty()) << "seed " << seed;
  }
}

TEST(Depend, ReadyExactlyWhenItMayBe) { random_programs(false); }
TEST(Depend, Exclusion) { random_programs(true); }

// Two tasks name the same two exclusions in opposite order, behind a task that holds one of the
// two. Each would hold one and wait for the other if tasks did not enter exclusions in one order.
TEST(Depend, NoCircleOfExclusions) {
  for (const int first : {0, 1}) {
    Tasks tasks;
    const Dependence a{address(0), Access::kMutex}, b{address(1), Access::kMutex};
    tasks.add({first == 0 ? a : b});
    tasks.add({a, b});
    tasks.add({b, a});
    for (int ended = 0; ended < 3; ++ended) {
      ASSERT_EQ(tasks.ready().size(), 1u);
      tasks.finish(*tasks.ready().begin());
    }
  }
}

TEST(Depend, MetIsWhetherATaskCouldBegin) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Tasks tasks;
    for (int steps = 0; steps < 60; ++steps) {
      if (random() % 3 == 0 && !tasks.ready().empty()) tasks.finish(*tasks.ready().begin());
      const Dependences next = random_dependences(random, false);
      const bool met = tasks.table().met(next);
      const int number = tasks.add(next);
      ASSERT_EQ(met, tasks.ready().contains(number)) << "seed " << seed << ", task " << number;
    }
    while (!tasks.ready().empty()) tasks.finish(*tasks.ready().begin());
  }
}

TEST(Depend, WhoIsDoneIsForgotten) {
  Tasks tasks;
  for (int i = 0; i < 100'000; ++i) tasks.finish(tasks.add({{address(i), Access::kOut}}));
  EXPECT_LE(tasks.table().capacity(), 64u);
}

TEST(Depend, OneAddressIsOneEntry) {
  Tasks tasks;
  tasks.add({{address(0), Access::kOut}});
  for (int i = 0; i < 100'000; ++i) tasks.add({{address(0), Access::kIn}});
  tasks.add({{address(0), Access::kOut}});
  EXPECT_EQ(tasks.table().size(), 1u);
  EXPECT_THAT(tasks.ready(), testing::ElementsAre(0));
  tasks.finish(0);
  EXPECT_EQ(tasks.ready().size(), 100'000u);
  while (tasks.ready().size() > 1 || *tasks.ready().begin() <= 100'000)
    tasks.finish(*tasks.ready().begin());
  EXPECT_THAT(tasks.ready(), testing::ElementsAre(100'001));
  tasks.finish(100'001);
}

// Random tasks with children. An exporting one extends its vertex by its children, or has them
// absorbed if it runs at once; an importing one comes after all earlier siblings. The order of
// OpenMP 6.0, section 17.9.5.
class Nested {
 public:
  explicit Nested(unsigned seed) : random_(seed) {}
  ~Nested() {
    for (Node& node : nodes_) node.table.clear(heap_);
    table_.clear(heap_);
  }

  void run() {
    for (int sibling = 0; sibling < 8; ++sibling) {
      generate(-1);
      while (!ready_.empty() && random_() % 3 != 0) step();
    }
    while (!ready_.empty()) step();
    for (const Node& node : nodes_) EXPECT_TRUE(node.ended);
  }

 private:
  struct Node {
    int parent;
    Dependences dependences;
    bool imports, exports, at_once;
    std::vector<int>
        path;  // from the outermost ancestor: in this order one thread would begin the tasks
    bool ended = false;
    Task* vertex = nullptr;
    Table table;
  };
  Node& node(int number) { return nodes_[static_cast<size_t>(number)]; }
  auto put() {
    return [this](Vertex& vertex) { ready_.insert(static_cast<Task&>(vertex).number); };
  }

  void generate(int parent) {
    const int number = static_cast<int>(nodes_.size());
    Node& mine = nodes_.emplace_back();
    mine.parent = parent;
    if (parent >= 0) mine.path = node(parent).path;
    mine.path.push_back(number);
    mine.dependences = random_dependences(random_, true);
    mine.imports = random_() % 3 == 0;
    mine.exports = random_() % 2 == 0;
    Table& table = parent < 0 ? table_ : node(parent).table;
    const bool met = mine.imports ? table.is_done() : table.met(mine.dependences);
    mine.at_once = met && random_() % 3 == 0;
    if (mine.at_once) {
      begin(number);
      if (mine.exports) table.absorb(mine.table, heap_, put());
      mine.ended = true;
      return;
    }
    const size_t edges = Table::edges_for(mine.dependences.size());
    Heap::Origin origin;
    const size_t bytes =
        sizeof(Task) + edges * sizeof(Edge) + mine.dependences.size() * sizeof(Join*);
    void* const memory = take_vertex_memory(heap_, bytes, origin);
    auto* const first = reinterpret_cast<Edge*>(static_cast<Task*>(memory) + 1);
    mine.vertex = new (memory) Task(first, reinterpret_cast<Join**>(first + edges));
    mine.vertex->origin = origin;
    mine.vertex->number = number;
    const bool known = mine.imports
                           ? table.add_after_all(*mine.vertex, mine.dependences, heap_, put())
                           : table.add(*mine.vertex, mine.dependences, heap_);
    if (known && mine.vertex->proceed()) ready_.insert(number);
  }

  void begin(int number) {
    check(number);
    const bool has_children = node(number).parent < 0 || node(node(number).parent).parent < 0;
    for (size_t child = has_children ? random_() % 4 : 0; child > 0; --child) generate(number);
  }

  void step() {
    auto at = ready_.begin();
    std::advance(at, random_() % ready_.size());
    const int number = *at;
    ready_.erase(at);
    begin(number);
    Node& mine = node(number);
    if (mine.exports) mine.table.extend(*mine.vertex, heap_, put());
    mine.ended = true;
    if (mine.vertex->is_extended())
      end_extended(*mine.vertex, heap_, put());
    else
      complete(*mine.vertex, heap_, put());
  }

  bool in_front(int a, int b) { return node(a).path < node(b).path; }
  // Whether `a` is a preceding dependence-compatible task of `b`, and whether it is a predecessor.
  bool precedes(int a, int b) {
    const int from = node(a).parent, to = node(b).parent;
    if (from == to) return true;
    if (to >= 0 && node(to).imports && in_front(a, to) && precedes(a, to)) return true;
    if (from < 0 || !node(from).exports) return false;
    return is_before(from, b) || (node(from).at_once && node(from).parent == to);
  }
  bool is_before(int a, int b) {
    if (!in_front(a, b)) return false;
    const auto [known, is_new] = before_.try_emplace({a, b}, false);
    if (!is_new) return known->second;
    bool is = depends(node(a).dependences, node(b).dependences, false) && precedes(a, b);
    for (int between = 0; between < static_cast<int>(nodes_.size()) && !is; ++between)
      is = is_before(a, between) && is_before(between, b);
    return before_[{a, b}] = is;
  }
  void check(int number) {
    before_.clear();
    for (int other = 0; other < static_cast<int>(nodes_.size()); ++other)
      EXPECT_TRUE(node(other).ended || !is_before(other, number))
          << number << " has begun before " << other << " has ended";
  }

  std::mt19937 random_;
  Heap heap_;
  Table table_;
  std::deque<Node> nodes_;
  std::set<int> ready_;
  std::map<std::pair<int, int>, bool> before_;
};

// An exporting task that has ended excludes nobody, though its child runs on.
TEST(Depend, ExtendedVertexHasLeftItsExclusions) {
  Tasks tasks, children;
  const int exporting = tasks.add({{address(0), Access::kMutex}});
  const int excluded = tasks.add({{address(0), Access::kMutex}});
  const int after = tasks.add({{address(0), Access::kOut}});
  children.add({{address(1), Access::kOut}});
  tasks.finish_extended(exporting, children.table());
  EXPECT_THAT(tasks.ready(), testing::ElementsAre(excluded));
  tasks.finish(excluded);
  EXPECT_THAT(tasks.ready(), testing::IsEmpty());
  complete(children.vertex(0), tasks.heap(), tasks.put());
  EXPECT_THAT(tasks.ready(), testing::ElementsAre(after));
  tasks.finish(after);
}

TEST(Depend, ImportAndExport) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Nested(seed).run();
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(Depend, ClearedWhenAllAreDone) {
  Tasks tasks;
  for (int i = 0; i < 1000; ++i) tasks.add({{address(i), Access::kOut}});
  EXPECT_EQ(tasks.table().size(), 1000u);
  while (!tasks.ready().empty()) tasks.finish(*tasks.ready().begin());
  tasks.table().clear(tasks.heap());
  EXPECT_TRUE(tasks.table().empty());
  EXPECT_TRUE(tasks.table().met({}));
}

}  // namespace
}  // namespace vicino::task
