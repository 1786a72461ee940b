// The table itself, and the texts that are made from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "config/table.hpp"

namespace vicino::config {
namespace {

using testing::HasSubstr;

TEST(ConfigTable, EveryVariableHasOnePlace) {
  std::set<std::string_view> seen;
  for (const Row& row : rows())
    for (const Source& source : row.used())
      // KMP_AFFINITY gives a policy and places, which are two settings.
      EXPECT_TRUE(seen.insert(source.variable).second || source.variable == "KMP_AFFINITY")
          << source.variable;
  for (const WithoutEffect& ignored : variables_without_effect())
    EXPECT_TRUE(seen.insert(ignored.variable()).second) << ignored.variable();
}

TEST(ConfigTable, EveryRowIsComplete) {
  for (const Row& row : rows()) {
    ASSERT_FALSE(row.used().empty()) << row.name;
    EXPECT_EQ(row.name, row.used()[0].variable);
    EXPECT_FALSE(row.unset.empty()) << row.name;
    EXPECT_TRUE(row.help.ends_with('.')) << row.name;
    EXPECT_NE(row.show, nullptr);
    for (const Source& source : row.used()) EXPECT_FALSE(source.accepted().empty());
  }
}

int strength(std::string_view variable) {
  if (variable.starts_with("VICINO_")) return 3;
  if (variable.starts_with("OMP_")) return 2;
  return variable.starts_with("KMP_") ? 1 : 0;
}

TEST(ConfigTable, SourcesStandStrongestFirst) {
  for (const Row& row : rows())
    for (std::size_t i = 1; i < row.used().size(); ++i)
      EXPECT_GE(strength(row.used()[i - 1].variable), strength(row.used()[i].variable)) << row.name;
}

TEST(ConfigHelp, NamesEveryRowAndFitsATerminal) {
  const std::string help = "\n" + settings_help();
  for (const Row& row : rows()) EXPECT_THAT(help, HasSubstr("\n" + std::string(row.name)));
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(ConfigHelp, ThePageInDocsIsFresh) {
  std::ostringstream page;
  page << std::ifstream(VICINO_MACHINES "/../../docs/reference/settings.md").rdbuf();
  EXPECT_TRUE(page.str() == settings_markdown())
      << "stale: vicino settings --markdown > docs/reference/settings.md";
}

}  // namespace
}  // namespace vicino::config
