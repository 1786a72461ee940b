// Compares every recorded machine of test/machines with the results beside it. A new machine is one
// XML and one .expected file; test/machines/README.md explains the lines.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "topo/binding.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"
#include "topo/priorities.hpp"

namespace vicino::topo {
namespace {

namespace fs = std::filesystem;
using Expected =
    std::vector<std::pair<std::string, std::string>>;  // the texts before and after " = "

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(VICINO_MACHINES))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

Expected read_expected(const std::string& name) {
  Expected expected;
  std::ifstream file(std::string(VICINO_MACHINES) + "/" + name + ".expected");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t equals = line.find(" = ");
    EXPECT_NE(equals, line.npos) << line;
    if (equals != line.npos) expected.emplace_back(line.substr(0, equals), line.substr(equals + 3));
  }
  return expected;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

template <class Range>
std::string joined(const Range& values) {
  std::ostringstream text;
  for (const auto& value : values) text << (text.tellp() == 0 ? "" : " ") << value;
  return text.str();
}

std::vector<std::string> lists(const PlaceList& places) {
  std::vector<std::string> texts;
  for (const CpuSet& place : places.places) texts.push_back(place.to_list());
  return texts;
}

class RecordedMachine : public testing::TestWithParam<std::string> {
 protected:
  RecordedMachine() {
    Result<Machine> machine =
        Machine::from_xml(std::string(VICINO_MACHINES) + "/" + GetParam() + ".xml");
    EXPECT_TRUE(machine.ok()) << machine.error();
    if (machine) machine_ = std::make_unique<Machine>(*std::move(machine));
  }
  void SetUp() override { ASSERT_TRUE(machine_); }

  PlaceList places(const std::string& text) const {
    Result<PlaceList> list = parse_places(text, *machine_);
    EXPECT_TRUE(list.ok()) << text << ": " << list.error();
    return list ? *std::move(list) : PlaceList{};
  }

  // The machine's own answer to the text before " = ", in the words of the file.
  std::string answer(const std::string& question) const {
    const std::vector<std::string> words = words_of(question);
    const auto number = [&](size_t i) { return i < words.size() ? std::stoi(words[i]) : -1; };
    if (words[0] == "count") return count(question.substr(question.find(' ') + 1));
    if (question == "team") return std::to_string(machine_->default_team_size());
    if (words[0] == "kind") return cpus_of_kind(number(1));
    if (words[0] == "distances") return distances(number(1));
    if (question == "near domains") return std::to_string(machine_->near_count());
    if (words[0] == "nearest" && words[1] == "near")
      return joined(machine_->near_nearest_first(number(2)));
    if (words[0] == "nearest") return joined(machine_->nodes_nearest_first(number(1)));
    if (words[0] == "memory") return memory(number(1), words.size() > 2 ? words[2] : "");
    if (words.size() == 6 && words[2] == "on" && words[4] == "from")
      return assigned(words[0], number(1), places(words[3]), number(5));
    return "(no such question)";
  }

  std::string count(const std::string& name) const {
    for (int level = 0; level < kLevels; ++level)
      if (level_name(Level(level)) == name) return std::to_string(machine_->count(Level(level)));
    return "(no such level)";
  }
  std::string cpus_of_kind(int kind) const {
    CpuSet cpus;
    for (const Pu& pu : machine_->pus())
      if (pu.kind == kind) cpus.set(pu.os_index);
    return cpus.to_list();
  }
  std::string distances(int node) const {
    std::vector<unsigned> row;
    for (int other = 0; other < machine_->count(Level::kNode); ++other)
      row.push_back(machine_->distance(node, other));
    return joined(row);
  }
  std::string memory(int os_index, const std::string& sort) const {
    for (const Memory& memory : machine_->memories())
      if (memory.os_index == os_index && memory.sort == sort) return std::to_string(memory.node);
    return "(no such memory)";
  }
  static std::string assigned(const std::string& bind, int threads, const PlaceList& places,
                              int primary) {
    static const std::map<std::string, Bind> kBinds{
        {"primary", Bind::kPrimary}, {"close", Bind::kClose}, {"spread", Bind::kSpread}};
    if (!kBinds.contains(bind)) return "(no such binding)";
    std::vector<int> team;
    for (const PlacedThread& thread :
         assign_places(kBinds.at(bind), {0, places.size()}, primary, threads))
      team.push_back(thread.place);
    return joined(team);
  }

  std::unique_ptr<Machine> machine_;
};

TEST_P(RecordedMachine, IsAsExpected) {
  const Expected expected = read_expected(GetParam());
  for (const auto& [question, value] : expected) {
    SCOPED_TRACE(question);
    if (question.starts_with("places ")) {
      EXPECT_EQ(lists(places(question.substr(7))), lists(places(value)));
    } else {
      EXPECT_EQ(answer(question), value);
    }
  }
}

TEST_P(RecordedMachine, ExpectedSaysEnough) {
  std::vector<std::string> questions;
  for (const auto& [question, value] : read_expected(GetParam())) questions.push_back(question);
  EXPECT_THAT(questions,
              testing::IsSupersetOf({"count thread", "count core", "count cache group",
                                     "count node", "count package", "team", "places cores",
                                     "places ll_caches", "places numa_domains", "places sockets"}));
  for (const char* bind : {"close ", "spread "})
    EXPECT_THAT(questions, testing::Contains(testing::StartsWith(bind)));
}

// The files of test/machines give the order of priority (topo_priorities_test).
TEST_P(RecordedMachine, DefaultPlacesAreTheCoresInOrderOfPriority) {
  const PlaceList cores = places("cores");
  PlaceList ordered;
  for (const int core : priority_order(*machine_, machine_->cpus()))
    ordered.places.push_back(cores[core]);
  EXPECT_EQ(lists(default_places(*machine_)), lists(ordered));
}

TEST_P(RecordedMachine, KeepsItsInvariants) {
  EXPECT_TRUE(machine_->check());
  EXPECT_TRUE(machine_->recorded());
  for (const Pu& pu : machine_->pus()) {
    const CpuSet cpu = CpuSet::of(pu.os_index);
    EXPECT_EQ(machine_->pu_of(pu.os_index), &pu);
    EXPECT_EQ(machine_->core_of(cpu), pu.core);
    EXPECT_EQ(machine_->cache_group_of(cpu), pu.cache_group);
    EXPECT_EQ(machine_->node_of(cpu), pu.node);
    EXPECT_EQ(machine_->package_of(cpu), pu.package);
  }
}

// The parents of any domain grow, or stay equal, and lead to the machine.
TEST_P(RecordedMachine, ParentsLeadToTheMachine) {
  for (int level = 0; level < kLevels; ++level)
    for (const Domain& start : machine_->domains(Level(level))) {
      const Domain* domain = &start;
      for (int steps = 0; domain->parent >= 0; ++steps) {
        ASSERT_LT(steps, kLevels);
        const auto parents = machine_->domains(domain->parent_level);
        const Domain* const parent = &parents[static_cast<size_t>(domain->parent)];
        ASSERT_TRUE(parent->cpus.contains(domain->cpus));
        domain = parent;
      }
      ASSERT_EQ(domain, machine_->domains(Level::kMachine).data());
    }
}

INSTANTIATE_TEST_SUITE_P(All, RecordedMachine, testing::ValuesIn(machine_names()),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace vicino::topo
