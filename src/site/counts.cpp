#include "site/counts.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/file.hpp"
#include "base/open_file.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "site/loop_counts.hpp"
#include "site/region_counts.hpp"
#include "sync/cold.hpp"

namespace vicino::site {
namespace {

std::vector<std::unique_ptr<Counts>>& all() {
  static auto& counts = *new std::vector<std::unique_ptr<Counts>>;  // threads outlive main()
  return counts;
}

// Those of threads that have ended, by their numbers. Under the Cold lock, as all().
std::unordered_map<int, Counts*>& left_behind() {
  static auto& counts = *new std::unordered_map<int, Counts*>;
  return counts;
}

// Threads that have used OpenMP.
constinit std::size_t threads_so_far = 0;

struct Column {
  const char* name;
  uint64_t (*of)(const Counts&);
};
constexpr Column kColumns[] = {
    {"spawned", [](const Counts& c) { return c.spawned.value(); }},
    {"at_once", [](const Counts& c) { return c.at_once.value(); }},
    {"executed", [](const Counts& c) { return c.executed.value(); }},
    {"failed_searches", [](const Counts& c) { return c.failed.value(); }},
    {"sleeps", [](const Counts& c) { return c.slept.value(); }},
};

bool did_anything(const Counts& c) {
  for (const Column& column : kColumns)
    if (column.of(c) != 0) return true;
  return false;
}

void print_table(FILE* out) {
  if (std::ranges::none_of(all(), [](const auto& c) { return did_anything(*c); })) return;
  fprintf(out, "vicino: tasks by thread\n%6s", "thread");
  for (const Column& column : kColumns) fprintf(out, " %15s", column.name);
  for (const auto name : kDistanceNames)
    fprintf(out, " %18s", ("stolen_" + std::string(name)).c_str());
  for (const auto& c : all()) {
    if (!did_anything(*c)) continue;
    fprintf(out, "\n%6d", c->gtid);
    for (const Column& column : kColumns)
      fprintf(out, " %15llu", static_cast<unsigned long long>(column.of(*c)));
    for (const Count& stolen : c->stolen)
      fprintf(out, " %18llu", static_cast<unsigned long long>(stolen.value()));
  }
  fputc('\n', out);
}

void print_json(FILE* out) {
  fprintf(out, "\"tasks\": [");
  const char* separator = "";
  for (const auto& c : all()) {
    fprintf(out, "%s\n  {\"thread\": %d", separator, c->gtid);
    for (const Column& column : kColumns)
      fprintf(out, ", \"%s\": %llu", column.name, static_cast<unsigned long long>(column.of(*c)));
    fprintf(out, ", \"stolen\": {");
    for (size_t i = 0; i < kDistanceNames.size(); ++i)
      fprintf(out, "%s\"%s\": %llu", i == 0 ? "" : ", ", kDistanceNames[i].data(),
              static_cast<unsigned long long>(c->stolen[i].value()));
    fprintf(out, "}}");
    separator = ",";
  }
  fprintf(out, "\n]");
}

}  // namespace

bool any_counts() noexcept { return counted_threads() > 0; }
std::size_t counted_threads() noexcept { return threads_so_far; }
std::span<const std::unique_ptr<Counts>> all_counts() noexcept { return all(); }

Counts::Counts(int number) : gtid(number), region_times(std::make_unique<RegionCounts>()) {}
Counts::~Counts() = default;

void Counts::forget() noexcept {
  for (Count* count : {&spawned, &at_once, &executed, &failed, &slept, &regions}) count->reset();
  for (Count& count : stolen) count.reset();
  region_times->forget();
}

void forget_counts(Counts* survivor) noexcept {
  left_behind().clear();
  threads_so_far = survivor != nullptr ? 1 : 0;
  std::erase_if(all(), [&](const auto& c) { return c.get() != survivor; });
  if (survivor != nullptr) survivor->forget();
}

Counts& take_counts(int gtid) {
  ++threads_so_far;
  if (const auto left = left_behind().extract(gtid)) return *left.mapped();
  return *all().emplace_back(std::make_unique<Counts>(gtid));
}

void leave_counts(Counts& counts) { left_behind().emplace(counts.gtid, &counts); }

void print_counts() {
  const std::string& where = config::settings().stats;
  if (where.empty() || all().empty()) return;
  const auto loops = loop_counts();
  const sync::Cold cold;
  if (where == config::kStatsToStderr) {
    print_regions_table(stderr);
    print_table(stderr);
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
  print_json(out);
  fprintf(out, ",\n");
  print_loops_json(out, loops);
  fprintf(out, "}\n");
  const int error = fclose(out) != 0 ? errno : write_text(name, {text, size});
  if (error != 0) say("VICINO_STATS: cannot write %s: %s", name.c_str(), strerror(error));
  free(text);
}

}  // namespace vicino::site
