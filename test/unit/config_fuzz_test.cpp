// Whatever a variable holds, the runtime can work with the settings, and there is at most one
// warning for each variable.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "config/affinity_format.hpp"
#include "config/table.hpp"
#include "config_parse.hpp"

namespace vicino::config {
namespace {

// Pieces of real values, so that the tests get past the parsers' first character.
constexpr std::string_view kPieces[] = {"1",    "0",       "-",          ",",
                                        ":",    "4",       "9999999999", " ",
                                        "true", "dynamic", "monotonic",  "close",
                                        "K",    "ms",      "infinite",   "{",
                                        "}",    "%",       "=",          "omp_default_mem_space",
                                        "a",    ".",       "\t",         "T"};

std::string random_value(std::mt19937& random) {
  std::string value;
  const bool of_pieces = random() % 2 == 0;
  for (auto left = random() % 12; left > 0; --left) {
    if (of_pieces)
      value += kPieces[random() % std::size(kPieces)];
    else
      value += static_cast<char>(1 + random() % 255);  // an environment holds no zero byte
  }
  return value;
}

std::vector<std::string> random_environment(std::mt19937& random) {
  std::vector<std::string> variables;
  for (const Row& row : rows())
    for (const Source& source : row.used())
      if (random() % 2 == 0)
        variables.push_back(std::string(source.variable) + '=' + random_value(random));
  return variables;
}

void expect_valid(const Settings& settings) {
  for (int threads : settings.num_threads) EXPECT_GE(threads, 1);
  EXPECT_GE(settings.max_active_levels, 0);
  EXPECT_GE(settings.thread_limit, 1);
  EXPECT_GE(settings.num_teams, 0);
  EXPECT_GE(settings.thread_step, 0);
  EXPECT_GE(settings.teams_thread_limit, 0);
  EXPECT_GE(settings.run_schedule.chunk, 0);
  EXPECT_GE(settings.max_task_priority, 0);
  EXPECT_GE(settings.default_device.value_or(0), 0);
}

TEST(ConfigFuzz, AnyBytesGiveValidSettings) {
  std::mt19937 random(20260721);
  for (int round = 0; round < 4000; ++round) {
    const Parsed parsed = parse_strings(random_environment(random));
    expect_valid(parsed.settings);
    std::set<std::string> named;
    for (const std::string& warning : parsed.warnings)
      EXPECT_TRUE(named.insert(warning.substr(0, warning.find('='))).second) << warning;
    EXPECT_FALSE(display_env(parsed.settings, true).empty());
    format_affinity(random_value(random), {});
    if (HasFailure()) break;
  }
}

// A value that cannot be read has no effect: the settings are as if the variable were not there.
TEST(ConfigFuzz, AMalformedValueChangesNothing) {
  std::mt19937 random(20260722);
  for (int round = 0; round < 2000; ++round)
    for (const Row& row : rows()) {
      Settings settings;
      if (!row.used()[0].parse(random_value(random), settings)) {
        ASSERT_EQ(settings, Settings()) << row.name;
      }
    }
}

}  // namespace
}  // namespace vicino::config
