// iCh and NiCh step by step, compared with sequences worked out by hand (traces/*.trace).
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "loop/registry.hpp"

namespace vicino::loop {
namespace {

namespace fs = std::filesystem;

struct Loop {
  Loop(const Row& its_row, uint32_t members, uint64_t trip)
      : row(its_row), lanes(members), cursors(members) {
    Plan plan;
    plan.trip = trip;
    plan.members = members;
    plan.lanes = lanes;
    plan.values = fallbacks(row.parameters);
    // The number of iterations in a microsecond would depend on the machine; d is as in the papers.
    for (const auto& [name, value] :
         {std::pair("grain", 0.0), std::pair("first", 1.0 * members), std::pair("d_min", 1.0)}) {
      const auto at = std::ranges::find(row.parameters, name, &Parameter::name);
      plan.values[static_cast<size_t>(at - row.parameters.begin())] = value;
    }
    row.start(shared, plan);
    for (uint32_t m = 0; m < members; ++m) {
      cursors[m].member = m;
      row.enter(shared, plan, cursors[m]);
    }
  }
  Range next(uint32_t member) { return row.next(shared, cursors[member]); }
  // NiCh's lane is the first one of the group; these groups have two members.
  Lane& lane_of(uint32_t member) { return lanes[row.name == "nich" ? member / 2 * 2 : member]; }

  const Row& row;
  alignas(kLinePair) std::byte shared[kSharedSize];
  std::vector<Lane> lanes;
  std::vector<Cursor> cursors;
};

std::unique_ptr<Loop> loop_of(const std::string& line) {
  char name[32];
  unsigned members;
  unsigned long trip;
  EXPECT_EQ(std::sscanf(line.c_str(), "loop %31s members %u trip %lu", name, &members, &trip), 3);
  return std::make_unique<Loop>(*find(name), members, trip);
}

void follow(Loop& loop, const std::string& line) {
  SCOPED_TRACE(line);
  unsigned member;
  unsigned long begin, end, d, k;
  const int read =
      std::sscanf(line.c_str(), "%u takes %lu-%lu, d %lu k %lu", &member, &begin, &end, &d, &k);
  if (read == 5) {
    EXPECT_EQ(loop.next(member), (Range{begin, end}));
    EXPECT_EQ(loop.lane_of(member).d.load(), d);
    EXPECT_EQ(loop.lane_of(member).k.load(), k);
  } else {
    ASSERT_EQ(read, 1);
    ASSERT_NE(line.find(" ends"), std::string::npos);
    EXPECT_TRUE(loop.next(member).empty());
  }
}

TEST(LoopTraces, AreFollowed) {
  int traces = 0;
  for (const auto& file : fs::directory_iterator(VICINO_TRACES)) {
    SCOPED_TRACE(file.path().filename());
    ++traces;
    std::ifstream lines(file.path());
    std::unique_ptr<Loop> loop;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) continue;
      if (line.starts_with("loop"))
        loop = loop_of(line);
      else
        follow(*loop, line);
    }
  }
  EXPECT_GE(traces, 3);
}

}  // namespace
}  // namespace vicino::loop
