// strips: which thread gets which iterations under each schedule of the registry, as JSON for a picture
// (scripts/pictures). The schedules' own sources run under virtual time (plat/sim), so the chunks are the
// same on every machine.
//
// The loop has 240 iterations, each a little longer than the one before. Threads 0 and 1 are on one node,
// 2 and 3 on another; thread 3 has half the speed of the others. The loop is executed four times, and the
// last execution is printed: schedules that learn have learned.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "loop/registry.hpp"
#include "loop_run.hpp"

namespace {

using cluster::LoopRun;
using vicino::sim::kNanosecond;
using vicino::sim::Team;
using vicino::sim::Time;

constexpr uint32_t kThreads = 4, kSlow = 3, kExecutions = 4;
constexpr uint64_t kTrip = 240, kSeed = 1;
// An iteration takes 1 to 3 us: much longer than a claim, and the whole loop is not too uneven for
// blocks.
constexpr Time kLeast = 1000 * kNanosecond, kMore = 2000 * kNanosecond;
constexpr Time kApart = 1'000'000'000 * kNanosecond;  // the executions

struct Chunk {
  uint32_t thread;
  vicino::loop::Range range;
};

std::vector<Chunk> chunks_of(const vicino::loop::Row& row, Time& took) {
  Team team(kThreads, vicino::sim::Costs{.cores_per_package = kThreads / 2});
  LoopRun run(team);
  const std::vector<vicino::loop::Spot> spots{{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
  const vicino::loop::Shape shape(spots, [](int a, int b) { return a == b ? 10u : 20u; });
  std::vector<vicino::plat::atomic<uint64_t>> words(row.history_words(kThreads));
  vicino::loop::Plan plan;
  plan.trip = kTrip;
  plan.values = vicino::loop::by_default(row).values;
  plan.shape = &shape;
  plan.history = words;
  std::vector<Chunk> chunks;
  for (uint32_t execution = 1; execution <= kExecutions; ++execution) {
    chunks.clear();
    const Time begin = execution * kApart;
    run(row, plan, std::vector<Time>(kThreads, begin), kSeed, [&](vicino::loop::Range range) {
      chunks.push_back({team.member(), range});
      for (uint64_t i = range.begin; i < range.end; ++i)
        team.work((kLeast + kMore * i / kTrip) * (team.member() == kSlow ? 2 : 1));
    });
    took = team.last_end() - begin;
  }
  std::ranges::sort(chunks, {}, [](const Chunk& chunk) { return chunk.range.begin; });
  return chunks;
}

}  // namespace

int main() {
  Time ideal = 0;
  for (uint64_t i = 0; i < kTrip; ++i) ideal += kLeast + kMore * i / kTrip;
  ideal = ideal * 2 / (2 * kThreads - 1);
  std::printf("{\"threads\": %u, \"iterations\": %llu, \"executions\": %u, \"schedules\": [",
              kThreads, static_cast<unsigned long long>(kTrip), kExecutions);
  const char* comma = "";
  for (const vicino::loop::Row& row : vicino::loop::registry()) {
    Time took = 0;
    const std::vector<Chunk> chunks = chunks_of(row, took);
    std::printf("%s\n {\"name\": \"%.*s\", \"over_ideal\": %.3f, \"chunks\": [", comma,
                static_cast<int>(row.name.size()), row.name.data(),
                static_cast<double>(took) / static_cast<double>(ideal));
    comma = ",";
    const char* between = "";
    for (const Chunk& chunk : chunks) {
      std::printf("%s[%u, %llu, %llu]", between, chunk.thread,
                  static_cast<unsigned long long>(chunk.range.begin),
                  static_cast<unsigned long long>(chunk.range.end));
      between = ", ";
    }
    std::printf("]}");
  }
  std::puts("]}");
}
