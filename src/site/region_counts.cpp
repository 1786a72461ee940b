#include "site/region_counts.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "config/settings.hpp"
#include "site/counts.hpp"
#include "sync/cold.hpp"

namespace vicino::site {
namespace {

void add(std::vector<RegionSum>& sums, const RegionSum& more) {
  const auto known = std::ranges::find(sums, more.kind, &RegionSum::kind);
  if (known == sums.end()) {
    sums.push_back(more);
  } else {
    known->regions += more.regions;
    known->ns += more.ns;
  }
}

unsigned long long as_printed(uint64_t number) { return number; }

}  // namespace

void RegionCounts::count(const RegionKind& kind, uint64_t ns, bool inside_own) noexcept {
  Entry* const first = first_.load(std::memory_order_relaxed);  // this thread's own store
  Entry* entry = first;
  while (entry != nullptr && entry->kind != kind) entry = entry->next;
  if (entry == nullptr) {
    entry = new Entry{kind, first, {}, {}};
    first_.store(entry, std::memory_order_release);  // (1)
  }
  ++entry->regions;
  entry->ns.add(ns);
  if (!inside_own) ns_.add(ns);
}

void RegionCounts::add_to(std::vector<RegionSum>& sums) const {
  const Entry* entry = first_.load(std::memory_order_acquire);  // (2)
  for (; entry != nullptr; entry = entry->next)
    add(sums, {entry->kind, entry->regions.value(), entry->ns.value()});
}

int RegionCounts::widest() const noexcept {
  int widest = 0;
  const Entry* entry = first_.load(std::memory_order_acquire);  // (2)
  for (; entry != nullptr; entry = entry->next) widest = std::max(widest, entry->kind.threads);
  return widest;
}

// Relaxed: no other thread exists.
void RegionCounts::forget() noexcept {
  Entry* entry = first_.load(std::memory_order_relaxed);
  while (entry != nullptr) delete std::exchange(entry, entry->next);
  first_.store(nullptr, std::memory_order_relaxed);
  ns_.reset();
}

bool times_regions(const config::Settings& settings) noexcept {
  return !settings.stats.empty() || !settings.report.empty() || settings.explain;
}

std::vector<RegionSum> region_sums() {
  std::vector<RegionSum> sums;
  {
    const sync::Cold cold;
    for (const auto& counts : all_counts()) counts->region_times->add_to(sums);
  }
  std::ranges::sort(sums, std::greater(), &RegionSum::ns);
  return sums;
}

uint64_t counted_regions() noexcept {
  const sync::Cold cold;
  uint64_t regions = 0;
  for (const auto& counts : all_counts()) regions += counts->regions.value();
  return regions;
}

void print_regions_table(FILE* out) {
  fprintf(out, "vicino: regions by thread that led them\n%6s %15s %15s %15s", "thread", "regions",
          "region_ns", "threads_max");
  for (const auto& counts : all_counts())
    if (counts->regions.value() != 0)
      fprintf(out, "\n%6d %15llu %15llu %15d", counts->gtid, as_printed(counts->regions.value()),
              as_printed(counts->region_times->ns()), counts->region_times->widest());
  fputc('\n', out);
}

void print_regions_json(FILE* out) {
  fprintf(out, "\"regions\": [");
  const char* separator = "";
  for (const auto& counts : all_counts()) {
    if (counts->regions.value() == 0) continue;
    fprintf(out,
            "%s\n  {\"thread\": %d, \"regions\": %llu, \"region_ns\": %llu, \"threads_max\": %d}",
            separator, counts->gtid, as_printed(counts->regions.value()),
            as_printed(counts->region_times->ns()), counts->region_times->widest());
    separator = ",";
  }
  fprintf(out, "\n]");
}

}  // namespace vicino::site
