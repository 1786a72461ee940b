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

  struct Local {
    uint64_t trip;
    uint64_t least;                  // iterations in a chunk
    uint64_t parts;                  // 2n
    uint64_t number = 0, begin = 0;  // of the next chunk, and where it begins
    uint64_t batch_end = 0;          // the number behind the batch's last
    Batch batch{};

    uint64_t left() const noexcept { return trip - begin; }
  };

  Local enter(const Plan& plan, uint32_t) noexcept {
    return {.trip = plan.trip,
            .least = plan.chunk_or_one(),
            .parts = 2 * uint64_t{plan.members},
            .batch = {.singly = plan.singly}};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.number == my.batch_end) claim(my);
    const uint64_t begin = my.begin;
    my.begin += size_of_next(my);
    ++my.number;
    return {begin, my.begin};
  }

 private:
  void claim(Local& my) noexcept {
    if (!my.batch.singly) my.batch.renew(plat::now());
    const uint64_t number = claimed_.fetch_add(my.batch.size, std::memory_order_relaxed);
    step_to(my, number);
    my.batch_end = number + my.batch.size;
  }

  // 0 at the loop's end.
  static uint64_t size_of_next(const Local& my) noexcept {
    const uint64_t left = my.left();
    // 32-bit division takes a third of the time of a 64-bit one.
    const uint64_t part = left <= UINT32_MAX
                              ? static_cast<uint32_t>(left) / static_cast<uint32_t>(my.parts)
                              : left / my.parts;
    return std::min(std::max(part + (part * my.parts != left), my.least), left);
  }

  static void step_to(Local& my, uint64_t number) noexcept {
    for (; my.number < number; ++my.number) {
      const uint64_t size = size_of_next(my);
      if (size <= my.least) return step_by_least(my, number);
      my.begin += size;
    }
  }

  // From here on all chunks are of the least size, except the last, which may be smaller.
  static void step_by_least(Local& my, uint64_t number) noexcept {
    uint64_t distance;
    if (__builtin_mul_overflow(number - my.number, my.least, &distance) || distance > my.left())
      distance = my.left();
    my.begin += distance;
    my.number = number;
  }

  plat::atomic<uint64_t> claimed_{0};
};
static_assert(LoopScheduler<Guided>);

}  // namespace vicino::loop
