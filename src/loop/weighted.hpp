// weighted.hpp: one block per thread, cut so that all threads would have ended together last time.
//
// Why    A loop that is static in the compiled code asks once for its bounds: nothing can be
//        balanced while it runs, but a call site's next execution can be cut as this one should
//        have been. That helps where a core is slow, and where the cost of iterations grows in the
//        same way each time. It keeps blocks contiguous, and claims nothing.
// How    A block's time over its length is taken for the cost of each of its iterations. The new
//        cuts are half way from the old ones to where each block would have cost the same. Half of
//        the way, so that one disturbance does not throw all cuts, and because a slow thread's cost
//        stays behind when its iterations go to another.
//        Where a chunk is given, blocks are of whole chunks: tiles, or lines of a cache.
// Cost   two readings of the clock per thread and loop; in the first member, a pass over the team.
// Not    for loops that rely on equal loops being cut equally, as the standard promises for
//        schedule(static): hence those loops get it only on request (VICINO_STATIC).
// See    docs/design/weighted.md
//
// Memory order: relaxed. The cuts are published by the ring (ring.hpp, R2); times are hints.
#pragma once

#include "loop/plan.hpp"
#include "loop/static_block.hpp"

namespace vicino::loop {

class Weighted : public NothingToSet {
 public:
  static constexpr std::string_view kName = "weighted";
  static constexpr std::string_view kSummary =
      "one block per thread, cut so that all would have ended together last time";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;
  // The words are the trip count; then for each member its block's end and the time that it took.
  static constexpr std::size_t history_words(uint32_t members) noexcept { return 1 + 2 * members; }

  void start(const Plan& plan) noexcept {
    lanes_ = plan.lanes;
    history_ = plan.history.data();
    for (uint32_t m = 0; m < plan.members; ++m)
      set_end(m, static_block(plan.trip, plan.members, m).end);
    if (history_ != nullptr && word(0).load(std::memory_order_relaxed) == plan.trip) cut(plan);
    for (uint32_t m = 0; m + 1 < plan.members && plan.chunk > 1; ++m)
      set_end(m, in_chunks(end(m), plan.chunk, plan.trip));
    if (history_ == nullptr) return;
    word(0).store(plan.trip, std::memory_order_relaxed);
    for (uint32_t m = 0; m < plan.members; ++m) {
      last_end(m).store(end(m), std::memory_order_relaxed);
      last_time(m).store(0, std::memory_order_relaxed);
    }
  }

  struct Local {
    Range block;
    uint64_t began = 0;  // when the member got its block
    bool given = false;
  };

  Local enter(const Plan&, uint32_t member) noexcept {
    return {{member == 0 ? 0 : end(member - 1), end(member)}};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (!my.given) {
      my.given = true;
      my.began = plat::now();
      if (!my.block.empty()) return my.block;
    }
    if (history_ != nullptr)
      last_time(cursor.member)
          .store(std::max<uint64_t>(plat::now() - my.began, 1), std::memory_order_relaxed);
    return {};
  }

 private:
  plat::atomic<uint64_t>& word(std::size_t i) const noexcept { return history_[i]; }
  plat::atomic<uint64_t>& last_end(uint32_t m) const noexcept { return word(1 + 2 * m); }
  plat::atomic<uint64_t>& last_time(uint32_t m) const noexcept { return word(2 + 2 * m); }
  uint64_t end(uint32_t m) const noexcept { return lanes_[m].word.load(std::memory_order_relaxed); }
  void set_end(uint32_t m, uint64_t end) noexcept {
    lanes_[m].word.store(end, std::memory_order_relaxed);
  }

  // The boundary between chunks that is nearest to `end`.
  static uint64_t in_chunks(uint64_t end, uint64_t chunk, uint64_t trip) noexcept {
    const uint64_t over = end % chunk;
    return over > chunk / 2 ? end + std::min(chunk - over, trip - end) : end - over;
  }

  // Half of the way to `right` in whole chunks, at least one: otherwise a cut may stay a chunk off.
  static uint64_t half_way(uint64_t old, uint64_t right, uint64_t chunk) noexcept {
    const uint64_t distance = old < right ? right - old : old - right;
    const uint64_t half = in_chunks(distance - distance / 2, chunk, distance);
    const uint64_t step = std::min(std::max(half, chunk), distance);
    return old < right ? old + step : old - step;
  }

  // Walks along last time's blocks, in each of which every iteration counts as equally costly, and
  // cuts at each member's equal part of the whole. If a time is missing, equal blocks stay.
  void cut(const Plan& plan) noexcept {
    double whole = 0;
    uint64_t at = 0;
    // Read once, into words that no other thread writes: what was checked stays true.
    for (uint32_t m = 0; m < plan.members; ++m) {
      const uint64_t time = last_time(m).load(std::memory_order_relaxed);
      const uint64_t until = last_end(m).load(std::memory_order_relaxed);
      if (time == 0 || until < at || until > plan.trip) return;
      if (until > at) whole += static_cast<double>(time);
      at = until;
      lanes_[m].k.store(until, std::memory_order_relaxed);
      lanes_[m].d.store(time, std::memory_order_relaxed);
    }
    uint64_t begin = 0, previous = 0;
    double before = 0;  // the cost of the blocks up to `begin`
    uint32_t block = 0;
    for (uint32_t m = 0; m + 1 < plan.members; ++m) {
      const double wanted = whole * (m + 1) / plan.members;
      while (block + 1 < plan.members && before + cost(block, begin) < wanted) {
        before += cost(block, begin);
        begin = old_end(block++);
      }
      const uint64_t length = old_end(block) - begin;
      const double part = cost(block, begin) > 0 ? (wanted - before) / cost(block, begin) : 0;
      const auto right =
          begin + static_cast<uint64_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(length));
      previous = std::clamp(half_way(old_end(m), right, plan.chunk_or_one()), previous, plan.trip);
      set_end(m, previous);
    }
  }
  uint64_t old_end(uint32_t m) const noexcept {
    return lanes_[m].k.load(std::memory_order_relaxed);
  }
  double cost(uint32_t block, uint64_t begin) const noexcept {
    return old_end(block) > begin
               ? static_cast<double>(lanes_[block].d.load(std::memory_order_relaxed))
               : 0;
  }

  std::span<Lane> lanes_;
  plat::atomic<uint64_t>* history_ = nullptr;
};
static_assert(LoopScheduler<Weighted>);

}  // namespace vicino::loop
