// Profiles as text, what is wrong with other texts, and how two profiles are merged.
#include "tune_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.hpp"
#include "tune/explanation.hpp"

namespace vicino::tune {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// The lines with a title and their correct checksum.
std::string sealed(const std::string& lines, const char* format = "1") {
  const std::string text = std::string("vicino profile ") + format + "\n" + lines;
  return text + "checksum " + hexadecimal(fnv1a(text)) + "\n";
}

// The expected lines of some_entry().
const char* const kLines =
    "site 00ff5a 0x11d9 loop team=2 trip_bits=11 objective=time machine=0123456789abcdef\n"
    "  binary /opt/some where/solver\n"
    "  where solver.c:120\n"
    "  hardware 1 package, 1 node\n"
    "  state settled round=1\n"
    "  default static threads=2 cost=51.25 low=50 high=53.5 samples=3 beaten\n"
    "  best mixed,f=0.75,chunk=8 threads=1 nodes=0,2 steal=full cost=33.9 low=33 high=34.4 "
    "samples=8\n"
    "  tried static threads=2 cost=51.25 low=50 high=53.5 samples=3 beaten\n"
    "  tried mixed,f=0.75,chunk=8 threads=1 nodes=0,2 steal=full cost=33.9 low=33 high=34.4 "
    "samples=8\n"
    "  counts executions=400 iterations=400000 settled_iterations=380000 total_ns=3200000 "
    "explored_ns=329000 explored_again=1\n"
    "  used 2026-11-22\n";

TEST(TuneProfile, IsReadableText) { EXPECT_EQ(format_profile({some_entry()}), sealed(kLines)); }

TEST(TuneProfile, IsReadBack) {
  const auto profile = parse_profile(sealed(kLines));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, Profile{some_entry()});
}

// The expected lines of a_graph().
const char* const kGraphLines =
    "site 00ff5a 0x11d9 graph team=2 trip_bits=11 objective=time machine=0123456789abcdef "
    "structure=8b52f0e6c1a9d347\n"
    "  where solve(int)\n"
    "  state settled round=0\n"
    "  default alone threads=1 cost=51.25 low=50 high=53.5 samples=3\n"
    "  best SD(300)F(32) threads=2 cost=33.9 low=33 high=34.4 samples=8\n"
    "  tried none threads=2 cost=0 low=0 high=0 samples=0\n"
    "  counts executions=400 iterations=400000 settled_iterations=380000 total_ns=3200000 "
    "explored_ns=329000 explored_again=0\n"
    "  used 2026-11-22\n";

ProfileEntry a_graph() {
  ProfileEntry entry = some_entry();
  make_graph(entry);
  entry.binary = entry.hardware = {};
  entry.where = "solve(int)";
  entry.round = entry.explored_again = 0;
  entry.by_default = {{std::string(kAlone), 1, {}}, 51.25, 50, 53.5, 3};
  entry.best = {{"SD(300)F(32)", 2, {}}, 33.9, 33, 34.4, 8};
  entry.tried = {{{std::string(kNoPass), 2, {}}}};
  return entry;
}

TEST(TuneProfile, GraphsHaveAStructure) {
  EXPECT_EQ(format_profile({a_graph()}), sealed(kGraphLines, "2"));
  const auto both = parse_profile(sealed(std::string(kLines) + kGraphLines, "2"));
  ASSERT_TRUE(both) << both.error();
  EXPECT_EQ(*both, (Profile{a_graph(), some_entry()}));
}

// Older versions of Vicino read what has no graphs.
TEST(TuneProfile, TheSecondFormatIsForGraphsOnly) {
  const auto profile = parse_profile(sealed(kLines, "2"));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, Profile{some_entry()});
  EXPECT_EQ(format_profile(*profile), sealed(kLines, "1"));
}

TEST(TuneProfile, WrongStructuresAreRefused) {
  const auto error_of = [](const char* old, const char* now, const char* format = "2") {
    std::string lines = kGraphLines;
    const auto at = lines.find(old);
    EXPECT_NE(at, lines.npos) << old;
    const auto profile = parse_profile(sealed(lines.replace(at, strlen(old), now), format));
    return profile ? "none" : profile.error();
  };
  EXPECT_EQ(error_of("graph", "graph", "1"), "2: 'graph' is not a kind of site in format 1");
  EXPECT_EQ(error_of(" structure=8b52f0e6c1a9d347", ""), "2: '' is not structure=...");
  EXPECT_EQ(error_of("structure=8b52f0e6c1a9d347", "structure="),
            "2: '' is not a number of up to 128 hexadecimal digits");
  EXPECT_THAT(error_of("structure=8b52f0e6c1a9d347", "structure=cube"), HasSubstr("2: 'cube' is"));
  EXPECT_THAT(error_of("8b52f0e6c1a9d347", std::string(129, '0').c_str()), HasSubstr("is not a"));
  EXPECT_EQ(error_of("8b52f0e6c1a9d347", "8b more"), "2: 'more' is not known here");
  EXPECT_THAT(error_of(" graph", " loop"),
              HasSubstr("2: 'structure=8b52f0e6c1a9d347' is not known"));
  EXPECT_THAT(error_of(" graph", " graph_inner"), HasSubstr("is not known here"));
}

TEST(TuneProfile, NothingIsAnEmptyProfile) {
  ASSERT_TRUE(parse_profile(""));
  EXPECT_TRUE(parse_profile("")->empty());
  EXPECT_EQ(*parse_profile(format_profile({})), Profile());
}

std::string with(const std::string& old, const std::string& now) {
  std::string lines = kLines;
  const auto at = lines.find(old);
  EXPECT_NE(at, lines.npos) << old;
  return sealed(lines.replace(at, old.size(), now));
}

TEST(TuneProfile, SaysWhatIsWrongAndWhere) {
  const std::string good = sealed(kLines);
  const std::string nine_lines(9, '\n');
  const struct {
    std::string text;
    const char* says;
  } cases[] = {
      {"hello\n", "1: this is not a profile of vicino's"},
      {std::string("\177ELF\2\1\1\0\0", 9), "1: this is not a profile of vicino's"},
      {"vicino profile 3\nchecksum 0\n", "1: its format is 3, but 1 and 2 are those"},
      {"vicino profile x\n", "1: 'x' is not the number of a profile's format"},
      {good.substr(0, good.size() / 2), "it ends without a checksum: it was cut short"},
      {good.substr(0, good.size() - 1), "it ends without a checksum: it was cut short"},
      {good.substr(0, good.find("where")) + "W" + good.substr(good.find("where") + 1),
       "13: the checksum is not that of the lines before it"},
      {with("team=2", "team=0"), "2: '0' is not a positive whole number"},
      {with("team=2", "team=-2"), "2: '-2' is not a positive whole number"},
      {with("team=2", "team=4294967296"), "2: '4294967296' is not a positive whole number"},
      {with("team=2", "group=2"), "2: 'group=2' is not team=..."},
      {with("00ff5a", "00FF5A"), "2: '00FF5A' is not a number of up to 128 hexadecimal digits"},
      {with("0x11d9", "11d9"), "2: '11d9' is not an offset such as 0x1a2b"},
      {with("machine=0123456789abcdef", "machine=here"), "2: 'here' is not a number of up to"},
      {with("where ", "who "), "4: 'who' is not known here: binary, where"},
      {with("solver.c:120", "solver\033[2J"), "4: 'solver?[2J' is not a line of printable"},
      {with("hardware", "where"), "5: the site says this twice"},
      {with("settled round", "happy round"), "6: 'happy' is not warm_up, schedules"},
      {with("cost=51.25", "cost=nan"), "7: 'nan' is not a number from 0"},
      {with("cost=51.25", "cost=inf"), "7: 'inf' is not a number from 0"},
      {with("cost=51.25", "cost=-1"), "7: '-1' is not a number from 0"},
      {with("cost=51.25", "cost=1e999"), "7: '1e999' is not a number from 0"},
      {with("cost=51.25", "cost=51,25"), "7: '51,25' is not a number from 0"},
      {with("samples=3 beaten", "samples=3 lost"), "7: 'lost' is not known here"},
      {with("nodes=0,2", "nodes"), "8: 'nodes' is not of the form name=value"},
      {with("2026-11-22", "2026-02-30"), "12: '2026-02-30' is not a date such as"},
      {with("  used 2026-11-22\n", ""), "12: the site before this line lacks its state"},
      {with("  used 2026-11-22\n", "checksum 1\n  used 2026-11-22\n"),
       "12: lines come after the checksum"},
      {with("site ", "place "), "2: 'place' is not known here"},
      {sealed("  used 2026-11-22\n"), "2: a line of a site comes before any site"},
      {sealed(std::string(kLines) + kLines), "the site 00ff5a 4569 is there twice"},
      {sealed("site 0 0x0 " + std::string(300, 'k') +
              " team=1 trip_bits=1 objective=t machine=0\n"),
       "is not a word of printable characters"},
      {sealed(std::string(kLines) + "  tried " + std::string(kMostProfileLine, 'x') + "\n"),
       "13: the line is longer than 8192 bytes"},
      {std::string(kMostProfileBytes + 1, '\n'), "1: it has more than 16777216 bytes"},
  };
  for (const auto& [text, says] : cases) {
    const auto profile = parse_profile(text);
    ASSERT_FALSE(profile) << says;
    EXPECT_THAT(profile.error(), HasSubstr(says));
    EXPECT_THAT(profile.error(), testing::Not(HasSubstr("\033")));
    EXPECT_LT(profile.error().size(), 250u);
  }
}

TEST(TuneProfile, HasBounds) {
  std::string many = kLines;
  const std::string row = "  tried ich threads=1 cost=1 low=1 high=1 samples=1\n";
  for (std::size_t i = 2; i < kMostTried; ++i) many += row;
  EXPECT_TRUE(parse_profile(sealed(many)));
  EXPECT_THAT(parse_profile(sealed(many + row)).error(), HasSubstr("more than 64 configurations"));
}

TEST(TuneProfile, RoundsToFiveDigits) {
  EXPECT_EQ(rounded(51.2503999), 51.25);
  EXPECT_EQ(rounded(123456.7), 123460);
  EXPECT_EQ(rounded(0), 0);
  EXPECT_EQ(rounded(-1), 0);
  EXPECT_EQ(rounded(1e300 * 1e300), 0);
}

Profile together(Profile a, const Profile& b) {
  merge(a, b);
  return a;
}

TEST(TuneProfileMerge, AddsUpWhatWasSeen) {
  ProfileEntry a = some_entry(), b = a;
  b.executions = 11;
  b.iterations = 1'000;
  b.settled_iterations = UINT64_MAX;
  b.total_ns = 5;
  b.explored_ns = 6;
  b.explored_again = 0;
  b.used = a.used - 1;
  const Profile both = together({a}, {b});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].executions, 411u);
  EXPECT_EQ(both[0].iterations, 401'000u);
  EXPECT_EQ(both[0].settled_iterations, UINT64_MAX);
  EXPECT_EQ(both[0].total_ns, 3'200'005u);
  EXPECT_EQ(both[0].explored_ns, 329'006u);
  EXPECT_EQ(both[0].explored_again, 1u);
  EXPECT_EQ(both[0].used, a.used);
}

TEST(TuneProfileMerge, KeepsOtherSitesTeamsAndMachines) {
  Profile all;
  for (int i = 0; i < 9; ++i) {
    ProfileEntry other = some_entry();
    if (i == 1) other.key.object = "01";
    if (i == 2) other.key.offset = 1;
    if (i == 3) other.key.kind = "taskloop";
    if (i == 4) other.key.team = 3;
    if (i == 5) other.key.trip_bits = 12;
    if (i == 6) other.key.machine = "0123456789abcdee";
    if (i == 7) make_graph(other, "7");
    if (i == 8) make_graph(other, "8");
    merge(all, {other});
  }
  EXPECT_EQ(all.size(), 9u);
  merge(all, {all.begin(), all.end()});
  EXPECT_EQ(all.size(), 9u);
}

// An entry that knows better than some_entry(), for the reason that `change` makes, wins the merge.
template <class Change>
void expect_wins(Change change) {
  ProfileEntry plain = some_entry(), better = some_entry();
  plain.progress = Progress::kLeftAlone;
  better.progress = Progress::kLeftAlone;
  better.best.with.candidate = "better";
  change(plain, better);
  EXPECT_EQ(together({plain}, {better})[0].best.with.candidate, "better");
  EXPECT_EQ(together({better}, {plain})[0].best.with.candidate, "better");
}

TEST(TuneProfileMerge, WhoKnowsBetterWins) {
  expect_wins([](ProfileEntry& plain, ProfileEntry&) {  // at rest, with less of everything else
    plain.progress = Progress::kWidths;
    plain.round = 9;
    plain.tried[0].samples = 99;
  });
  expect_wins([](ProfileEntry& plain, ProfileEntry& better) {
    better.round = plain.round + 1;
    plain.tried[0].samples = 99;
  });
  expect_wins([](ProfileEntry& plain, ProfileEntry& better) {
    ++better.tried[1].samples;
    plain.best.with.candidate = "zzz";  // later in the text
    plain.used = better.used + 1;
    plain.executions = 9 * better.executions;
  });
}

// The last choice that was tried may be the default, which holds without a tuner.
TEST(TuneProfileMerge, WhoGoesOnWithTheDefaultKnowsBetter) {
  expect_wins([](ProfileEntry& plain, ProfileEntry& better) {
    plain.progress = better.progress = Progress::kWidths;
    plain.by_default.samples = 9;
    better.by_default.samples = 10;
    plain.best.with.candidate = "zzz";
  });
}

// A process that read a known entry adds its counts and removes nothing.
TEST(TuneProfileMerge, WhatIsKnownAlreadyStays) {
  ProfileEntry again = some_entry();
  again.executions = 1;
  const Profile both = together({some_entry()}, {again});
  EXPECT_EQ(both[0].best, some_entry().best);
  EXPECT_EQ(both[0].tried, some_entry().tried);
}

TEST(TuneProfileMerge, TheOrderMakesNoDifference) {
  std::mt19937 random(20261122);
  for (int round = 0; round < 3000; ++round) {
    const Profile a = random_profile(random), b = random_profile(random),
                  c = random_profile(random);
    ASSERT_EQ(together(a, b), together(b, a));
    ASSERT_EQ(together(together(a, b), c), together(a, together(b, c)));
    ASSERT_EQ(together(a, {}), a);
  }
}

TEST(TuneProfileMerge, BeyondTheBoundTheOldestGo) {
  Profile many;
  for (uint64_t i = 0; i < kMostProfileEntries; ++i) many.push_back(some_entry(i));
  many[7].used -= 1;
  many[7].executions = 1'000'000;
  many[8].executions -= 1;
  ProfileEntry one_more = some_entry(kMostProfileEntries);
  const auto has = [&](uint64_t offset) {
    return std::ranges::any_of(many, [&](const auto& e) { return e.key.offset == offset; });
  };
  merge(many, {one_more});
  EXPECT_EQ(many.size(), kMostProfileEntries);
  EXPECT_FALSE(has(7));
  EXPECT_TRUE(has(8));
  merge(many, {some_entry(kMostProfileEntries + 1)});
  EXPECT_FALSE(has(8));
  EXPECT_TRUE(has(kMostProfileEntries + 1));
  EXPECT_TRUE(parse_profile(format_profile(many)));
}

TEST(TuneProfileMerge, NeverMoreBytesThanAreRead) {
  Profile long_ones;
  for (uint64_t i = 0; i < kMostProfileEntries; ++i) {
    long_ones.push_back(some_entry(i));
    long_ones.back().binary = std::string(2000, 'b');
  }
  merge(long_ones, {some_entry(kMostProfileEntries)});
  EXPECT_LT(long_ones.size(), kMostProfileEntries);
  EXPECT_GT(long_ones.size(), kMostProfileEntries / 4);
  const auto read = parse_profile(format_profile(long_ones));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, long_ones);
}

TEST(TuneProfilePrune, TakesOutWhatItIsToldTo) {
  ProfileEntry old = some_entry(1), rare = some_entry(2), other = some_entry(3);
  old.used -= 10;
  rare.executions = 5;
  other.key.machine = "ee";
  const Profile all = profile_of({some_entry(0), old, rare, other});
  const auto left = [&](const Pruning& pruning) {
    Profile profile = all;
    const std::size_t removed = prune(profile, pruning);
    EXPECT_EQ(removed, all.size() - profile.size());
    std::string offsets;
    for (const auto& entry : profile) offsets += std::to_string(entry.key.offset);
    return offsets;
  };
  const Day day = old.used;
  EXPECT_EQ(left({}), "0123");
  EXPECT_EQ(left({.min_executions = 6, .used_since = {}, .machine = ""}), "013");
  EXPECT_EQ(left({.min_executions = 0, .used_since = day + 1, .machine = ""}), "023");
  EXPECT_EQ(left({.min_executions = 0, .used_since = day, .machine = ""}), "0123");
  EXPECT_EQ(left({.min_executions = 0, .used_since = {}, .machine = all[0].key.machine}), "012");
}

TEST(TuneExplanation, GivesTheReason) {
  const auto of = [](Progress progress, bool remembered = false) {
    ProfileEntry entry = some_entry();
    entry.progress = progress;
    return reason({entry, remembered});
  };
  const std::string best = "mixed,f=0.75,chunk=8 on 1 thread, nodes=0,2, steal=full";
  EXPECT_EQ(of(Progress::kSettled), best + ": 33.9 us against 51.3 us for static on 2 threads");
  EXPECT_EQ(of(Progress::kSettled, true),
            best + ", as the profile has it: 33.9 us against 51.3 us for static on 2 threads");
  EXPECT_EQ(of(Progress::kSchedules), "so far " + best + "; it still tries schedules");
  EXPECT_EQ(of(Progress::kWidths), "so far " + best + "; it still tries numbers of threads");
  EXPECT_EQ(of(Progress::kLeftAlone),
            "left as it is, static on 2 threads: 51.3 us is too short to gain anything");
}

TEST(TuneExplanation, OfAGraph) {
  ProfileEntry graph = a_graph();
  std::string told = explanation(std::array{Explained{graph}});
  EXPECT_THAT(told, StartsWith("solve(int), task graph, team of 2, timed 400 times, 1000 tasks\n"
                               "  SD(300)F(32) on 2 threads: 33.9 us against 51.3 us for alone on "
                               "1 thread\n"
                               "  coarse string  threads samples       time  between\n"
                               "  none                 2       0          -  not tried yet\n"));
  graph.progress = Progress::kSchedules;
  EXPECT_EQ(reason({graph}), "so far SD(300)F(32) on 2 threads; it still tries coarse strings");
  graph.executions = 0;
  told = explanation(std::array{Explained{graph}});
  EXPECT_THAT(told, HasSubstr(", timed 0 times, 1024 to 2047 tasks\n"));
}

TEST(TuneExplanation, SaysWhatDidNotComeToItsEnd) {
  ProfileEntry entry = some_entry();
  entry.progress = Progress::kLeftAlone;
  entry.by_default = {{"static", 2, {}}};
  entry.tried.clear();
  EXPECT_THAT(reason({entry}), EndsWith(": too few of its executions came to their end"));
  entry.executions = entry.iterations = entry.explored_again = 0;
  const std::string told = explanation(std::array{Explained{entry}});
  EXPECT_THAT(told, StartsWith("solver.c:120, team of 2, timed 0 times, 1024 to 2047 iterations\n"
                               "  left as it is, static on 2 threads: none of its executions came "
                               "to its end\n"));
}

TEST(TuneExplanation, TheMostCostlyComesFirst) {
  ProfileEntry a = some_entry(1), b = a, c = a;
  a.total_ns = 9;
  b.where = "solver.c:7";
  std::vector<Explained> sites{{a}, {c}, {b}};
  std::ranges::sort(sites, is_told_before);
  EXPECT_EQ(sites[0].entry.where, "solver.c:7");
  EXPECT_EQ(sites[1].entry, c);
  EXPECT_EQ(sites[2].entry, a);
}

TEST(TuneExplanation, SaysWhichOtherLengthAChoiceComesFrom) {
  ProfileEntry entry = some_entry();
  entry.best.with.more = {std::string(kLikeHalf)};
  EXPECT_EQ(reason({entry}),
            "mixed,f=0.75,chunk=8 on 1 thread, as for loops of half the length: "
            "33.9 us against 51.3 us for static on 2 threads");
  entry.best.with = entry.by_default.with;
  entry.best.with.more = {std::string(kLikeTwice)};
  EXPECT_EQ(reason({entry}),
            "static on 2 threads, as for loops of twice the length: nothing that "
            "was tried is clearly better");
}

TEST(TuneExplanation, AddsUp) {
  const Explained sites[] = {{some_entry(1)}, {some_entry(2)}};
  const std::string told = explanation(sites);
  EXPECT_THAT(told, StartsWith("solver.c:120, team of 2, timed 400 times, 1000 iterations\n"));
  EXPECT_THAT(told, HasSubstr("\n  its time changed, so it was explored again: 1 time\n"));
  EXPECT_THAT(told, HasSubstr("\n  static               2       3    51.3 us  50 us to 53.5 us"
                              "  beaten\n"));
  // 2 * (51.25 - 33.9) * 380000 ns
  EXPECT_THAT(told, EndsWith("all that was timed: 6.4 ms, of which trying cost 658 us (10.3 %); "
                             "about 13.2 ms saved\n"));
}

}  // namespace
}  // namespace vicino::tune
