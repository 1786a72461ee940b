// report_page.hpp: pages of made-up programs.
#include "report_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "html.hpp"
#include "report_timeline.hpp"

namespace vicino::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

size_t occurrences(std::string_view text, std::string_view of) {
  size_t count = 0;
  for (size_t at = text.find(of); at != text.npos; at = text.find(of, at + 1)) ++count;
  return count;
}

constexpr size_t index_of(Doing doing) { return static_cast<size_t>(doing); }

// Of a millisecond: the first half at work, the second polling; a region and a loop.
Summary made(size_t threads, size_t parts = 100) {
  constexpr uint64_t kPart = 10'000;
  Summary summary;
  summary.file.program = "app";
  summary.begin = 1;
  summary.end = 1 + parts * kPart;
  summary.cpus = summary.team = static_cast<int>(threads);
  summary.events = 1'234'567;
  for (size_t i = 0; i < threads; ++i) {
    TracedThread thread;
    thread.name = (i == 0 ? "thread " : "worker ") + std::to_string(i) + " (12" +
                  std::to_string(i) + "), CPU " + std::to_string(i);
    thread.node = "node " + std::to_string(i / 8);
    thread.package = "package " + std::to_string(i / 16);
    thread.ns[index_of(Doing::kUseful)] = thread.ns[index_of(Doing::kPolling)] = parts * kPart / 2;
    thread.chunks = 3;
    summary.threads.push_back(thread);
    TimelineRow row;
    row.parts.resize(parts);
    for (size_t at = 0; at < parts; ++at)
      row.parts[at][index_of(at < parts / 2 ? Doing::kUseful : Doing::kPolling)] = kPart;
    summary.timeline.push_back(row);
  }
  for (const char* kind : {"region", "dynamic loop"}) {
    TracedConstruct construct;
    construct.kind = kind;
    construct.place = "solve()+0x1c";
    construct.executions = 5;
    construct.team = static_cast<int>(threads);
    for (uint64_t ns : {1'000, 2'000, 200'000}) construct.lengths.add(ns);
    construct.by_thread.assign(threads, 400'000);
    construct.lost = {.useful = 500, .imbalance = 300, .scheduling = 200, .serial = 0};
    summary.constructs.push_back(construct);
  }
  for (int i = 0; i < 900; ++i) summary.constructs[1].pieces.add(700);
  summary.lost = {.useful = 500, .imbalance = 300, .scheduling = 100, .serial = 100};
  return summary;
}

std::string page_of(const Summary& summary) { return report_page(summary, {}); }

TEST(Html, EscapesWhatTagsAndAttributesAreMadeOf) {
  EXPECT_EQ(in_html("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(in_html("größe → 日本 🙂"), "größe → 日本 🙂");
  const std::string unknown = "\xef\xbf\xbd";
  EXPECT_EQ(in_html(std::string_view("\0\x1b\x7f", 3)), unknown + unknown + unknown);
  for (const std::string_view bad : {"\xc3", "\xc0", "\xff", "\x80", "\xc2", "\xf5"})
    EXPECT_EQ(in_html(std::string(bad) + "a"), unknown + "a");
  // Each has two or more bytes that are no sequence: overlong ones, a surrogate, beyond the last character.
  for (const std::string_view bad : {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                     "\xf0\x80\x80\x80", "\xc2\x85"})
    EXPECT_THAT(in_html(bad), AllOf(HasSubstr(unknown), Not(HasSubstr(bad))));
  EXPECT_EQ(in_html("\n\t"), "\n\t");
}

TEST(Html, CountsHaveCommas) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
}

TEST(ReportPage, HasAllSections) {
  Summary summary = made(4);
  summary.choices = {{.ns = 5'000, .place = "solve()+0x1c", .schedule = "static", .threads = 4},
                     {.ns = 9'000, .place = "solve()+0x1c", .schedule = "static", .threads = 4},
                     {.ns = 90'000, .place = "solve()+0x1c", .schedule = "nich", .threads = 2}};
  summary.steals[{1, 0}] = 12;
  summary.steals_by_distance["node"] = 12;
  summary.pages = {"8 MiB moved to node 1"};
  const std::string page = report_page(
      summary,
      {{Disease::kImbalance, 0.3, "Threads wait", "Cut it", "vicino run --schedule nich -- app"},
       {Disease::kLock, 0.2, "Threads wait for a lock", "Do less", ""}});
  for (const char* id :
       {"also", "efficiency", "threads", "time", "work", "tuner", "steals", "pages"}) {
    EXPECT_EQ(occurrences(page, std::string("id=\"") + id + '"'), 1u) << id;
    EXPECT_EQ(occurrences(page, std::string("href=\"#") + id + '"'), 1u) << id;
  }
  EXPECT_THAT(page, HasSubstr("1,234,567 events"));
  EXPECT_THAT(page, HasSubstr("<code>vicino run --schedule nich -- app</code>"));
  EXPECT_EQ(occurrences(page, "class=\"copy\""), 1u);
  EXPECT_THAT(page, HasSubstr("Threads wait for a lock"));
  // The second choice is the first one again.
  EXPECT_EQ(occurrences(page, "<b>static</b>"), 1u);
  EXPECT_THAT(page, HasSubstr("<b>nich</b> 2 threads"));
  EXPECT_THAT(page, HasSubstr("same node"));
  EXPECT_THAT(page, HasSubstr("8 MiB moved to node 1"));
  EXPECT_THAT(page, Not(HasSubstr("dropped")));
}

TEST(ReportPage, SectionsWithoutAnythingToTellAreLeftOut) {
  const std::string page = page_of(made(1));
  for (const char* id : {"also", "tuner", "steals", "pages"})
    EXPECT_THAT(page, Not(HasSubstr(std::string("id=\"") + id + '"')));
  EXPECT_EQ(occurrences(page, "class=\"row\""), 1u);
  EXPECT_THAT(page, HasSubstr("Nothing stands out"));
}

TEST(ReportPage, AnEmptyTraceIsSaidToBeEmpty) {
  const std::string page = page_of({});
  EXPECT_THAT(page, HasSubstr("The trace has no events"));
  EXPECT_THAT(page, Not(HasSubstr("<section")));
}

TEST(ReportPage, SaysWhatIsMissing) {
  Summary summary = made(2);
  summary.dropped = 4321;
  summary.file.is_cut_off = true;
  const std::string page = page_of(summary);
  EXPECT_THAT(page, HasSubstr("4,321 events were dropped"));
  EXPECT_THAT(page, HasSubstr("The trace is cut off"));
  EXPECT_LT(page.find("The trace is cut off"), page.find("Verdict"));
}

TEST(ReportPage, EscapesAllTexts) {
  const std::string bad = "</code><script>'\"&x";
  Summary summary = made(2);
  summary.file.program = bad;
  for (TracedThread& thread : summary.threads) thread.name = thread.node = thread.package = bad;
  for (TracedConstruct& construct : summary.constructs) construct.place = construct.kind = bad;
  summary.choices = {{.ns = 1, .place = bad, .schedule = bad, .threads = 2}};
  summary.pages = {bad};
  summary.steals[{0, 1}] = 1;
  summary.steals_by_distance[bad] = summary.steals_by_distance["node"] = 1;
  const std::string page = report_page(
      summary, {{Disease::kLock, 0.5, bad, bad, bad}, {Disease::kLock, 0.2, bad, bad, bad}});
  EXPECT_THAT(page, Not(HasSubstr(bad)));
  EXPECT_THAT(page, Not(HasSubstr("&x")));
  EXPECT_GT(occurrences(page, in_html(bad)), 15u);
  EXPECT_EQ(occurrences(page, "<script"), 2u);
}

TEST(ReportPage, ThreadsAreGroupedAndInTheOrderOfTheirNumbers) {
  Summary summary = made(12);
  std::swap(summary.threads[2], summary.threads[11]);
  std::swap(summary.threads[1], summary.threads[10]);
  const auto groups = groups_of(summary);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].node, "node 0");
  EXPECT_THAT(groups[0].threads, ElementsAre(0, 10, 11, 3, 4, 5, 6, 7));
  EXPECT_THAT(groups[1].threads, ElementsAre(8, 9, 1, 2));
  EXPECT_EQ(short_name(summary.threads[3]), "worker 3, CPU 3");
}

TEST(Timeline, ARowIsRectanglesAsLongAsNothingChanges) {
  const std::string text = timeline(made(1), groups_of(made(1)));
  EXPECT_THAT(text, HasSubstr("<path class=\"d2\" d=\"M0 0h50v16h-50z\"/>"));
  EXPECT_THAT(text, HasSubstr("<path class=\"d4\" d=\"M50 0h50v16h-50z\"/>"));
  EXPECT_THAT(text, HasSubstr("viewBox=\"0 0 100.000 16\""));
  EXPECT_THAT(text, HasSubstr("\"rows\":[\n\"C50E50\"]"));
  EXPECT_THAT(text, HasSubstr("50 % working, 50 % polling"));
}

TEST(Timeline, SharesOfAPartLieOnOneAnother) {
  Summary summary = made(1, 4);
  summary.timeline[0].parts.assign(4, {});
  for (Doings& part : summary.timeline[0].parts)
    part[index_of(Doing::kUseful)] = 2'500, part[index_of(Doing::kAsleep)] = 7'500;
  summary.timeline[0].parts[3] = {};  // no thread
  const std::string text = timeline(summary, groups_of(summary));
  EXPECT_THAT(text, HasSubstr("<path class=\"d2\" d=\"M0 12h3v4h-3z\"/>"));
  EXPECT_THAT(text, HasSubstr("<path class=\"d5\" d=\"M0 0h3v12h-3z\"/>"));
  EXPECT_THAT(text, HasSubstr("\"cQF3H\""));  // 16 of 64, three times, and nothing
}

// 64 threads in which nothing repeats itself, which is the largest page that there is but for more rows.
TEST(ReportPage, StaysBelowTwoMegabytes) {
  for (const size_t threads : {64, 400}) {
    Summary summary = made(threads, 2400);
    std::mt19937 random(1);
    for (TimelineRow& row : summary.timeline) {
      for (Doings& part : row.parts) {
        uint64_t left = 10'000;
        for (uint64_t& its : part) {
          its = random() % (left + 1);
          left -= its;
        }
      }
    }
    for (size_t thief = 0; thief < threads; ++thief)
      for (size_t victim = 0; victim < threads; ++victim)
        summary.steals[{thief, victim}] = random();
    summary.steals_by_distance["node"] = 1;
    for (int i = 0; i < 1000; ++i) {
      summary.constructs.push_back(summary.constructs[1]);
      summary.choices.push_back(
          {.ns = 1, .place = std::to_string(i % 99), .schedule = std::to_string(i), .threads = 1});
      summary.pages.push_back("moved");
    }
    const std::string page = page_of(summary);
    EXPECT_LT(page.size(), 2'000'000u) << threads;
    EXPECT_EQ(occurrences(page, "class=\"row\""), std::min(threads, kMostRows));
    EXPECT_EQ(occurrences(page, "more threads are not shown"), threads > kMostRows ? 2u : 0u);
  }
}

}  // namespace
}  // namespace vicino::cli
