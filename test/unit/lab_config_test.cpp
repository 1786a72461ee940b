#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lab_machine.hpp"
#include "locality/config.hpp"
#include "locality/report.hpp"

namespace vicino::lab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json small_config() {
  json config = {{"clock", true}, {"output", "/counts"}, {"future", 1}};
  const Machine machine = small_machine();
  for (const Cpu& cpu : machine.cpus)
    config["cpus"].push_back({{"node", cpu.node}, {"package", cpu.package}, {"l3", cpu.l3}});
  for (const Node& node : machine.nodes)
    config["nodes"].push_back({{"package", node.package},
                               {"bytes", node.bytes},
                               {"ram_block", node.ram_block},
                               {"distances", node.distances}});
  for (const auto& [name, member] : kParameters)
    config["parameters"][std::string(name)] = small_parameters().*member;
  return config;
}

std::string fault_of(const json& config) {
  try {
    parse_config(config.dump());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LabConfig, IsReadWhole) {
  const Config config = parse_config(small_config().dump());
  EXPECT_TRUE(config.clock);
  EXPECT_EQ(config.output, "/counts");
  EXPECT_EQ(config.machine.cpus.size(), 8u);
  EXPECT_EQ(config.machine.cpus[7].l3, 3);
  EXPECT_EQ(config.machine.nodes[3].package, 1);
  EXPECT_EQ(config.machine.nodes[3].ram_block, "m3");
  for (const auto& [name, member] : kParameters)
    EXPECT_EQ(config.parameters.*member, small_parameters().*member) << name;
}

TEST(LabConfig, ANodeMayHaveNoMemory) {
  json config = small_config();
  config["nodes"][1] = {
      {"package", 0}, {"bytes", 0}, {"ram_block", nullptr}, {"distances", {20, 10, 20, 20}}};
  EXPECT_EQ(fault_of(config), "accepted");
}

struct Fault {
  const char* pointer;  // the value to change, as a JSON pointer
  json value;           // the new value; discarded: the value is removed
  const char* says;
};

class LabConfigFault : public testing::TestWithParam<Fault> {};

TEST_P(LabConfigFault, NamesTheValueAndWhatIsAccepted) {
  json config = small_config();
  const json::json_pointer pointer(GetParam().pointer);
  if (GetParam().value.is_discarded())
    config[pointer.parent_pointer()].erase(pointer.back());
  else
    config[pointer] = GetParam().value;
  EXPECT_THAT(fault_of(config), HasSubstr(GetParam().says));
}

const json kManyCpus = json(300, {{"node", 0}, {"package", 0}, {"l3", 0}});
const json kAway = json(json::value_t::discarded);
INSTANTIATE_TEST_SUITE_P(
    All, LabConfigFault,
    testing::Values(Fault{"/clock", kAway, "'clock' is missing"},
                    Fault{"/clock", 1, "'clock' is 1; accepted: true or false"},
                    Fault{"/output", 7, "'output' is 7; accepted: a path"},
                    Fault{"/cpus", "x", "'cpus' is not a list"},
                    Fault{"/cpus", json::array(), "0 CPUs; accepted: 1 to 256"},
                    Fault{"/cpus", kManyCpus, "300 CPUs; accepted: 1 to 256"},
                    Fault{"/nodes", json::array(), "0 nodes; accepted: 1 to 32"},
                    Fault{"/cpus/3/node", kAway, "'node' is missing"},
                    Fault{"/cpus/3/node", 4, "the node of CPU 3 is 4; accepted: 0 to 3"},
                    Fault{"/cpus/3/node", -1, "'node' is -1; accepted: a whole number"},
                    Fault{"/cpus/3/l3", 32, "the L3 group of CPU 3 is 32; accepted: 0 to 31"},
                    Fault{"/cpus/3/l3", 3, "L3 group 3 spans packages 0 and 1"},
                    Fault{"/cpus/7/l3", 9, "L3 group 4 has no CPU"},
                    Fault{"/cpus/3/package", 1, "CPU 3 is in package 1, its node 1 in 0"},
                    Fault{"/nodes/2/bytes", 100, "node 2 has 100 bytes; accepted: whole pages"},
                    Fault{"/nodes/2/bytes", 0, "node 2 needs a ram_block if it has bytes"},
                    Fault{"/nodes/2/ram_block", nullptr, "node 2 needs a ram_block"},
                    Fault{"/nodes/2/package", 32, "the package of node 2 is 32; accepted: 0 to 31"},
                    Fault{"/parameters/lat_l3", kAway, "'lat_l3' is missing"},
                    Fault{"/parameters/lat_l4", 3, "parameter 'lat_l4' is unknown"},
                    Fault{"/parameters/lat_l3", 1.5, "'lat_l3' is 1.5; accepted: a whole number"},
                    Fault{"/parameters/lat_l3", 2000000, "lat_l3 is 2000000; accepted: 0 to"},
                    Fault{"/parameters/bw_mc", 2000000, "bw_mc is 2000000; accepted: 0 to"},
                    Fault{"/parameters/quantum", 0, "quantum is 0; accepted: 1 to"},
                    Fault{"/parameters/l2_ways", 3, "l2_bytes is 256 with l2_ways 3; accepted"},
                    Fault{"/parameters/l2_ways", 0, "l2_ways 0; accepted"},
                    Fault{"/parameters/l3_bytes", 768, "l3_bytes is 768 with l3_ways 4"}));

TEST(LabConfig, TextThatIsNotJson) {
  EXPECT_THROW(parse_config("{"), std::runtime_error);
  EXPECT_EQ(output_of("{"), "");
  EXPECT_EQ(output_of("[]"), "");
  EXPECT_EQ(output_of(R"({"output": "/there"})"), "/there");
}

// parameters.toml belongs to the launcher; this test checks only that both name the same numbers,
// and that the values are accepted.
TEST(LabConfig, ParametersAreThoseOfTheFile) {
  std::ifstream file(VICINO_LAB "/locality/parameters.toml");
  ASSERT_TRUE(file);
  std::string line, name;
  Parameters numbers{};
  std::vector<std::string> named;
  while (std::getline(file, line)) {
    if (line.starts_with("name = ")) name = line.substr(8, line.size() - 9);
    if (!line.starts_with("value = ")) continue;
    named.push_back(name);
    for (const auto& [known, member] : kParameters)
      if (known == name) numbers.*member = std::stoul(line.substr(8));
  }
  ASSERT_EQ(named.size(), kParameters.size());
  for (std::size_t i = 0; i < named.size(); ++i) EXPECT_EQ(named[i], kParameters[i].name);
  EXPECT_EQ(numbers.fault(), "");
}

class LabReport : public testing::Test {
 protected:
  LabReport() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "vicino_report_" + test->name() + std::to_string(getpid());
  }
  ~LabReport() override { std::filesystem::remove(path_); }

  json written() const { return json::parse(std::ifstream(path_)); }

  std::string path_;
};

TEST_F(LabReport, IsWholeAfterEachRegion) {
  Report report(path_, {{0, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(written(), json::parse(R"({"regions": [], "refused": null})"));
  std::vector<Counters> counts(2);
  counts[0][Counter::kLoads] = 5;
  counts[1][Counter::kLoads] = 6;
  counts[1][Counter::kCycles] = 70;
  for (int region = 3; region < 6; ++region) {
    report.add({region, region < 5, 80, counts});
    ASSERT_TRUE(report.good());
    EXPECT_EQ(written()["regions"].size(), static_cast<std::size_t>(region - 2));
  }
  const json last = written()["regions"][2];
  EXPECT_EQ(last["region"], 5);
  EXPECT_EQ(last["run"], 2);
  EXPECT_EQ(last["stopped"], false);
  EXPECT_EQ(last["machine_cycles"], 80);
  EXPECT_EQ(last["totals"]["loads"], 11);
  EXPECT_EQ(last["cpus"][1]["node"], 1);
  EXPECT_EQ(last["cpus"][1]["cycles"], 70);
  for (const auto name : kCounterNames) EXPECT_TRUE(last["totals"].contains(name)) << name;
}

TEST_F(LabReport, KeepsWhatWasCountedBeforeARefusal) {
  Report report(path_, {{0, 0, 0}});
  report.add({1, true, 2, std::vector<Counters>(1)});
  report.refuse("a \"reason\"");
  EXPECT_EQ(written()["refused"], "a \"reason\"");
  EXPECT_EQ(written()["regions"].size(), 1u);
}

TEST_F(LabReport, SaysThatItCannotWrite) {
  EXPECT_FALSE(Report(path_ + "/nowhere/at/all", {}).good());
}

}  // namespace
}  // namespace vicino::lab
