// A loop that two real threads ran is run again under plat/sim, with the recorded times of
// iterations and of coming to the loop, and atomics that cost nothing: the members take the same
// chunks.
//
// Two claims whose times overlap may have come in either order: such a recording is thrown away, and
// another is made.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "loop/static_fraction.hpp"
#include "loop_run.hpp"

namespace cluster {
namespace {

using namespace vicino::loop;  // NOLINT: a test

constexpr uint32_t kMembers = 2;
constexpr Time kSecond = 1'000'000'000 * kNanosecond;
using Ranges = std::array<std::vector<Range>, kMembers>;

std::string shown(const Ranges& ranges) {
  std::string text;
  for (const auto& mine : ranges) {
    for (const Range& range : mine)
      text += '[' + std::to_string(range.begin) + ',' + std::to_string(range.end) + ") ";
    text += '\n';
  }
  return text;
}

struct Interval {
  uint64_t before, after;
};

struct Recording {
  double fraction = -1, learned = -1;
  std::array<std::vector<Interval>, kMembers> claims;
  Ranges ranges;
  std::vector<uint64_t> ns;  // by iteration

  bool is_clear() const {
    constexpr uint64_t kLongest = 20'000;  // a thread that lost its core within a claim
    for (const auto& mine : claims)
      for (const Interval& claim : mine)
        if (claim.after - claim.before > kLongest) return false;
    for (const Interval& a : claims[0])
      for (const Interval& b : claims[1])
        if (a.before <= b.after && b.before <= a.after) return false;
    return true;
  }
};

// One recording for each execution.
std::vector<Recording> record(const std::string& schedule, int chunk, int executions) {
  const std::string command = std::string(VICINO_RECORD) + " " + schedule + " " +
                              std::to_string(chunk) + " " + std::to_string(executions);
  std::vector<Recording> all;
  FILE* output = popen(command.c_str(), "r");
  EXPECT_NE(output, nullptr) << command;
  if (output == nullptr) return all;
  char line[200];
  while (std::fgets(line, sizeof line, output) != nullptr) {
    uint32_t member;
    unsigned long a, b, begin, end;
    double fraction;
    if (std::sscanf(line, "execution %lf", &fraction) == 1) {
      all.emplace_back().fraction = fraction;
    } else if (std::sscanf(line, "claim %u %lu %lu %lu %lu", &member, &a, &b, &begin, &end) == 5) {
      all.back().claims[member].push_back({a, b});
      if (begin != end) all.back().ranges[member].push_back({begin, end});
    } else if (std::sscanf(line, "iteration %lu %lu", &a, &b) == 2) {
      auto& ns = all.back().ns;
      ns.resize(std::max<size_t>(ns.size(), a + 1));
      ns[a] = b;
    } else if (std::sscanf(line, "learned %lf", &fraction) == 1) {
      all.back().learned = fraction;
    } else {
      ADD_FAILURE() << "not understood: " << line;
    }
  }
  EXPECT_EQ(pclose(output), 0) << command;
  return all;
}

class Replay {
 public:
  Replay(const std::string& schedule, int chunk)
      : row_(*find(schedule)),
        team_(kMembers, vicino::sim::Costs::none()),
        run_(team_),
        words_(row_.history_words(kMembers)) {
    plan_.chunk = chunk;
    plan_.values = fallbacks(row_.parameters);
    plan_.history = words_;
    plan_.shape = &shape_;
  }

  Ranges run(const Recording& recording) {
    plan_.trip = recording.ns.size();
    // The fraction that was learned natively, so that chunks are compared chunk by chunk; what is
    // learned from them is compared by itself.
    if (recording.fraction >= 0) plan_.fraction = recording.fraction;
    std::array<Time, kMembers> begins;
    begins.fill(++executions_ * kSecond);
    begins[1] +=
        (recording.claims[1].front().before - recording.claims[0].front().before) * kNanosecond;
    Ranges ranges;
    run_(row_, plan_, begins, 1, [&](Range range) {
      ranges[team_.member()].push_back(range);
      for (uint64_t i = range.begin; i < range.end; ++i) team_.work(recording.ns[i] * kNanosecond);
    });
    return ranges;
  }

  double learned() { return StaticFraction::predicted(plan_.history, StaticFraction::kModel); }

 private:
  const vicino::loop::Row& row_;
  vicino::sim::Team team_;
  LoopRun run_;
  std::vector<vicino::plat::atomic<uint64_t>> words_;
  // As record.cpp has it.
  const std::array<Spot, kMembers> spots_ = {Spot{0, 0, 0}, Spot{1, 0, 0}};
  const Shape shape_{spots_, [](int, int) { return 0u; }};
  Plan plan_;
  Time executions_ = 0;
};

struct Case {
  const char* schedule;
  int chunk, executions;
};

class SimReplay : public testing::TestWithParam<Case> {};

TEST_P(SimReplay, TakesTheSameChunks) {
  const Case& c = GetParam();
  constexpr int kAttempts = 40;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::vector<Recording> recordings = record(c.schedule, c.chunk, c.executions);
    ASSERT_EQ(recordings.size(), static_cast<size_t>(c.executions));
    if (!std::ranges::all_of(recordings, &Recording::is_clear)) continue;
    Replay replay(c.schedule, c.chunk);
    for (const Recording& recording : recordings) {
      EXPECT_EQ(shown(replay.run(recording)), shown(recording.ranges));
      if (recording.learned < 0) continue;
      EXPECT_NEAR(replay.learned(), recording.learned, 0.005);
    }
    return;
  }
  FAIL() << "in " << kAttempts
         << " recordings two claims fell together, or a thread lost its core in one";
}

INSTANTIATE_TEST_SUITE_P(, SimReplay,
                         testing::Values(Case{"static", 0, 1}, Case{"static_chunked", 5, 1},
                                         Case{"dynamic", 1, 1}, Case{"dynamic_shared", 1, 1},
                                         Case{"guided", 0, 1}, Case{"mixed", 2, 4},
                                         Case{"staggered", 0, 4}, Case{"vsched", 0, 4}),
                         [](const auto& each) { return std::string(each.param.schedule); });

}  // namespace
}  // namespace cluster
