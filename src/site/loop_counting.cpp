#include "site/loop_counting.hpp"

#include <algorithm>
#include <functional>

#include "site/loop_record.hpp"

namespace vicino::site {
namespace {

// Relaxed, as all of LoopCounts (loop_record.hpp).
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

void LoopCounting::start(LoopRecord& its_record,
                         loop::Range (*its_next)(void*, loop::Cursor&) noexcept, void* its_shared,
                         const loop::Tally& tally, uint64_t begin_ns) {
  *this = {&its_record, its_next, its_shared, 0, 0, UINT64_MAX, 0, begin_ns, tally};
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
  LoopCounts& sum = record->counts;
  record = nullptr;
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
