// dynamic.hpp: OpenMP's schedule(dynamic, c) where its chunks may come in any order.
//
// Why    One shared counter costs a line transfer per chunk, however short the chunk. Here each
//        member starts with an equal share of the chunks in a word of its own and takes from its
//        front; one that has run dry takes the back half of what another has left. Chunks are of
//        the size that the user gave.
// Cost   Taking from one's own word is an uncontended CAS; and while chunks are short, several are
//        taken at once (batch.hpp), so that most calls of next() touch nothing shared.
// Not    monotonic: a stolen range may lie below what the thief did before. Not for more than
//        2^32 - 2 chunks, which choose() sends to dynamic_shared.
//
// A lane's word is `begin << 32 | end`, in chunks: what its member has not yet taken.
// Invariants
//  I1 a chunk is in one lane, or in one member's batch, or handed out; every move between these is
//     one CAS on the one word that held it.
//  I2 only its own member fills a lane, and only when it is empty; others leave empty lanes alone.
//     So the plain store that fills cannot overwrite a steal.
//  I3 an equal word is an equal state: a CAS that succeeds on a word seen long ago takes chunks
//     that are in that lane now (no ABA).
//  I4 next() is empty only when every lane was seen empty. A range on its way from one lane to
//     another is seen by nobody meanwhile, and is run by the thief.
//  I5 the final chunk is in no lane: whoever finds all lanes empty first gets it, and nothing after
//     it. So the last iteration is the last that its member runs, on which compiled code for
//     lastprivate and linear relies (LoopScheduler in plan.hpp).
// Memory order: relaxed. A claim carries no data; the ring publishes the lanes' first words
// (ring.hpp, R2), the barrier the results.
#pragma once

#include "base/say.hpp"
#include "loop/batch.hpp"
#include "loop/plan.hpp"

namespace vicino::loop {

class Dynamic {
 public:
  static constexpr std::string_view kName = "dynamic";
  static constexpr std::string_view kSummary = "fixed chunks from private shares, halves stolen";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;
  static constexpr uint64_t kMaxChunks = UINT32_MAX - 1;

  static uint64_t chunks(const Plan& plan) noexcept {
    const uint64_t chunk = plan.chunk_or_one();
    return plan.trip / chunk + (plan.trip % chunk != 0);
  }

  void start(const Plan& plan) noexcept {
    lanes_ = plan.lanes;
    const uint64_t all = chunks(plan) - (plan.trip > 0);  // I5
    final_ = all;
    final_taken_.store(plan.trip == 0, std::memory_order_relaxed);
    const uint64_t share = all / plan.members, longer = all % plan.members;
    uint64_t begin = 0;
    for (uint32_t m = 0; m < plan.members; ++m) {
      const uint64_t end = begin + share + (m < longer);
      lanes_[m].word.store(begin << 32 | end, std::memory_order_relaxed);
      begin = end;
    }
  }

  // a, b: chunks of my batch not yet handed out; c: when I took it, 0 before the first;
  // extra: how many to take; kDone: nothing any more. d: the chunk, e: the trip count.
  void enter(const Plan& plan, Cursor& cursor) noexcept {
    cursor.a = cursor.b = cursor.c = 0;
    cursor.d = plan.chunk_or_one();
    cursor.e = plan.trip;
    cursor.extra = 1;
  }

  Range next(Cursor& cursor) noexcept {
    if (cursor.a == cursor.b && !refill(cursor) && !take_final(cursor)) return {};
    const uint64_t begin = cursor.a++ * cursor.d;
    VICINO_CHECK(I1, begin < cursor.e);
    return {begin, begin + std::min(cursor.d, cursor.e - begin)};
  }

 private:
  static constexpr uint32_t kDone = 0;

  static constexpr uint32_t begin_of(uint64_t word) noexcept {
    return static_cast<uint32_t>(word >> 32);
  }
  static constexpr uint32_t end_of(uint64_t word) noexcept { return static_cast<uint32_t>(word); }
  static bool is_empty(const Lane& lane) noexcept {
    const uint64_t word = lane.word.load(std::memory_order_relaxed);
    return begin_of(word) == end_of(word);
  }

  bool refill(Cursor& cursor) noexcept {
    if (cursor.extra == kDone) return false;
    cursor.extra = next_batch(cursor.extra, cursor.c);
    // What I stole may be stolen again before I take of it: then look once more.
    while (!take(cursor))
      if (!steal(cursor)) return false;
    return true;
  }

  // I5. The look before the exchange spares those who come too late the line.
  bool take_final(Cursor& cursor) noexcept {
    cursor.extra = kDone;
    if (final_taken_.load(std::memory_order_relaxed) ||
        final_taken_.exchange(true, std::memory_order_relaxed))
      return false;
    cursor.a = final_;
    cursor.b = final_ + 1;
    return true;
  }

  bool take(Cursor& cursor) noexcept {
    auto& mine = lanes_[cursor.member].word;
    uint64_t word = mine.load(std::memory_order_relaxed);
    for (;;) {
      const uint32_t begin = begin_of(word), end = end_of(word);
      VICINO_CHECK(I5, begin <= end && end <= final_);
      if (begin == end) return false;
      const uint32_t count = std::min(cursor.extra, end - begin);
      if (mine.compare_exchange_weak(word, word + (uint64_t{count} << 32),  // I1
                                     std::memory_order_relaxed)) {
        cursor.a = begin;
        cursor.b = begin + count;
        return true;
      }
    }
  }

  // Fills my lane with half of another's; false when all are empty.
  bool steal(const Cursor& cursor) noexcept {
    const auto members = static_cast<uint32_t>(lanes_.size());
    for (uint32_t i = 1; i < members; ++i) {
      const uint32_t after = cursor.member + i;
      auto& theirs = lanes_[after < members ? after : after - members].word;
      uint64_t word = theirs.load(std::memory_order_relaxed);
      while (begin_of(word) != end_of(word)) {  // I2
        const uint32_t end = end_of(word);
        const uint32_t count = (end - begin_of(word) + 1) / 2;
        if (theirs.compare_exchange_weak(word, word - count, std::memory_order_relaxed)) {  // I1
          VICINO_CHECK(I2, is_empty(lanes_[cursor.member]));
          lanes_[cursor.member].word.store(uint64_t{end - count} << 32 | end,
                                           std::memory_order_relaxed);
          return true;
        }
      }
    }
    return false;
  }

  uint64_t final_ = 0;
  std::span<Lane> lanes_;
  plat::atomic<bool> final_taken_{true};
};
static_assert(LoopScheduler<Dynamic>);

}  // namespace vicino::loop
