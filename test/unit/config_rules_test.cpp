// Rules for loops: what a file may contain, what is wrong with others, which loops a rule names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "config/rules.hpp"
#include "config/selection.hpp"

namespace vicino::config {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string wrong_with(std::string_view text) { return parse_rules(text, "v.toml").error(); }

Rule rule(std::string_view keys) {
  const auto rules = parse_rules("[[loop]]\nschedule = 'guided'\n" + std::string(keys), "v.toml");
  EXPECT_EQ(rules.error(), "");
  return rules ? rules->loops.front() : Rule{};
}

bool speaks_of(std::string_view keys, const Location& location) {
  return matches(rule(keys), location);
}

TEST(ConfigRules, AreReadInTheirOrder) {
  const auto rules = parse_rules(
      "# first\n[[loop]]\nfile = 'a.c'\nline = 7\nschedule = 'nich,group=4'\n\n"
      "[[loop]]\nfunction = 'f*'\nschedule = \"dynamic,3\"\n",
      "v.toml");
  ASSERT_TRUE(rules) << rules.error();
  ASSERT_EQ(rules->loops.size(), 2u);
  EXPECT_EQ(rules->loops[0].file, "a.c");
  EXPECT_EQ(rules->loops[0].line, 7u);
  EXPECT_EQ(rules->loops[0].written_at, 2u);
  EXPECT_EQ(format_selection(rules->loops[0].schedule), "nich,group=4");
  EXPECT_EQ(rules->loops[1].function, "f*");
  EXPECT_EQ(rules->loops[1].written_at, 7u);
  EXPECT_EQ(format_selection(rules->loops[1].schedule), "dynamic,3");
}

// The first row that speaks of a file decides, and rows of the file come before the known ones.
TEST(ConfigRules, SayWhichModulesMayHaveFewerThreads) {
  const auto rules = parse_rules(
      "[[module]]\nfile = 'libmine.so*'\nfewer_threads = true\n"
      "[[module]]\nfile = '/opt/*/lib_lightgbm.so'\nfewer_threads = false\n"
      "[[module]]\nfile = '*'\nfewer_threads = false\n",
      "v.toml");
  ASSERT_TRUE(rules) << rules.error();
  const std::span<const ModuleRule> first = std::span(rules->modules).first(2);
  using enum FewerThreads;
  EXPECT_EQ(fewer_threads("/usr/lib/libmine.so.3", first), kAllowed);
  EXPECT_EQ(fewer_threads("/usr/lib/notlibmine.so.3", first), kUnknown);
  EXPECT_EQ(fewer_threads("/usr/libmine.so/other.so", first), kUnknown);
  EXPECT_EQ(fewer_threads("/opt/x/lib_lightgbm.so", first), kForbidden);
  EXPECT_EQ(fewer_threads("/usr/lib/lib_lightgbm.so", first), kAllowed);
  EXPECT_EQ(fewer_threads("lib_lightgbm.so", {}), kAllowed);
  EXPECT_EQ(fewer_threads("/usr/lib/lib_lightgbm.so", rules->modules), kForbidden);
  const std::string packages = "/x/site-packages/";
  EXPECT_EQ(fewer_threads(packages + "sklearn/cluster/_k_means_lloyd.so", {}), kAllowed);
  EXPECT_EQ(fewer_threads(packages + "sklearn/metrics/_dist_metrics.so", {}), kUnknown);
  EXPECT_EQ(fewer_threads(
                packages + "sklearn/metrics/_pairwise_distances_reduction/_argkmin.so", {}),
            kForbidden);
  EXPECT_EQ(fewer_threads(packages + "xgboost/lib/libxgboost.so", {}), kForbidden);
  EXPECT_EQ(fewer_threads("/usr/lib/openblas-openmp/libopenblasp-r0.3.21.so", {}), kForbidden);
}

TEST(ConfigRules, AnEmptyFileHasNone) {
  const auto rules = parse_rules("# nothing\n", "v.toml");
  ASSERT_TRUE(rules);
  EXPECT_TRUE(rules->loops.empty() && rules->modules.empty());
}

TEST(ConfigRules, WhatIsWrongHasItsLineAndWhatIsAccepted) {
  const struct {
    std::string_view text, message;
  } kCases[] = {
      {"[[loop]]\nline = 1\nschedull = 'x'\n",
       "v.toml:3: no key 'schedull' in a [[loop]]; there are schedule, "},
      {"[[loop]]\nline = 0\n", "v.toml:2: line = 0 is not a whole number from 1 to 2147483647"},
      {"[[loop]]\nline = '7'\n", "v.toml:2: line = '7' is not a whole number"},
      {"[[loop]]\nline = 7.5\n", "v.toml:2: line is not a whole number"},
      {"[[loop]]\nline = 99999999999\n", "v.toml:2: line = 99999999999 is not"},
      {"[[loop]]\nfile = 3\n", "v.toml:2: file = 3 is not text between quotation marks"},
      {"[[loop]]\nfile = ''\n", "v.toml:2: file = '' is not text"},
      {"[[loop]]\nline = 1\nschedule = 'nixh'\n", "v.toml:3: no schedule 'nixh'; there are nich, "},
      {"[[loop]]\nline = 1\nschedule = 'nich,group=x'\n",
       "v.toml:3: group='x' is not a whole number from "},
      {"\n[[loop]]\nline = 1\n", "v.toml:2: this [[loop]] has no schedule"},
      {"[[loop]]\nschedule = 'nich'\n", "v.toml:1: this [[loop]] says of no loop"},
      {"[loop]\nline = 1\n", "v.toml:1: no 'loop' here; there are tables [[loop]] and [[module]]"},
      {"loop = [1, 2]\n", "v.toml:1: no 'loop' here"},
      {"schedule = 'nich'\n", "v.toml:1: no 'schedule' here"},
      {"[[loops]]\n", "v.toml:1: no 'loops' here"},
      {"[[loop]]\nline = \n", "v.toml:2: "},
      {"[[loop\n", "v.toml:1: "},
      {"[[module]]\nfile = 'a'\n", "v.toml:1: this [[module]] needs a file and fewer_threads"},
      {"[[module]]\nfewer_threads = true\n", "v.toml:1: this [[module]] needs a file"},
      {"[[module]]\nfewer_threads = 1\n", "v.toml:2: fewer_threads = 1 is not true or false"},
      {"[[module]]\nfile = 1\n", "v.toml:2: file = 1 is not text between quotation marks"},
      {"[[module]]\nline = 1\n", "v.toml:2: no key 'line' in a [[module]]; there are file"},
      {"[[loop]]\nf\xc3\xa9 = 1\n", "v.toml:2: "},
  };
  for (const auto& [text, message] : kCases) EXPECT_THAT(wrong_with(text), StartsWith(message));
}

TEST(ConfigRules, TextOfAnyKindEndsInRulesOrAMessage) {
  const std::string good =
      "[[loop]]\nfile = 'a.c'\nline = 7\nfunction = \"f\"\nschedule = 'nich,group=4'\n";
  std::minstd_rand random(7);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (int n = 0; n < 3; ++n) text[random() % text.size()] = static_cast<char>(random());
    const auto rules = parse_rules(text, "v.toml");
    if (!rules) {
      EXPECT_THAT(rules.error(), StartsWith("v.toml:"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 400);
}

TEST(ConfigRules, AFileIsNamedByTheEndOfItsPath) {
  const Location at{"src/solve/a.c", 7, "f"};
  EXPECT_TRUE(speaks_of("file = 'a.c'", at));
  EXPECT_TRUE(speaks_of("file = 'solve/a.c'", at));
  EXPECT_TRUE(speaks_of("file = '/a.c'", at));
  EXPECT_TRUE(speaks_of("file = 'src/solve/a.c'", at));
  EXPECT_FALSE(speaks_of("file = 'e/a.c'", at));
  EXPECT_FALSE(speaks_of("file = 'x/src/solve/a.c'", at));
  EXPECT_FALSE(speaks_of("file = 'a.c'", Location{"", 7, "f"}));
  EXPECT_TRUE(speaks_of("file = '\xc3\xa9.c'  # \xc3\xa9", Location{"\xc3\xa9.c", 7, "f"}));
}

TEST(ConfigRules, AllThatARuleSaysHasToHold) {
  const Location at{"a.c", 7, "f"};
  EXPECT_TRUE(speaks_of("line = 7", at));
  EXPECT_TRUE(speaks_of("file = 'a.c'\nline = 7\nfunction = 'f'", at));
  EXPECT_FALSE(speaks_of("file = 'a.c'\nline = 8\nfunction = 'f'", at));
  EXPECT_FALSE(speaks_of("file = 'b.c'\nline = 7\nfunction = 'f'", at));
  EXPECT_FALSE(speaks_of("file = 'a.c'\nline = 7\nfunction = 'g'", at));
}

TEST(ConfigRules, AFunctionIsNamedWithoutWhatCompilersAppend) {
  for (const char* symbol : {"solve_all", "solve_all._omp_fn.0", "solve_all.omp_outlined",
                             "solve_all.constprop.0._omp_fn.12"})
    for (const char* keys :
         {"function = 'solve_all'", "function = 'solve_*'", "function = '*_all'"})
      EXPECT_TRUE(speaks_of(keys, Location{"", 0, symbol})) << symbol << keys;
  EXPECT_FALSE(speaks_of("function = 'solve'", Location{"", 0, "solve_all._omp_fn.0"}));
  EXPECT_TRUE(speaks_of("function = '.omp_outlined.'", Location{"", 0, ".omp_outlined."}));
  EXPECT_FALSE(speaks_of("function = '*'", Location{}));
}

TEST(ConfigRules, CppNamesAsPeopleWriteThem) {
  const Location linked{"", 0, "_ZN3lab5solveEi._omp_fn.0"}, written{"", 0, "lab::solve"};
  for (const char* keys : {"function = 'lab::solve'", "function = 'lab::*'"}) {
    EXPECT_TRUE(speaks_of(keys, linked)) << keys;
    EXPECT_TRUE(speaks_of(keys, written)) << keys;
  }
  EXPECT_TRUE(speaks_of("function = 'lab::solve(int)'", linked));
  EXPECT_TRUE(speaks_of("function = '_ZN3lab*'", linked));
  EXPECT_FALSE(speaks_of("function = 'solve'", linked));
}

TEST(ConfigRules, WhatTheCompilerWritesAndTheSymbolBothName) {
  const Location at{"a.cpp", 7, "work", "_Z4worki.omp_outlined_debug__"};
  for (const char* keys : {"function = 'work'", "function = 'work(int)'", "function = '_Z4worki'"})
    EXPECT_TRUE(speaks_of(keys, at)) << keys;
  EXPECT_FALSE(speaks_of("function = 'work(long)'", at));
}

TEST(ConfigRules, ParametersAreTheLastThingInParentheses) {
  const Location hidden{"", 0, "", "_ZN12_GLOBAL__N_14workEPFivE._omp_fn.0"};
  EXPECT_TRUE(speaks_of("function = '(anonymous namespace)::work'", hidden));
  EXPECT_TRUE(speaks_of("function = '(anonymous namespace)::work(int (?)())'", hidden));
}

TEST(ConfigRules, FortranNamesAsPeopleWriteThem) {
  for (const char* symbol : {"__grid_MOD_sweep._omp_fn.0", "_QMgridPsweep..omp_par", "sweep_",
                             "_QPsweep", "sweep_._omp_fn.0", "_QMgridFouterPsweep"})
    EXPECT_TRUE(speaks_of("function = 'sweep'", Location{"", 0, "", symbol})) << symbol;
  EXPECT_TRUE(speaks_of("function = '_QQmain'", Location{"", 0, "", "_QQmain..omp_par.1"}));
  EXPECT_FALSE(speaks_of("function = 'sweep'", Location{"", 0, "", "__grid_MOD_sweep_all"}));
}

TEST(ConfigRules, ABodyIsOfTheFunctionsThatHoldIt) {
  const Location body{"", 0, "", "_ZN6vicino6detail12site_of_bodyIZN3lab5solveEiEUliE_EE"};
  for (const char* keys : {"function = 'lab::solve'", "function = 'lab::solve(int)'",
                           "function = 'lab::*'", "function = '*lambda*'"})
    EXPECT_TRUE(speaks_of(keys, body)) << keys;
  EXPECT_FALSE(speaks_of("function = 'solve'", body));
  const Location of_clang{"", 0, "", "_ZN6vicino6detail12site_of_bodyIZN3lab5solveEiE3$_0EE"};
  EXPECT_TRUE(speaks_of("function = 'lab::solve'", of_clang));
}

TEST(ConfigRules, ASymbolForPeople) {
  EXPECT_EQ(readable("main"), "main");
  EXPECT_EQ(readable("a._omp_fn.0"), "a");
  EXPECT_EQ(readable("main._omp_fn.0"), "main");
  EXPECT_EQ(readable("main._omp_fn.1"), "main#2");
  EXPECT_EQ(readable("main.omp_outlined"), "main");
  EXPECT_EQ(readable("main.omp_outlined.3"), "main#4");
  EXPECT_EQ(readable("_ZN3lab5solveEi.constprop.0._omp_fn.2"), "lab::solve(int).constprop.0#3");
  EXPECT_EQ(readable("_QQmain..omp_par.1"), "_QQmain#2");
  EXPECT_EQ(readable("_ZN6vicino6detail12site_of_bodyIZN3lab5solveEiEUliE_EE"),
            "lab::solve(int)::{lambda(int)#1}");
  EXPECT_EQ(readable(".omp_outlined."), ".omp_outlined.");
  EXPECT_EQ(readable(""), "");
  EXPECT_LT(readable("_Z1fI" + std::string(5000, 'i') + "Evv").size(), 200u);
}

TEST(ConfigRules, AnIdentOfLlvm) {
  const Location at = parse_source(";dir/a.c;f;12;9;;");
  EXPECT_EQ(at.file, "dir/a.c");
  EXPECT_EQ(at.function, "f");
  EXPECT_EQ(at.line, 12u);
  EXPECT_EQ(parse_source(";FIRModule;sweep;4;7;;").file, "");
  EXPECT_EQ(parse_source(";FIRModule;sweep;4;7;;").line, 4u);
  for (const char* text : {";unknown;unknown;0;0;;", "", ";", "nonsense", ";;;x"}) {
    const Location unknown = parse_source(text);
    EXPECT_EQ(unknown.file + unknown.function, "") << text;
    EXPECT_EQ(unknown.line, 0u) << text;
  }
}

TEST(ConfigRules, AFileThatCannotBeReadIsNamed) {
  EXPECT_THAT(read_rules("/nowhere/v.toml").error(), HasSubstr("/nowhere/v.toml: No such file"));
  EXPECT_THAT(read_rules("/").error(), HasSubstr("/: not a file"));
}

// What the TOML library says may quote the end of a line.
TEST(ConfigRules, AMessageIsOneLine) {
  const std::string error = parse_rules("[[loop]]\nfile = na\n", "v.toml").error();
  EXPECT_THAT(error, testing::StartsWith("v.toml:2: "));
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

}  // namespace
}  // namespace vicino::config
