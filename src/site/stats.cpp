#include "site/stats.hpp"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/file.hpp"
#include "base/natural.hpp"
#include "base/no_signals_from_writes.hpp"
#include "base/open_file.hpp"
#include "base/quote.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "site/code.hpp"
#include "site/counts.hpp"
#include "site/loop_record.hpp"
#include "sync/cold.hpp"

namespace vicino::site {
namespace {

using Number = unsigned long long;  // as it is printed

Number value(const Count& count) noexcept { return count.value(); }
// Relaxed, as all of LoopCounts.
Number value(const plat::atomic<uint64_t>& count) noexcept {
  return count.load(std::memory_order_relaxed);
}

template <class Record>
struct Column {
  const char* name;
  Number (*of)(const Record&);
};
constexpr Column<Counts> kOfRegions[] = {
    {"regions", [](const Counts& c) { return value(c.regions); }},
    {"region_ns", [](const Counts& c) { return Number{c.region_times.ns()}; }},
    {"threads_max", [](const Counts& c) { return static_cast<Number>(c.region_times.widest()); }},
};
constexpr Column<Counts> kOfTasks[] = {
    {"spawned", [](const Counts& c) { return value(c.spawned); }},
    {"at_once", [](const Counts& c) { return value(c.at_once); }},
    {"executed", [](const Counts& c) { return value(c.executed); }},
    {"failed_searches", [](const Counts& c) { return value(c.failed); }},
    {"sleeps", [](const Counts& c) { return value(c.slept); }},
};
constexpr Column<LoopCounts> kOfLoops[] = {
    {"loops", [](const LoopCounts& c) { return value(c.loops); }},
    {"iterations", [](const LoopCounts& c) { return value(c.iterations); }},
    {"chunks", [](const LoopCounts& c) { return value(c.chunks); }},
    {"chunk_min", [](const LoopCounts& c) { return value(c.chunks) == 0 ? 0 : value(c.least); }},
    {"chunk_max", [](const LoopCounts& c) { return value(c.most); }},
    {"adapted", [](const LoopCounts& c) { return value(c.adapted); }},
    {"scheduling_ns", [](const LoopCounts& c) { return value(c.scheduling_ns); }},
};

bool led_regions(const std::unique_ptr<Counts>& c) { return value(c->regions) != 0; }
bool had_tasks(const std::unique_ptr<Counts>& c) {
  return std::ranges::any_of(kOfTasks, [&](const auto& column) { return column.of(*c) != 0; });
}

struct CountedLoop {
  std::string where;
  LoopRecord* record;
};

// The loops that ran, sorted by name. The caller does not hold the Cold lock, which describe()
// takes.
std::vector<CountedLoop> counted_loops() {
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

double mean(const plat::atomic<uint64_t>& sum, const plat::atomic<uint64_t>& number) noexcept {
  const Number n = value(number);
  return n == 0 ? 0 : static_cast<double>(value(sum)) / static_cast<double>(n);
}
double mean_chunk(const LoopCounts& c) noexcept { return mean(c.iterations, c.chunks); }
double mean_threads(const LoopCounts& c) noexcept { return mean(c.took_part, c.loops); }

int width(std::string_view text) noexcept { return static_cast<int>(text.size()); }

// --- Tables ---

template <class Columns>
void print_names(FILE* out, const Columns& columns, int wide) {
  for (const auto& column : columns) fprintf(out, " %*s", wide, column.name);
}
void print_stolen_names(FILE* out) {
  for (const auto name : kDistanceNames)
    fprintf(out, " %18s", ("stolen_" + std::string(name)).c_str());
}
template <class Columns, class Record>
void print_numbers(FILE* out, const Columns& columns, const Record& record, int wide) {
  for (const auto& column : columns) fprintf(out, " %*llu", wide, column.of(record));
}
template <class Record>
void print_stolen_numbers(FILE* out, const Record& record) {
  for (const auto& stolen : record.stolen) fprintf(out, " %18llu", value(stolen));
}

void print_regions_table(FILE* out) {
  fprintf(out, "vicino: regions by thread that led them\n%6s", "thread");
  print_names(out, kOfRegions, 15);
  for (const auto& c : all_counts() | std::views::filter(led_regions)) {
    fprintf(out, "\n%6d", c->gtid);
    print_numbers(out, kOfRegions, *c, 15);
  }
  fputc('\n', out);
}

void print_tasks_table(FILE* out) {
  if (std::ranges::none_of(all_counts(), had_tasks)) return;
  fprintf(out, "vicino: tasks by thread\n%6s", "thread");
  print_names(out, kOfTasks, 15);
  print_stolen_names(out);
  for (const auto& c : all_counts() | std::views::filter(had_tasks)) {
    fprintf(out, "\n%6d", c->gtid);
    print_numbers(out, kOfTasks, *c, 15);
    print_stolen_numbers(out, *c);
  }
  fputc('\n', out);
}

void print_loops_table(FILE* out, const std::vector<CountedLoop>& loops) {
  if (loops.empty()) return;
  int longest = 4;
  for (const CountedLoop& loop : loops) longest = std::max(longest, width(loop.where));
  fprintf(out, "vicino: loops by place\n%-*s %-15s %7s", longest, "loop", "schedule", "threads");
  print_names(out, kOfLoops, 13);
  fprintf(out, " %12s %12s", "chunk_mean", "threads_mean");
  print_stolen_names(out);
  for (const auto& [where, record] : loops) {
    fprintf(out, "\n%-*s %-15.*s %7u", longest, where.c_str(), width(record->schedule()),
            record->schedule().data(), record->members());
    print_numbers(out, kOfLoops, record->counts, 13);
    fprintf(out, " %12.1f %12.2f", mean_chunk(record->counts), mean_threads(record->counts));
    print_stolen_numbers(out, record->counts);
  }
  fputc('\n', out);
}

// --- JSON ---

// "name": [{...}, ...]
template <class Items, class PrintMembers>
void print_list(FILE* out, const char* name, Items&& items, PrintMembers print_members) {
  fprintf(out, "\"%s\": [", name);
  const char* separator = "";
  for (const auto& item : items) {
    fprintf(out, "%s\n  {", separator);
    print_members(item);
    fputc('}', out);
    separator = ",";
  }
  fprintf(out, "\n]");
}
template <class Columns, class Record>
void print_members(FILE* out, const Columns& columns, const Record& record) {
  for (const auto& column : columns) fprintf(out, ", \"%s\": %llu", column.name, column.of(record));
}
template <class Record>
void print_stolen_member(FILE* out, const Record& record) {
  fprintf(out, ", \"stolen\": {");
  for (size_t i = 0; i < kDistanceNames.size(); ++i)
    fprintf(out, "%s\"%s\": %llu", i == 0 ? "" : ", ", kDistanceNames[i].data(),
            value(record.stolen[i]));
  fputc('}', out);
}

void print_regions_json(FILE* out) {
  print_list(out, "regions", all_counts() | std::views::filter(led_regions), [out](const auto& c) {
    fprintf(out, "\"thread\": %d", c->gtid);
    print_members(out, kOfRegions, *c);
  });
}

void print_tasks_json(FILE* out) {
  print_list(out, "tasks", all_counts(), [out](const auto& c) {
    fprintf(out, "\"thread\": %d", c->gtid);
    print_members(out, kOfTasks, *c);
    print_stolen_member(out, *c);
  });
}

void print_loops_json(FILE* out, const std::vector<CountedLoop>& loops) {
  print_list(out, "loops", loops, [out](const CountedLoop& loop) {
    const LoopRecord& record = *loop.record;
    fprintf(out, "\"loop\": %s, \"schedule\": \"%.*s\", \"threads\": %u",
            in_json(loop.where).c_str(), width(record.schedule()), record.schedule().data(),
            record.members());
    print_members(out, kOfLoops, record.counts);
    fprintf(out, ", \"threads_mean\": %.4f", mean_threads(record.counts));
    print_stolen_member(out, record.counts);
  });
}

}  // namespace

void print_stats() {
  const std::string& where = config::settings().stats;
  if (where.empty() || !any_counts()) return;
  const auto loops = counted_loops();
  const sync::Cold cold;
  if (where == config::kToStderr) {
    const NoSignalsFromWrites no_signals;
    print_regions_table(stderr);
    print_tasks_table(stderr);
    return print_loops_table(stderr, loops);
  }
  const std::string name = with_process_number(where);
  char* text = nullptr;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  if (out == nullptr) return say("VICINO_STATS: %s", strerror(errno));
  fprintf(out, "{\"schema\": 1, ");
  print_regions_json(out);
  fprintf(out, ",\n");
  print_tasks_json(out);
  fprintf(out, ",\n");
  print_loops_json(out, loops);
  fprintf(out, "}\n");
  const int error = fclose(out) != 0 ? errno : write_text(name, {text, size});
  if (error != 0) say("VICINO_STATS: cannot write %s: %s", name.c_str(), strerror(error));
  free(text);
}

}  // namespace vicino::site
