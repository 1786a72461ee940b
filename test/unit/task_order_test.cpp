// task/order.hpp: the edges are those that OpenMP's rules ask for, for small programs by hand and
// for random ones by comparing each pair of tasks.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "task/order.hpp"

namespace vicino::task {
namespace {

using Edges = std::vector<std::vector<uint32_t>>;

Edges edges_of(const Order& order) {
  Edges edges(order.tasks());
  for (uint32_t i = 0; i < order.tasks(); ++i)
    edges[i].assign(order.before().begin() + order.first()[i],
                    order.before().begin() + order.first()[i + 1]);
  return edges;
}

int a, b;
constexpr auto kIn = Access::kIn, kOut = Access::kOut, kSet = Access::kSet, kMutex = Access::kMutex,
               kMemory = Access::kMemory;

struct Program {
  Order order;
  uint32_t task(std::vector<Dependence> dependences) { return order.add(dependences); }
};

TEST(Order, WriterReadersWriter) {
  Program p;
  p.task({{&a, kOut}});
  p.task({{&a, kIn}});
  p.task({{&a, kIn}});
  p.task({{&a, kOut}});
  p.task({{&b, kIn}});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {0}, {0}, {1, 2}, {}}));
}

TEST(Order, SetIsOnePhase) {
  Program p;
  p.task({{&a, kOut}});
  p.task({{&a, kSet}});
  p.task({{&a, kSet}});
  p.task({{&a, kIn}});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {0}, {0}, {1, 2}}));
}

TEST(Order, ExclusiveTasksFollowEachOther) {
  Program p;
  p.task({{&a, kMutex}});
  p.task({{&a, kMutex}});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {0}}));
}

TEST(Order, AnAddressTwiceInOneTask) {
  Program p;
  p.task({{&a, kIn}, {&a, kOut}, {&a, kIn}});
  p.task({{&a, kIn}, {&a, kIn}});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {0}}));
}

TEST(Order, AllMemory) {
  Program p;
  p.task({{&a, kOut}});
  p.task({});
  p.task({{nullptr, kMemory}});
  p.task({{&b, kIn}});
  p.task({});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {}, {0, 1}, {2}, {2}}));
}

TEST(Order, Wait) {
  Program p;
  p.order.wait();  // for nothing
  p.task({{&a, kOut}});
  p.task({{&a, kOut}});
  p.order.wait();
  p.order.wait();  // for nothing more
  p.task({{&a, kIn}});
  p.task({});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {0}, {1}, {2}, {2}}));
}

TEST(Order, WaitForSome) {
  Program p;
  p.task({{&a, kOut}});
  p.task({{&b, kOut}});
  const Dependence reads_a[] = {{&a, kIn}};
  p.order.wait_for(reads_a);
  p.task({});
  p.task({{&b, kIn}});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {}, {0}, {2}, {1, 2}}));
}

TEST(Order, WaitForNewest) {
  Program p;
  p.task({});
  p.task({{&a, kOut}});
  p.order.wait_for_newest();
  p.task({});
  p.task({{&a, kIn}});
  p.order.wait();
  p.task({});
  EXPECT_EQ(edges_of(p.order), (Edges{{}, {}, {1}, {1}, {0, 2, 3}, {4}}));
}

// Whether two tasks with these accesses of one address are ordered, if no task lies between them.
bool are_ordered(Access earlier, Access later) {
  return earlier != later || (later != Access::kIn && later != Access::kSet);
}

// All pairs that must be ordered, directly or through others.
TEST(Order, EachPairOfRandomTasks) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  char variables[6];
  for (int round = 0; round < 300; ++round) {
    Order order;
    struct Entry {
      std::vector<Dependence> dependences;
      bool waits = false;
    };
    std::vector<Entry> tasks;
    for (int i = 0; i < 40; ++i) {
      Entry entry;
      if (below(12) == 0) {
        order.wait();
        if (order.tasks() > tasks.size()) tasks.push_back({{}, true});
        continue;
      }
      std::set<int> used;
      for (int k = below(4); k > 0; --k)
        if (const int v = below(6); used.insert(v).second)
          entry.dependences.push_back(
              {&variables[v], std::array{kIn, kIn, kOut, kSet, kMutex}[size_t(below(5))]});
      order.add(entry.dependences);
      tasks.push_back(entry);
    }
    ASSERT_EQ(order.tasks(), tasks.size());
    const Edges edges = edges_of(order);
    std::vector<std::set<uint32_t>> above(tasks.size()), wanted(tasks.size());
    for (uint32_t i = 0; i < tasks.size(); ++i) {
      for (const uint32_t one : edges[i]) {
        ASSERT_LT(one, i);
        above[i].insert(one);
        above[i].insert(above[one].begin(), above[one].end());
      }
      for (uint32_t j = 0; j < i; ++j) {
        bool ordered = tasks[i].waits || tasks[j].waits;
        for (const Dependence& later : tasks[i].dependences)
          for (const Dependence& earlier : tasks[j].dependences)
            ordered |=
                later.address == earlier.address && are_ordered(earlier.access, later.access);
        if (!ordered) continue;
        wanted[i].insert(j);
        wanted[i].insert(wanted[j].begin(), wanted[j].end());
      }
      ASSERT_EQ(above[i], wanted[i]) << "round " << round << ", task " << i;
    }
  }
}

}  // namespace
}  // namespace vicino::task
