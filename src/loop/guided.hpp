// guided.hpp: OpenMP's schedule(guided, c): chunks that shrink with what is left.
//
// Each chunk is the 2n-th part of the iterations left (n members), at least c. A plain guided takes
// the n-th part; its first chunks are so large that one costly stretch at a loop's beginning cannot
// be made good any more (docs/design/schedules.md).
//
// How    The chunks are the same whichever members claim them: where a chunk begins follows from
//        where the one before began. So a claim is a chunk's number, taken by one fetch_add, and
//        each member steps from its last chunk's begin to the new one's by itself.
//        While chunks are short, a member claims several at once (batch.hpp): in a loop of a few
//        microseconds the counter's line would move between cores for each of two or three dozen
//        chunks, which takes longer than they run.
// Cost   one fetch_add per claim, and in each member a division for each chunk that any member
//        claimed. Divisions take only that member's time; a CAS on the begin would take everybody's
//        time and may have to be repeated.
// Memory order: relaxed, as in dynamic_shared.hpp.
#pragma once

#include "loop/batch.hpp"
#include "loop/plan.hpp"

namespace vicino::loop {

class Guided : public NothingToSet {
 public:
  static constexpr std::string_view kName = "guided";
  static constexpr std::string_view kSummary = "chunks that shrink with what is left";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan&) noexcept { claimed_.store(0, std::memory_order_relaxed); }

  // a: the trip count, b: the least chunk, c: 2n; d: the number of the next chunk, e: where it
  // begins; f: the end of the batch; g: when the batch was claimed, 0 before the first; extra: how
  // many to claim, kSingly: always one.
  void enter(const Plan& plan, Cursor& cursor) noexcept {
    cursor.a = plan.trip;
    cursor.b = plan.chunk_or_one();
    cursor.c = 2 * uint64_t{plan.members};
    cursor.d = cursor.e = cursor.f = cursor.g = 0;
    cursor.extra = plan.singly ? kSingly : 1;
  }

  Range next(Cursor& cursor) noexcept {
    if (cursor.d == cursor.f) claim(cursor);
    const uint64_t begin = cursor.e;
    cursor.e += size_at(cursor);
    ++cursor.d;
    return {begin, cursor.e};
  }

 private:
  static constexpr uint32_t kSingly = 0;

  void claim(Cursor& cursor) noexcept {
    uint64_t count = 1;
    if (cursor.extra != kSingly) {
      const uint64_t time = plat::now();
      if (cursor.g != 0) cursor.extra = next_batch(cursor.extra, time - cursor.g);
      cursor.g = time;
      count = cursor.extra;
    }
    const uint64_t number = claimed_.fetch_add(count, std::memory_order_relaxed);
    step_to(cursor, number);
    cursor.f = number + count;
  }

  // The size of the chunk that begins at e; 0 at the loop's end.
  static uint64_t size_at(const Cursor& cursor) noexcept {
    const uint64_t left = cursor.a - cursor.e;
    // 32-bit division takes a third of the time of a 64-bit one.
    const uint64_t part = left <= UINT32_MAX
                              ? static_cast<uint32_t>(left) / static_cast<uint32_t>(cursor.c)
                              : left / cursor.c;
    return std::min(std::max(part + (part * cursor.c != left), cursor.b), left);
  }

  static void step_to(Cursor& cursor, uint64_t number) noexcept {
    for (; cursor.d < number; ++cursor.d) {
      const uint64_t size = size_at(cursor);
      if (size <= cursor.b) return step_by_least(cursor, number);
      cursor.e += size;
    }
  }

  // From here on all chunks are of the least size, except the last, which may be smaller.
  static void step_by_least(Cursor& cursor, uint64_t number) noexcept {
    uint64_t distance;
    if (__builtin_mul_overflow(number - cursor.d, cursor.b, &distance) ||
        distance > cursor.a - cursor.e)
      distance = cursor.a - cursor.e;
    cursor.e += distance;
    cursor.d = number;
  }

  plat::atomic<uint64_t> claimed_{0};
};
static_assert(LoopScheduler<Guided>);

}  // namespace vicino::loop
