// Tests of parts of the command line that are easier to reach than through a whole command.
#include <gtest/gtest.h>

#include <sstream>

#include "duration.hpp"
#include "environment.hpp"
#include "output.hpp"
#include "page.hpp"
#include "probe.hpp"
#include "source_lines.hpp"

namespace vicino::cli {
namespace {

RuntimesSeen seen_in(const std::string& log) {
  std::istringstream text(log);
  RuntimesSeen seen;
  read_loader_log(text, seen);
  return seen;
}

TEST(Probe, CallsAreWhatTheyAreBoundTo) {
  const RuntimesSeen seen = seen_in(
      "   7:\tcalling init: /lib/libc.so.6\n"
      "   7:\tcalling init: /lib/libgomp.so.1\n"
      "   7:\tcalling init: /w/libgomp-a34b3233.so.1.0.0\n"
      "   7:\tbinding file ./a b [0] to /lib/libgomp.so.1 [0]: normal symbol `GOMP_parallel' "
      "[GOMP_4.0]\n"
      "   7:\tbinding file ./a b [0] to /lib/libc.so.6 [0]: normal symbol `printf' "
      "[GLIBC_2.2.5]\n");
  EXPECT_EQ(seen.called, std::set<std::string>{"/lib/libgomp.so.1"});
  EXPECT_EQ(seen.loaded.size(), 2u);
  EXPECT_EQ(seen.in_use(), seen.called);
}

TEST(Probe, RuntimesDoNotCountAsCallers) {
  const RuntimesSeen seen = seen_in(
      "1:\tbinding file /lib/libgomp.so.1 [0] to /v/libvicino.so [0]: normal symbol "
      "`omp_get_level'\n"
      "1:\tbinding file /v/libx.so [0] to /v/libx.so [0]: normal symbol `omp_get_level'\n");
  EXPECT_TRUE(seen.called.empty());
}

TEST(Probe, TextThatIsNotUnderstoodIsPassedOver) {
  EXPECT_TRUE(seen_in("binding file\nbinding file a [0] to\n\ncalling init: \n").in_use().empty());
  EXPECT_FALSE(seen_in("").looked);
}

TEST(Figure, IsTheFirstGroupOfTheLastLineThatMatches) {
  const std::regex pattern("rate: ([-0-9.e]+)");
  EXPECT_EQ(read_figure(pattern, "rate: 1\nrate: 2.5e1 x\nend\n", ""), 25);
  EXPECT_EQ(read_figure(pattern, "", "rate: 3"), 3);
  EXPECT_EQ(read_figure(std::regex("[0-9]+"), "a 12 b", ""), 12);
  EXPECT_EQ(read_figure(pattern, "rate: -1\n", ""), std::nullopt);
  EXPECT_EQ(read_figure(std::regex("rate: (.*)"), "rate: fast\n", ""), std::nullopt);
}

TEST(Difference, ShowsTheFirstLine) {
  EXPECT_EQ(first_difference("a\nb\n", "a\nb\n"), std::nullopt);
  EXPECT_EQ(first_difference("a\nb\n", "a\nc\n"), "  line 2: expected 'b'\n             found 'c'");
  EXPECT_NE(first_difference("a\n", "a\nb\n")->find("nothing: the output ends"), std::string::npos);
  EXPECT_EQ(first_difference("a\n", "a"), "  only one of them ends with a newline");
}

TEST(LastLines, AreFew) {
  EXPECT_EQ(last_lines("1\n2\n3\n4\n5\n6\n"), "\n  | 2\n  | 3\n  | 4\n  | 5\n  | 6");
  EXPECT_EQ(last_lines(""), "");
}

TEST(Duration, TakesUnits) {
  EXPECT_EQ(parse_duration("90"), Seconds(90));
  EXPECT_EQ(parse_duration("1.5s"), Seconds(1.5));
  EXPECT_EQ(parse_duration("2m"), Seconds(120));
  EXPECT_EQ(parse_duration("1h"), Seconds(3600));
  for (const char* bad : {"", "s", "0", "-1", "1d", "1 s", "nan", "inf", "1e99", "9999999h"})
    EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
}

TEST(Environment, PrependsWithoutAnEmptyElement) {
  Environment environment;
  environment.prepend("LIST", "a", ':');
  EXPECT_EQ(environment.get("LIST"), "a");
  environment.prepend("LIST", "b", ':');
  EXPECT_EQ(environment.get("LIST"), "b:a");
  environment.set("LIST", "");
  environment.prepend("LIST", "c", ':');
  EXPECT_EQ(environment.get("LIST"), "c");
  EXPECT_FALSE(environment.assign("=x"));
  EXPECT_TRUE(environment.assign("LIST2="));
  EXPECT_EQ(environment.get("LIST"), "c");
}

TEST(Roff, TakesTextLiterally) {
  const Page page{.name = "vicino x",
                  .summary = "Does",
                  .synopsis = "",
                  .commands = {},
                  .options = {{"--an-option", "a \\ b"}},
                  .sections = {{"Text", ".SH is text\n\n  as it\n  stands\nTag\n    Under.\n"}}};
  const std::string roff = as_roff(page);
  EXPECT_NE(roff.find(".B \\-\\-an\\-option\na \\e b\n"), std::string::npos);
  EXPECT_NE(roff.find("\n\\&.SH is text\n"), std::string::npos);
  EXPECT_NE(roff.find(".nf\n  as it\n  stands\n.fi\n.TP\n.B Tag\nUnder.\n"), std::string::npos);
}

TEST(Quoted, IsWhatAShellReadsBack) {
  EXPECT_EQ(quoted({"a", "b c", "", "d'e"}), "a 'b c' '' 'd'\\''e'");
}

TEST(SourceLines, WhatReadersOfDebugInformationPrint) {
  for (const auto& [line, wanted] :
       {std::pair("/home/me/a b/solve.cpp:12", "solve.cpp:12"),
        std::pair("solve.cpp:12 (discriminator 3)", "solve.cpp:12"),
        std::pair("a/../solve:x.cpp:9", "solve:x.cpp:9"), std::pair("??:0", ""),
        std::pair("??:?", ""), std::pair("/home/me/solve.cpp:?", ""), std::pair("solve.cpp:0", ""),
        std::pair("solve.cpp", ""), std::pair("", ""), std::pair("a program says: 3 x", "")})
    EXPECT_EQ(source_line_in(line), wanted) << line;
}

TEST(SourceLines, OfFilesThatAreNotThere) {
  const std::vector<CodePlace> places = {
      {"/nowhere", "", 17}, {"/nowhere", "abcd", 17}, {"", "", 0}};
  EXPECT_EQ(source_lines(places), std::vector<std::string>(3));
  EXPECT_TRUE(source_lines({}).empty());
}

}  // namespace
}  // namespace vicino::cli
