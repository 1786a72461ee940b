// compare_page.hpp: pages of made-up measurements.
#include "compare_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html.hpp"

namespace vicino::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t occurrences(std::string_view text, std::string_view of) {
  size_t count = 0;
  for (size_t at = text.find(of); at != text.npos; at = text.find(of, at + 1)) ++count;
  return count;
}

Side side(std::string name, const std::vector<double>& times) {
  Side made{.name = std::move(name),
            .forced = {},
            .environment = {},
            .runtimes = {"lib<a>.so"},
            .samples = {}};
  for (const double time : times)
    made.samples.push_back({.wall = time, .user = time, .system = 0, .metric = {}, .walls = {}});
  return made;
}

std::string page_of(const std::vector<double>& base, const std::vector<double>& vicino) {
  Plan plan;
  plan.program = {"/a/app", "<x>"};
  return compare_page(Measurement(plan, side("own <runtime>", base), side("Vicino", vicino)));
}

TEST(ComparePage, HasAPointForEachPairAndRunAndTheVerdict) {
  const std::vector<double> slow(8, 2.0), fast(8, 1.0);
  const std::string page = page_of(slow, fast);
  EXPECT_EQ(occurrences(page, "<circle"), 8u + 16u + 1u);  // one is of a pattern
  EXPECT_THAT(page, HasSubstr("Vicino is 2.00x faster"));
  EXPECT_THAT(page, HasSubstr("class=\"interval\""));
  EXPECT_THAT(page, HasSubstr("from 2 to 2; the estimate is 2"));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, Not(HasSubstr("inf")));
}

TEST(ComparePage, FewPairsHaveNoIntervalAndNoneHasNoPlot) {
  const std::string few = page_of({1, 1}, {1, 1.5});
  EXPECT_THAT(few, HasSubstr("2 pairs are too few"));
  EXPECT_THAT(few, Not(HasSubstr("class=\"interval\"")));
  const std::string none = page_of({}, {});
  EXPECT_THAT(none, HasSubstr("No pair was completed"));
  EXPECT_THAT(none, Not(HasSubstr("class=\"plotted\"")));
}

TEST(ComparePage, EscapesNames) {
  const std::string page = page_of({1, 1}, {1, 1});
  EXPECT_THAT(page, HasSubstr("/a/app &lt;x&gt;"));
  for (const char* bad : {"<x>", "<runtime>", "lib<a>"}) EXPECT_THAT(page, Not(HasSubstr(bad)));
}

}  // namespace
}  // namespace vicino::cli
