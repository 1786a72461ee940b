#include "site/counts.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "config/settings.hpp"
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

// Threads that have used OpenMP. Changed inside Cold and read by any thread; relaxed, as the number is
// all there is.
constinit plat::atomic<std::size_t> threads_so_far{0};

void add(std::vector<RegionSum>& sums, const RegionSum& more) {
  const auto known = std::ranges::find(sums, more.kind, &RegionSum::kind);
  if (known == sums.end()) {
    sums.push_back(more);
  } else {
    known->regions += more.regions;
    known->ns += more.ns;
  }
}

void add(plat::atomic<uint64_t>& to, uint64_t count) noexcept {
  if (count != 0) to.fetch_add(count, std::memory_order_relaxed);
}

template <class Better>
void keep_best(plat::atomic<uint64_t>& best, uint64_t value, Better better) noexcept {
  uint64_t known = best.load(std::memory_order_relaxed);
  while (better(value, known) &&
         !best.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

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
  return !settings.stats.empty() || !settings.report.empty() || !settings.explain.empty();
}

std::vector<RegionSum> region_sums() {
  std::vector<RegionSum> sums;
  {
    const sync::Cold cold;
    for (const auto& counts : all()) counts->region_times.add_to(sums);
  }
  std::ranges::sort(sums, std::greater(), &RegionSum::ns);
  return sums;
}

uint64_t counted_regions() noexcept {
  const sync::Cold cold;
  uint64_t regions = 0;
  for (const auto& counts : all()) regions += counts->regions.value();
  return regions;
}

void Counts::forget() noexcept {
  for (Count* count : {&spawned, &at_once, &executed, &failed, &slept, &regions}) count->reset();
  for (Count& count : stolen) count.reset();
  region_times.forget();
}

Counts& take_counts(int gtid) {
  threads_so_far.fetch_add(1, std::memory_order_relaxed);
  if (const auto left = left_behind().extract(gtid)) return *left.mapped();
  return *all().emplace_back(std::make_unique<Counts>(gtid));
}

void leave_counts(Counts& counts) { left_behind().emplace(counts.gtid, &counts); }

bool any_counts() noexcept { return counted_threads() > 0; }
std::size_t counted_threads() noexcept {
  return threads_so_far.load(std::memory_order_relaxed);
}
std::span<const std::unique_ptr<Counts>> all_counts() noexcept { return all(); }

void forget_counts(Counts* survivor) noexcept {
  left_behind().clear();
  threads_so_far.store(survivor != nullptr ? 1 : 0, std::memory_order_relaxed);
  std::erase_if(all(), [&](const auto& c) { return c.get() != survivor; });
  if (survivor != nullptr) survivor->forget();
}

void LoopCounting::start(LoopCounts& its_sums,
                         loop::Range (*its_next)(void*, loop::Cursor&) noexcept, void* its_shared,
                         const loop::Tally& tally, uint64_t begin_ns) {
  *this = {&its_sums, its_next, its_shared, 0, 0, UINT64_MAX, 0, begin_ns, tally};
}

loop::Range next_counted(void* shared, loop::Cursor& cursor) noexcept {
  auto& counting = *static_cast<LoopCounting*>(shared);
  const uint64_t asked = plat::now();
  const loop::Range chunk = counting.next(counting.shared, cursor);
  counting.scheduling_ns += plat::now() - asked;
  if (!chunk.empty()) counting.add_chunk(chunk.end - chunk.begin);
  return chunk;
}

void LoopCounting::add_chunk(uint64_t size) noexcept {
  ++chunks;
  iterations += size;
  least = std::min(least, size);
  most = std::max(most, size);
}

void LoopCounting::finish(const loop::Tally& tally, bool first_member) noexcept {
  LoopCounts& sum = *std::exchange(sums, nullptr);
  add(sum.loops, first_member);
  add(sum.iterations, iterations);
  add(sum.chunks, chunks);
  add(sum.took_part, chunks != 0);
  add(sum.scheduling_ns, scheduling_ns);
  keep_best(sum.least, least, std::less<>());
  keep_best(sum.most, most, std::greater<>());
  add(sum.adapted, tally.adapted - before.adapted);
  for (size_t i = 0; i < before.stolen.size(); ++i)
    add(sum.stolen[i], tally.stolen[i] - before.stolen[i]);
}

}  // namespace vicino::site
