// task/depend.hpp with one thread: which tasks may begin, by the definition; and what is kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

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
