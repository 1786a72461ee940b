// dynamic_shared.hpp: OpenMP's schedule(monotonic: dynamic, c): chunks in order from one counter.
//
// Why    This is the only dynamic schedule that `ordered` and `monotonic` allow, and the simplest.
//        The counter's line moves from core to core at each claim: dynamic.hpp serves loops that
//        need no order. While chunks are short, a member claims several at once (batch.hpp), except
//        where members wait for each other within the loop: in ordered loops, and in sections.
//        Members that claim at the same time queue, each for as long as the line needs to move. From
//        kMany members on that may be longer than a batch is to run; then batches grow.
// Cost   one fetch_add per claim.
//
// The counter also counts the one failed claim of each member at the end; it would take 2^64 claims
// to wrap.
// Memory order: relaxed. A claim carries no data; the body's results are published by the barrier.
#pragma once

#include "loop/batch.hpp"
#include "loop/plan.hpp"

namespace vicino::loop {

class DynamicShared : public NothingToSet {
 public:
  static constexpr std::string_view kName = "dynamic_shared";
  static constexpr std::string_view kSummary = "chunks in order from one shared counter";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan& plan) noexcept {
    taken_.store(0, std::memory_order_relaxed);
    many_ = plan.members >= kMany;
  }

  struct Local {
    uint64_t trip, size;           // of the loop and of a chunk, in iterations
    uint64_t chunks;               // in the loop
    uint64_t number = 0, end = 0;  // the batch's next chunk, and the one behind its last
    Batch batch{};
    uint64_t claim_ns = 0;  // how long the batch's claim took
  };

  Local enter(const Plan& plan, uint32_t) noexcept {
    const uint64_t size = plan.chunk_or_one();
    return {.trip = plan.trip,
            .size = size,
            .chunks = plan.trip / size + (plan.trip % size != 0),
            .batch = {.singly = plan.singly}};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.number == my.end) claim(my);
    if (my.number >= my.chunks) return {};
    const uint64_t begin = my.number++ * my.size;
    return {begin, begin + std::min(my.size, my.trip - begin)};
  }

 private:
  static constexpr uint32_t kMany = 9;

  void claim(Local& my) noexcept {
    if (my.batch.singly) return take(my, 1);
    const uint64_t time = plat::now();
    my.batch.renew(time, my.claim_ns);
    take(my, my.batch.size);
    if (!many_) return;
    my.batch.since = plat::now();
    my.claim_ns = my.batch.since - time;
  }

  void take(Local& my, uint32_t count) noexcept {
    my.number = taken_.fetch_add(count, std::memory_order_relaxed);
    my.end = my.number + count;
  }

  plat::atomic<uint64_t> taken_{0};
  bool many_ = false;
};
static_assert(LoopScheduler<DynamicShared>);

}  // namespace vicino::loop
