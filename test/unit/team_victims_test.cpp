// The order in which threads are asked for tasks, compared with lists worked out by hand
// (test/machines/*.victims).
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "plat/plat.hpp"
#include "task/registry.hpp"
#include "team/shape.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::team {
namespace {

namespace fs = std::filesystem;

std::vector<int> numbers(const std::string& list) {
  std::vector<int> found;
  CpuSet::parse_list(list)->for_each([&](int number) { found.push_back(number); });
  return found;
}

struct Expected {
  std::string machine;
  int thread;
  std::vector<std::vector<int>> classes;  // nearest first
};

// "thread N = LIST | LIST ...": the threads at each distance, by number.
std::vector<Expected> expected() {
  std::vector<Expected> all;
  for (const auto& file : fs::directory_iterator(VICINO_MACHINES)) {
    if (file.path().extension() != ".victims") continue;
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("thread ")) continue;
      const size_t equals = line.find(" = ");
      Expected one{file.path().stem(), std::stoi(line.substr(7)), {}};
      for (std::string rest = line.substr(equals + 3); !rest.empty();) {
        const size_t bar = rest.find(" | ");
        one.classes.push_back(numbers(rest.substr(0, bar)));
        rest = bar == std::string::npos ? "" : rest.substr(bar + 3);
      }
      all.push_back(one);
    }
  }
  return all;
}

// A thread on each core, in the machine's order.
task::Neighbours neighbours(const Expected& one) {
  const auto machine =
      topo::Machine::from_xml(std::string(VICINO_MACHINES) + "/" + one.machine + ".xml");
  EXPECT_TRUE(machine.ok()) << machine.error();
  const topo::PlaceList cores = topo::places_of(*machine, topo::Level::kCore);
  std::vector<int> place_of(cores.places.size());
  std::iota(place_of.begin(), place_of.end(), 0);
  return {one.thread, thread_distances(*machine, cores, place_of, one.thread)};
}

// The threads that a scheduler asks if none gives a task.
std::vector<int> asked(std::string_view scheduler, const task::Neighbours& near,
                       int parent_at = -1) {
  std::vector<int> order;
  task::search(task::index_of(scheduler), near, parent_at, [&](int victim) {
    order.push_back(victim);
    return false;
  });
  return order;
}

std::vector<int> all_of(const Expected& one) {
  std::vector<int> all;
  for (const auto& some : one.classes) all.insert(all.end(), some.begin(), some.end());
  return all;
}

TEST(Victims, ThereAreFilesOfSeveralMachines) { EXPECT_GE(expected().size(), 7u); }

TEST(Victims, DfwsptAsksInTheFixedOrder) {
  for (const Expected& one : expected())
    EXPECT_EQ(asked("dfwspt", neighbours(one)), all_of(one)) << one.machine << ' ' << one.thread;
}

TEST(Victims, DfwsrptAsksClassByClass) {
  for (const Expected& one : expected())
    for (int round = 0; round < 20; ++round) {
      const std::vector<int> order = asked("dfwsrpt", neighbours(one));
      ASSERT_EQ(order.size(), all_of(one).size());
      auto at = order.begin();
      for (const auto& some : one.classes) {
        const std::vector<int> here(at, at + static_cast<ptrdiff_t>(some.size()));
        EXPECT_THAT(here, testing::UnorderedElementsAreArray(some)) << one.machine;
        at += static_cast<ptrdiff_t>(some.size());
      }
    }
}

TEST(Victims, DfwsrptBeginsWithEachOfTheNearest) {
  const Expected one = {"plain-2x4", 0, {{1, 2, 3}, {4, 5, 6, 7}}};
  std::set<int> first;
  for (int round = 0; round < 200; ++round) first.insert(asked("dfwsrpt", neighbours(one)).front());
  EXPECT_THAT(first, testing::ElementsAre(1, 2, 3));
}

TEST(Victims, WorkFirstAsksAllInTurn) {
  for (const Expected& one : expected())
    EXPECT_THAT(asked("work_first", neighbours(one)),
                testing::UnorderedElementsAreArray(all_of(one)));
}

// The thread that has the suspended parent is asked first, and the order of the others stays.
TEST(Victims, WhoHasTheParentIsAskedFirst) {
  const task::Neighbours near = neighbours({"plain-2x4", 0, {{1, 2, 3}, {4, 5, 6, 7}}});
  for (const char* scheduler : {"work_first", "dfwspt", "dfwsrpt"})
    for (int parent_at = 1; parent_at < 8; ++parent_at) {
      const std::vector<int> order = asked(scheduler, near, parent_at);
      ASSERT_EQ(order.size(), 8u) << scheduler;
      EXPECT_EQ(order.front(), parent_at) << scheduler;
      EXPECT_THAT(std::vector<int>(order.begin() + 1, order.end()),
                  testing::UnorderedElementsAre(1, 2, 3, 4, 5, 6, 7));
    }
  EXPECT_EQ(asked("dfwspt", near, 6), (std::vector<int>{6, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(asked("cilk", near, 6).size(), 7u);
}

TEST(Victims, TheFirstThatGivesEndsTheSearch) {
  const task::Neighbours near = neighbours({"plain-2x4", 0, {}});
  int questions = 0;
  for (const auto& row : task::kRows) {
    if (row.queue != task::QueueKind::kDeque) continue;
    EXPECT_TRUE(
        task::search(task::index_of(row.name), near, -1, [&](int) { return ++questions > 0; }));
  }
  EXPECT_EQ(questions, 4);
}

TEST(Victims, WhoIsAloneAsksNobody) {
  for (const auto& row : task::kRows)
    EXPECT_TRUE(asked(row.name, task::Neighbours(0, std::vector<unsigned>{0})).empty());
}

}  // namespace
}  // namespace vicino::team
