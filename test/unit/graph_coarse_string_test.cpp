// Coarse strings: what is accepted, what each error says, and any text at all.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "graph/passes.hpp"

namespace vicino::graph {
namespace {

std::string error_of(std::string_view text) {
  const auto steps = parse_coarse_string(text);
  EXPECT_FALSE(steps) << to_text(*steps);
  return steps.error();
}

constexpr std::string_view kPassesAre =
    "there must be a pass: S, F(aggregates per depth), D(tasks per aggregate), C, B(tasks per "
    "block), "
    "T(tasks per aggregate)";

TEST(GraphCoarseString, GoodOnesAreWrittenAsTheyWere) {
  for (const char* text : {"", "S", "C", "F(1)", "D(4)", "CD(4)", "SD(300)F(32)", "SSSS", "T(70)",
                           "B(9)", "D(4294967294)", "F(32)CSD(7)F(2)"}) {
    const auto steps = parse_coarse_string(text);
    ASSERT_TRUE(steps) << steps.error();
    EXPECT_EQ(to_text(*steps), text);
  }
}

TEST(GraphCoarseString, StepsAreInOrder) {
  const auto steps = parse_coarse_string("SD(300)F(032)");
  ASSERT_TRUE(steps) << steps.error();
  ASSERT_EQ(steps->size(), 3u);
  EXPECT_EQ(steps->at(0).pass->name, "sequential");
  EXPECT_EQ(steps->at(1).pass->name, "depth front");
  EXPECT_EQ(steps->at(1).parameter, 300u);
  EXPECT_EQ(steps->at(2).pass->name, "front");
  EXPECT_EQ(steps->at(2).parameter, 32u);
  EXPECT_EQ(to_text(*steps), "SD(300)F(32)");
}

TEST(GraphCoarseString, EachLetterIsOnePass) {
  std::string letters;
  for (const PassRow& pass : passes()) {
    EXPECT_EQ(letters.find(pass.letter), std::string::npos) << pass.letter;
    EXPECT_FALSE(pass.name.empty());
    EXPECT_FALSE(pass.summary.empty());
    letters += pass.letter;
  }
  EXPECT_EQ(letters, "SFDCBT");
}

TEST(GraphCoarseString, WhatIsNoPass) {
  EXPECT_EQ(error_of("X"), "coarse string 'X': at place 1, before 'X', " + std::string(kPassesAre));
  EXPECT_EQ(error_of("SD(3)d(4)"),
            "coarse string 'SD(3)d(4)': at place 6, before 'd(4)', " + std::string(kPassesAre));
  EXPECT_EQ(error_of("S C"),
            "coarse string 'S C': at place 2, before ' C', " + std::string(kPassesAre));
  EXPECT_EQ(error_of("C(4)"),
            "coarse string 'C(4)': at place 2, before '(4)', " + std::string(kPassesAre));
  EXPECT_EQ(error_of("D(4))"),
            "coarse string 'D(4))': at place 5, before ')', " + std::string(kPassesAre));
  EXPECT_EQ(error_of(std::string_view("S\0", 2)),
            "coarse string 'S?': at place 2, before '?', " + std::string(kPassesAre));
}

TEST(GraphCoarseString, ANumberThatIsMissing) {
  EXPECT_EQ(error_of("CD"),
            "coarse string 'CD': at place 3, before the end of the text, there must be '(' and the "
            "number of tasks per aggregate");
  EXPECT_EQ(error_of("F4"),
            "coarse string 'F4': at place 2, before '4', there must be '(' and the number of "
            "aggregates per depth");
  EXPECT_EQ(error_of("F("),
            "coarse string 'F(': at place 3, before the end of the text, there must be the number "
            "of aggregates per depth, from 1 to 4294967294");
  EXPECT_EQ(error_of("F()"),
            "coarse string 'F()': at place 3, before ')', there must be the number of aggregates "
            "per depth, from 1 to 4294967294");
}

TEST(GraphCoarseString, ANumberThatIsWrong) {
  constexpr std::string_view kRange =
      "there must be the number of tasks per aggregate, from 1 to 4294967294";
  for (const std::string number :
       {"0", "000", "-1", "+1", " 1", "x", "4294967295", "18446744073709551617",
        "99999999999999999999999999999999999999999999999999"}) {
    const std::string text = "SD(" + number + ")";
    EXPECT_TRUE(error_of(text).ends_with(kRange)) << error_of(text);
    EXPECT_NE(error_of(text).find("at place 4, before '" + number + ")'"), std::string::npos)
        << error_of(text);
  }
}

TEST(GraphCoarseString, ABracketThatIsNotClosed) {
  EXPECT_EQ(error_of("D(12"),
            "coarse string 'D(12': at place 5, before the end of the text, there must be ')'");
  EXPECT_EQ(error_of("D(1.5)"),
            "coarse string 'D(1.5)': at place 4, before '.5)', there must be ')'");
}

TEST(GraphCoarseString, OnlyTheTextIsRead) {
  constexpr std::string_view kLonger = "SD(12)C";
  const auto begin = [&](size_t length) { return kLonger.substr(0, length); };
  EXPECT_TRUE(parse_coarse_string(begin(1)));
  EXPECT_TRUE(error_of(begin(2)).ends_with("'(' and the number of tasks per aggregate"));
  EXPECT_TRUE(error_of(begin(3)).ends_with("from 1 to 4294967294"));
  EXPECT_TRUE(error_of(begin(4)).ends_with("there must be ')'"));
  EXPECT_TRUE(error_of(begin(5)).ends_with("there must be ')'"));
  EXPECT_EQ(to_text(*parse_coarse_string(begin(6))), "SD(12)");
}

TEST(GraphCoarseString, ALongTextIsCutInTheError) {
  const std::string error = error_of(std::string(100'000, 'S') + "!");
  EXPECT_NE(error.find("at place 100001, before '!'"), std::string::npos) << error;
  EXPECT_LT(error.size(), 300u);
}

// Pieces of real ones, so that the texts get past the first character.
constexpr std::string_view kPieces[] = {"S",   "C",  "F(",          "D(", "F(2)", "D(400)",   "(",
                                        ")",   "0",  "7",           "32", "s",    " ",        "-",
                                        "F()", "D0", "99999999999", "\0", "\x80", "automatic"};

std::string random_text(std::mt19937& random) {
  std::string text;
  const bool of_pieces = random() % 4 > 0;
  for (auto left = random() % 8; left > 0; --left) {
    if (of_pieces)
      text += kPieces[random() % (random() % 2 == 0 ? 6 : std::size(kPieces))];
    else
      text += static_cast<char>(random());
  }
  return text;
}

TEST(GraphCoarseString, AnyTextIsReadOrRefused) {
  std::mt19937 random(20261126);
  int good = 0, bad = 0;
  for (int round = 0; round < 100'000; ++round) {
    const std::string text = random_text(random);
    const auto steps = parse_coarse_string(text);
    if (!steps) {
      ++bad;
      ASSERT_TRUE(steps.error().starts_with("coarse string '")) << steps.error();
      ASSERT_LT(steps.error().size(), 300u);
      ASSERT_EQ(steps.error().find_first_of("\n\033"), std::string::npos);
      continue;
    }
    ++good;
    const auto again = parse_coarse_string(to_text(*steps));
    ASSERT_TRUE(again) << again.error();
    ASSERT_EQ(to_text(*again), to_text(*steps));
    ASSERT_EQ(again->size(), steps->size());
    for (const Step& step : *steps) {
      ASSERT_EQ(step.parameter > 0, !step.pass->parameter.empty());
      ASSERT_LT(step.parameter, kMost);
    }
  }
  EXPECT_GT(good, 5'000);
  EXPECT_GT(bad, 20'000);
}

}  // namespace
}  // namespace vicino::graph
