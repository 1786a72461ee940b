// OMP_AFFINITY_FORMAT: the fields, their widths, and mistakes. The cases were tried on libomp-19,
// which prints the same.
#include <gtest/gtest.h>

#include "config/affinity_format.hpp"

namespace vicino::config {
namespace {

AffinityFields sample() {
  AffinityFields fields;
  fields.team_num = 1;
  fields.num_teams = 2;
  fields.nesting_level = 3;
  fields.thread_num = 4;
  fields.num_threads = 5;
  fields.ancestor_tnum = -1;
  fields.process_id = 600;
  fields.native_thread_id = 700;
  fields.host = "vm";
  fields.thread_affinity = "0-3,8";
  return fields;
}

std::string formatted(std::string_view format) { return format_affinity(format, sample()); }

TEST(ConfigAffinityFormat, EveryFieldByLetterAndByName) {
  EXPECT_EQ(formatted("%t %T %L %n %N %a %P %i %H %A"), "1 2 3 4 5 -1 600 700 vm 0-3,8");
  EXPECT_EQ(formatted("%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} "
                      "%{ancestor_tnum} %{process_id} %{native_thread_id} %{host} "
                      "%{thread_affinity}"),
            "1 2 3 4 5 -1 600 700 vm 0-3,8");
}

TEST(ConfigAffinityFormat, WidthAlignmentAndZeros) {
  EXPECT_EQ(formatted("[%5L][%.5L][%0.5L][%05L]"), "[3    ][    3][00003][3    ]");
  EXPECT_EQ(formatted("[%.8n][%0.8{thread_num}]"), "[       4][00000004]");
  EXPECT_EQ(formatted("[%0.3a][%2P]"), "[-01][600]");
}

TEST(ConfigAffinityFormat, TextIsNeverPaddedWithZeros) {
  EXPECT_EQ(formatted("[%4H][%.4H][%0.4H]"), "[vm  ][  vm][  vm]");
}

TEST(ConfigAffinityFormat, PercentAndPlainText) {
  EXPECT_EQ(formatted("100%% {n} \t"), "100% {n} \t");
  EXPECT_EQ(formatted("%%%n%%n"), "%4%n");
}

TEST(ConfigAffinityFormat, WhatIsNotKnownIsUndefined) {
  EXPECT_EQ(formatted("%Q %{foo} %{n} %{Host}"), "undefined undefined undefined undefined");
  EXPECT_EQ(formatted("%"), "undefined");
  EXPECT_EQ(formatted("%0.5"), "undefined");
  EXPECT_EQ(formatted("x%{host"), "xvm");
}

TEST(ConfigAffinityFormat, AnEmptyFormatIsTheDefault) {
  EXPECT_EQ(formatted(""), "host vm pid 600 level 3 thread 4 of 5 tid 700 affinity {0-3,8}");
}

TEST(ConfigAffinityFormat, AWidthHasABound) {
  EXPECT_EQ(formatted("%99999999999999999999999n").size(), 1024u);
}

}  // namespace
}  // namespace vicino::config
