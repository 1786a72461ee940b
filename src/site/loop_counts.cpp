#include "site/loop_counts.hpp"

#include <algorithm>
#include <tuple>

#include "base/natural.hpp"
#include "base/quote.hpp"
#include "site/code.hpp"

namespace vicino::site {
namespace {

// Relaxed, as all of LoopCounts (loop_record.hpp).
unsigned long long value(const plat::atomic<uint64_t>& count) noexcept {
  return count.load(std::memory_order_relaxed);
}

struct Column {
  const char* name;
  unsigned long long (*of)(const LoopCounts&);
};
constexpr Column kColumns[] = {
    {"loops", [](const LoopCounts& c) { return value(c.loops); }},
    {"iterations", [](const LoopCounts& c) { return value(c.iterations); }},
    {"chunks", [](const LoopCounts& c) { return value(c.chunks); }},
    {"chunk_min", [](const LoopCounts& c) { return value(c.chunks) == 0 ? 0 : value(c.least); }},
    {"chunk_max", [](const LoopCounts& c) { return value(c.most); }},
    {"adapted", [](const LoopCounts& c) { return value(c.adapted); }},
    {"scheduling_ns", [](const LoopCounts& c) { return value(c.scheduling_ns); }},
};

double mean(const plat::atomic<uint64_t>& sum, const plat::atomic<uint64_t>& number) noexcept {
  const auto n = value(number);
  return n == 0 ? 0 : static_cast<double>(value(sum)) / static_cast<double>(n);
}
double mean_chunk(const LoopCounts& c) noexcept { return mean(c.iterations, c.chunks); }
double mean_threads(const LoopCounts& c) noexcept { return mean(c.took_part, c.loops); }

int width(std::string_view text) noexcept { return static_cast<int>(text.size()); }

}  // namespace

std::vector<CountedLoop> loop_counts() {
  std::vector<CountedLoop> loops;
  for (LoopRecord* record : LoopRecord::all())
    if (value(record->counts.loops) > 0) loops.push_back({describe(record->call()), record});
  std::ranges::sort(loops, [](const CountedLoop& a, const CountedLoop& b) {
    if (a.where != b.where) return comes_before(a.where, b.where);
    return std::tuple(a.record->schedule(), a.record->members()) <
           std::tuple(b.record->schedule(), b.record->members());
  });
  return loops;
}

void print_loops_table(FILE* out, const std::vector<CountedLoop>& loops) {
  if (loops.empty()) return;
  int longest = 4;
  for (const CountedLoop& loop : loops) longest = std::max(longest, width(loop.where));
  fprintf(out, "vicino: loops by place\n%-*s %-15s %7s", longest, "loop", "schedule", "threads");
  for (const Column& column : kColumns) fprintf(out, " %13s", column.name);
  fprintf(out, " %12s %12s", "chunk_mean", "threads_mean");
  for (const auto name : topo::kDistanceNames)
    fprintf(out, " %18s", ("stolen_" + std::string(name)).c_str());
  for (const auto& [where, record] : loops) {
    fprintf(out, "\n%-*s %-15.*s %7u", longest, where.c_str(), width(record->schedule()),
            record->schedule().data(), record->members());
    for (const Column& column : kColumns) fprintf(out, " %13llu", column.of(record->counts));
    fprintf(out, " %12.1f %12.2f", mean_chunk(record->counts), mean_threads(record->counts));
    for (const auto& stolen : record->counts.stolen) fprintf(out, " %18llu", value(stolen));
  }
  fputc('\n', out);
}

void print_loops_json(FILE* out, const std::vector<CountedLoop>& loops) {
  fprintf(out, "\"loops\": [");
  const char* separator = "";
  for (const auto& [where, record] : loops) {
    fprintf(out, "%s\n  {\"loop\": %s, \"schedule\": \"%.*s\", \"threads\": %u", separator,
            in_json(where).c_str(), width(record->schedule()), record->schedule().data(),
            record->members());
    for (const Column& column : kColumns)
      fprintf(out, ", \"%s\": %llu", column.name, column.of(record->counts));
    fprintf(out, ", \"threads_mean\": %.4f, \"stolen\": {", mean_threads(record->counts));
    for (size_t i = 0; i < topo::kDistanceNames.size(); ++i)
      fprintf(out, "%s\"%s\": %llu", i == 0 ? "" : ", ", topo::kDistanceNames[i].data(),
              value(record->counts.stolen[i]));
    fprintf(out, "}}");
    separator = ",";
  }
  fprintf(out, "\n]");
}

}  // namespace vicino::site
