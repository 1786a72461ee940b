// The rules between variables: which one wins, what follows from it, and the message when one
// cannot be read.
#include "config_parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vicino::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using topo::Bind;

TEST(ConfigParse, NothingSetGivesTheDefaults) {
  const Parsed parsed = parse_these({"PATH=/bin", "OMP=1", "OMP_NUM_THREADS", "XOMP_DYNAMIC=true"});
  EXPECT_EQ(parsed.settings, Settings());
  EXPECT_THAT(parsed.warnings, ElementsAre());
}

TEST(ConfigParse, TheFirstOfTwoEntriesHoldsAsForGetenv) {
  EXPECT_THAT(parse_these({"OMP_NUM_THREADS=3", "OMP_NUM_THREADS=5"}).settings.num_threads,
              ElementsAre(3));
}

TEST(ConfigParse, TheStandardsVariableHoldsOverTheFamilies) {
  const Parsed parsed = parse_these({"GOMP_STACKSIZE=1M", "KMP_STACKSIZE=2M", "OMP_STACKSIZE=3M"});
  EXPECT_EQ(parsed.settings.stack_size, 3u << 20);
  EXPECT_EQ(parse_these({"GOMP_STACKSIZE=1M", "KMP_STACKSIZE=2M"}).settings.stack_size, 2u << 20);
  EXPECT_THAT(parsed.warnings, ElementsAre());
}

TEST(ConfigParse, VicinosVariableHoldsOverAll) {
  const auto both = {std::string("KMP_DETERMINISTIC_REDUCTION=false"),
                     std::string("VICINO_DETERMINISTIC_REDUCTION=true")};
  EXPECT_TRUE(parse_these(both).settings.deterministic_reduction);
}

TEST(ConfigParse, AMalformedVariableLeavesTheNextOne) {
  const Parsed parsed = parse_these({"OMP_STACKSIZE=big", "KMP_STACKSIZE=2M"});
  EXPECT_EQ(parsed.settings.stack_size, 2u << 20);
  EXPECT_THAT(parsed.warnings, ElementsAre("OMP_STACKSIZE='big': not a positive number of "
                                           "kilobytes, or with B, K, M, G or T behind it; using "
                                           "KMP_STACKSIZE"));
}

TEST(ConfigParse, AVariableThatLosesIsNotJudged) {
  EXPECT_THAT(parse_these({"OMP_STACKSIZE=2M", "KMP_STACKSIZE=big"}).warnings, ElementsAre());
}

TEST(ConfigParse, TheWarningNamesVariableValueAndWhatHolds) {
  EXPECT_THAT(parse_these({"OMP_NUM_THREADS=x4"}).warnings,
              ElementsAre("OMP_NUM_THREADS='x4': not a comma-separated list of positive integers up to 2147483647; "
                          "using the default: one thread for each CPU that the affinity mask, the "
                          "cpuset and the CPU quota leave"));
}

TEST(ConfigParse, AChunkOfAutoIsIgnoredAndNamed) {
  const Parsed parsed = parse_these({"OMP_SCHEDULE=nonmonotonic:Auto,1"});
  EXPECT_EQ(parsed.settings.run_schedule,
            (Schedule{ScheduleKind::kAuto, Monotonicity::kNonmonotonic, 0}));
  EXPECT_THAT(parsed.warnings, ElementsAre("OMP_SCHEDULE='nonmonotonic:Auto,1': auto has no chunk, "
                                           "it is ignored"));
  EXPECT_THAT(parse_these({"OMP_SCHEDULE=auto"}).warnings, ElementsAre());
  EXPECT_THAT(parse_these({"OMP_SCHEDULE=auto,1", "KMP_WARNINGS=false"}).warnings, ElementsAre());
}

TEST(ConfigParse, AMisspeltVariableHasAHint) {
  const auto hint = [](const std::string& name) { return parse_these({name + "=1"}).warnings; };
  EXPECT_THAT(hint("VICINO_SCHED"),
              ElementsAre("VICINO_SCHED: no such variable; there is VICINO_SCHEDULE"));
  EXPECT_THAT(hint("VICINO_EXPLIAN"), ElementsAre(HasSubstr("there is VICINO_EXPLAIN")));
  EXPECT_THAT(hint("VICINO_STAT"), ElementsAre(HasSubstr("there is VICINO_STATS")));
  EXPECT_THAT(hint("VICINO_Explore"), ElementsAre(HasSubstr("there is VICINO_EXPLORE")));
  for (const char* name : {"VICINO_LIBRARY", "VICINO_ROOT", "VICINO_HOME", "VICINO_DIR", "VICINO_",
                           "VICINO_X", "OMP_SCHED"})
    EXPECT_THAT(hint(name), ElementsAre()) << name;
  EXPECT_THAT(parse_these({"VICINO_SCHED=ich", "KMP_WARNINGS=0"}).warnings, ElementsAre());
}

TEST(ConfigParse, AScheduleThatHasNoOrderIsNotMonotonic) {
  EXPECT_THAT(
      parse_these({"OMP_SCHEDULE=monotonic:ich"}).warnings,
      ElementsAre("OMP_SCHEDULE='monotonic:ich': ich gives no chunks in order, as monotonic "
                  "asks; loops that have it are static"));
  for (const char* fine : {"OMP_SCHEDULE=monotonic:dynamic", "OMP_SCHEDULE=monotonic:factoring",
                           "OMP_SCHEDULE=nonmonotonic:ich", "OMP_SCHEDULE=ich"})
    EXPECT_THAT(parse_these({fine}).warnings, ElementsAre()) << fine;
}

TEST(ConfigParse, AWarningIsOneShortLineWhateverTheValue) {
  const Parsed parsed = parse_these({"OMP_DYNAMIC=\x1b[2J\n" + std::string(5000, 'y')});
  ASSERT_EQ(parsed.warnings.size(), 1u);
  EXPECT_LT(parsed.warnings[0].size(), 200u);
  EXPECT_THAT(parsed.warnings[0], HasSubstr("OMP_DYNAMIC='?[2J?yyy"));
}

TEST(ConfigParse, WarningsCanBeSilencedWhereverTheVariableStands) {
  EXPECT_THAT(parse_these({"OMP_NUM_THREADS=x", "KMP_WARNINGS=0"}).warnings, ElementsAre());
  EXPECT_EQ(parse_these({"OMP_NUM_THREADS=x", "KMP_WARNINGS=1"}).warnings.size(), 1u);
}

TEST(ConfigParse, PlacesAskForBindingUnlessAPolicyIsGiven) {
  EXPECT_THAT(parse_these({"OMP_PLACES=cores"}).settings.proc_bind, ElementsAre(Bind::kTrue));
  EXPECT_THAT(parse_these({"GOMP_CPU_AFFINITY=0-3"}).settings.proc_bind, ElementsAre(Bind::kTrue));
  EXPECT_THAT(parse_these({"OMP_PLACES=cores", "OMP_PROC_BIND=false"}).settings.proc_bind,
              ElementsAre(Bind::kFalse));
  EXPECT_THAT(parse_these({}).settings.proc_bind, ElementsAre());
}

TEST(ConfigParse, ListsPerLevelAskForNesting) {
  EXPECT_EQ(parse_these({"OMP_NUM_THREADS=4"}).settings.max_active_levels, 1);
  EXPECT_EQ(parse_these({"OMP_NUM_THREADS=4,2"}).settings.max_active_levels, kUnlimited);
  EXPECT_EQ(parse_these({"OMP_PROC_BIND=spread,close"}).settings.max_active_levels, kUnlimited);
}

TEST(ConfigParse, NestingThatWasSaidHoldsOverNestingThatFollows) {
  const std::string list = "OMP_NUM_THREADS=4,2";
  EXPECT_EQ(parse_these({list, "OMP_MAX_ACTIVE_LEVELS=1"}).settings.max_active_levels, 1);
  EXPECT_EQ(parse_these({list, "OMP_NESTED=false"}).settings.max_active_levels, 1);
  EXPECT_EQ(parse_these({"OMP_NESTED=true"}).settings.max_active_levels, kUnlimited);
  EXPECT_EQ(parse_these({"OMP_NESTED=true", "OMP_MAX_ACTIVE_LEVELS=2"}).settings.max_active_levels,
            2);
}

TEST(ConfigParse, KmpAffinityGivesAPolicyAndPlaces) {
  const Parsed compact = parse_these({"KMP_AFFINITY=granularity=fine,compact"});
  EXPECT_THAT(compact.warnings, ElementsAre());
  EXPECT_EQ(compact.settings.places, "threads");
  EXPECT_THAT(compact.settings.proc_bind, ElementsAre(topo::Bind::kClose));
  const Parsed standard =
      parse_these({"KMP_AFFINITY=scatter", "OMP_PLACES=sockets", "OMP_PROC_BIND=primary"});
  EXPECT_EQ(standard.settings.places, "sockets");
  EXPECT_THAT(standard.settings.proc_bind, ElementsAre(topo::Bind::kPrimary));
  const Parsed wrong = parse_these({"KMP_AFFINITY=near"});
  EXPECT_EQ(wrong.warnings.size(), 1u);
  EXPECT_EQ(wrong.settings.places, "");
  EXPECT_TRUE(wrong.settings.proc_bind.empty());
}

TEST(ConfigParse, WhatHasNoMeaningHereIsTakenWithoutAWord) {
  const Parsed parsed = parse_these({"KMP_PLAIN_BARRIER=1,1", "GOMP_DEBUG=1"});
  EXPECT_THAT(parsed.warnings, ElementsAre());
  EXPECT_EQ(__builtin_popcountll(parsed.settings.without_effect), 2);
}

TEST(ConfigParse, TheSeedOfTaskCallsIsKeptWhole) {
  for (const uint64_t seed : {uint64_t{0}, uint64_t{7}, uint64_t{1} << 32, UINT64_MAX - 1}) {
    const Parsed parsed = parse_these({"VICINO_TASK_CALLS=" + std::to_string(seed)});
    EXPECT_EQ(parsed.settings.task_calls, (TaskCalls{TaskCalls::kDrawn, seed}));
    EXPECT_THAT(parsed.warnings, ElementsAre());
  }
  for (const char* const seed : {"18446744073709551615", "18446744073709551616", "-1", "7x"})
    EXPECT_THAT(parse_these({std::string("VICINO_TASK_CALLS=") + seed}).warnings,
                ElementsAre(HasSubstr("or a number up to 18446744073709551614, the seed")));
}

TEST(ConfigParse, ThrottlingOfTasksIsOneOfTheWaysToCallThem) {
  constexpr TaskCalls kNone{TaskCalls::kNone}, kShort{TaskCalls::kShort}, kAll{TaskCalls::kAll};
  EXPECT_EQ(parse_these({"KMP_ENABLE_TASK_THROTTLING=0"}).settings.task_calls, kNone);
  EXPECT_EQ(parse_these({"KMP_ENABLE_TASK_THROTTLING=true"}).settings.task_calls, kShort);
  const Parsed both = parse_these({"KMP_ENABLE_TASK_THROTTLING=0", "VICINO_TASK_CALLS=all"});
  EXPECT_EQ(both.settings.task_calls, kAll);
}

TEST(ConfigParse, SettingsOfTheProcessAreOneObject) { EXPECT_EQ(&settings(), &settings()); }

}  // namespace
}  // namespace vicino::config
