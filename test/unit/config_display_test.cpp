// OMP_DISPLAY_ENV: what it prints, and that it can be read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/table.hpp"
#include "config_parse.hpp"

namespace vicino::config {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ConfigDisplay, HasTheFormOfTheStandard) {
  const std::string text = display_env(parse_these({"OMP_NUM_THREADS=4"}).settings, false);
  EXPECT_THAT(text,
              StartsWith("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202011'\n  [host] "));
  EXPECT_THAT(text, HasSubstr("\n  [host] OMP_NUM_THREADS = '4'\n"));
  EXPECT_TRUE(text.ends_with("'\nOPENMP DISPLAY ENVIRONMENT END\n"));
}

TEST(ConfigDisplay, OnlyVerboseShowsWhatIsNotTheStandards) {
  EXPECT_THAT(display_env({}, false), Not(HasSubstr("KMP_")));
  EXPECT_THAT(display_env({}, false), Not(HasSubstr("VICINO_")));
  EXPECT_THAT(display_env({}, true), HasSubstr("KMP_BLOCKTIME = ''"));
  EXPECT_THAT(display_env({}, true), HasSubstr("VICINO_SCHEDULE = ''"));
}

TEST(ConfigDisplay, KmpSettingsListsWhatIsSetAndWhatHolds) {
  const char* const entries[] = {"PATH=/bin", "OMP_NUM_THREADS= 4 ", "OMP_DYNAMIC=x",
                                 "KMP_OTHER=1"};
  const Environment environment(entries);
  std::vector<std::string> warnings;
  const std::string text = list_settings(parse(environment, warnings), environment);
  EXPECT_THAT(
      text, StartsWith("User settings:\n\n   OMP_NUM_THREADS= 4 \n   OMP_DYNAMIC=x\n\nEffective"));
  EXPECT_THAT(text, HasSubstr("\nEffective settings:\n\n   "));
  EXPECT_THAT(text, HasSubstr("\n   OMP_NUM_THREADS='4'\n"));
  EXPECT_THAT(text, HasSubstr("\n   OMP_DYNAMIC='FALSE'\n"));
  EXPECT_THAT(text, Not(HasSubstr("PATH")));
}

TEST(ConfigDisplay, VerboseSaysWhichVariableWon) {
  const Settings settings =
      parse_these({"OMP_STACKSIZE=x", "KMP_STACKSIZE=4096k", "GOMP_STACKSIZE=7",
                   "GOMP_SPINCOUNT=100", "OMP_PLACES=cores"})
          .settings;
  const std::string text = display_env(settings, true);
  EXPECT_THAT(text, HasSubstr("OMP_STACKSIZE = '4M'  # set by KMP_STACKSIZE, over GOMP_STACKSIZE; "
                              "could not read OMP_STACKSIZE\n"));
  EXPECT_THAT(text, HasSubstr("KMP_BLOCKTIME = '1us'  # set by GOMP_SPINCOUNT\n"));
  EXPECT_THAT(text, HasSubstr("OMP_PROC_BIND = 'TRUE'  # follows from other settings\n"));
  EXPECT_THAT(text, HasSubstr("OMP_DYNAMIC = 'FALSE'  # default\n"));
}

TEST(ConfigDisplay, VerboseShowsKmpAffinityAsItIsSet) {
  const auto shown = [](const char* variable) {
    return display_env(parse_these({variable}).settings, true);
  };
  constexpr auto kReset = "[host] KMP_AFFINITY = 'reset'  # set by KMP_AFFINITY\n";
  EXPECT_THAT(shown("KMP_AFFINITY=reset"), HasSubstr(kReset));
  EXPECT_THAT(shown("KMP_AFFINITY=reset,compact"), HasSubstr(kReset));
  EXPECT_THAT(shown("KMP_AFFINITY=verbose"), HasSubstr("[host] KMP_AFFINITY = 'noreset'"));
}

TEST(ConfigDisplay, VerboseNamesWhatHasNoEffect) {
  const Settings settings = parse_these({"KMP_PLAIN_BARRIER=1,1"}).settings;
  const std::string line =
      "KMP_PLAIN_BARRIER has no effect: barriers follow the machine's caches and nodes\n";
  EXPECT_THAT(display_env(settings, true), HasSubstr(line));
  EXPECT_THAT(display_env(settings, false), Not(HasSubstr("KMP_PLAIN_BARRIER")));
  EXPECT_THAT(display_env({}, true), Not(HasSubstr("KMP_PLAIN_BARRIER")));
}

// Each value is shown in the grammar of its row's own variable, so that a line of the report can be
// pasted into a script.
void expect_read_back(const Settings& settings) {
  for (const Row& row : rows()) {
    const std::string shown = row.show(settings);
    if (shown.empty()) continue;
    Settings again;
    EXPECT_TRUE(row.used()[0].parse(shown, again)) << row.name << "='" << shown << "'";
    EXPECT_EQ(row.show(again), shown) << row.name;
  }
}

TEST(ConfigDisplay, TheDefaultsCanBeReadBack) { expect_read_back({}); }

TEST(ConfigDisplay, WhatWasSetCanBeReadBack) {
  const Parsed parsed = parse_these(
      {"OMP_NUM_THREADS=8,4", "OMP_SCHEDULE=monotonic:dynamic,4", "OMP_PROC_BIND=spread,master",
       "GOMP_CPU_AFFINITY=0-6:2", "KMP_STACKSIZE=5000001", "GOMP_SPINCOUNT=7", "OMP_NESTED=true",
       "OMP_WAIT_POLICY=active", "KMP_FORCE_REDUCTION=tree", "OMP_TOOL=disabled",
       "OMP_TOOL_VERBOSE_INIT=stderr", "OMP_DISPLAY_ENV=verbose", "OMP_TARGET_OFFLOAD=disabled",
       "OMP_ALLOCATOR=omp_low_lat_mem_space:pinned=true", "VICINO_SCHEDULE=mixed,f=0.5,8",
       "OMP_THREAD_LIMIT=99999999999", "OMP_AFFINITY_FORMAT=%n"});
  EXPECT_TRUE(parsed.warnings.empty());
  expect_read_back(parsed.settings);
}

}  // namespace
}  // namespace vicino::config
