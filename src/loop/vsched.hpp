// vsched.hpp: mixed scheduling that remembers which thread ran which chunk.
//
// Why    A simulation runs the same loop at each time step. The chunks that a late thread's
//        neighbours took over last time are in their caches and, if they touched the pages first,
//        perhaps on their node. So they should take the same chunks again, without having to steal
//        them anew.
// Source Kale and others (static_fraction.hpp): vSched, "spatial and temporal locality". The poster
//        gives no algorithm. Here each block has a static part as in staggered.hpp, and the rest of
//        it in kChunks chunks. For each chunk the call site remembers the thread that ran it last;
//        but a chunk that ran on another node than its block's is only lent, since its pages stay.
//        A thread takes the chunks that it ran last time, then any others, those of the nearest
//        blocks first: a chunk's owner is on its block's node, so the nearest owner is as near as
//        the nearest block.
// Cost   an atomic OR per chunk; per thread and invocation, a look at each chunk's owner, 4 to a
//        word.
// Not    monotonic.
// See    docs/design/mixed.md
//
// Lane m's word has a bit for each chunk of block m. Invariants
//  I1 a chunk is run by the one thread whose OR set its bit.
//  I2 next() is empty only when every bit was seen set.
// The last unit is kept apart, as in units.hpp. Memory order: relaxed, as in part.hpp.
#pragma once

#include <bit>

#include "loop/nearest.hpp"
#include "loop/part.hpp"
#include "loop/static_fraction.hpp"
#include "loop/units.hpp"

namespace vicino::loop {

class Vsched {
 public:
  static constexpr std::string_view kName = "vsched";
  static constexpr std::string_view kSummary =
      "as staggered, and each thread first takes the chunks that it ran last time";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;
  static constexpr std::array kParameters = {StaticFraction::parameter(StaticFraction::kModel)};
  static constexpr uint32_t kChunks = 16;  // of a block
  static constexpr std::size_t history_words(uint32_t members) noexcept {
    return StaticFraction::kWords + members * kWordsPerBlock;
  }

  void start(const Plan& plan) noexcept {
    units_ = Units::of(plan.trip);
    lanes_ = plan.lanes;
    shape_ = plan.shape;
    history_ = plan.history.data();
    static_.start(plan);
    least_ = static_cast<uint32_t>(units_.units_in(plan.chunk_or_one()));
    last_.start(plan.trip > 0);
    for (Lane& lane : lanes_) lane.word.store(0, std::memory_order_relaxed);
  }

  // extra: kStatic, kRunning (the static part), kOwn (chunks of last time), kAny, kDone. a: where
  // the search for own chunks has got to, in blocks after this member's.
  void enter(const Plan&, Cursor& cursor) noexcept {
    const Part block = block_of(cursor.member);
    cursor.extra = end_of_static(block) > block.begin ? kStatic : kOwn;
    cursor.a = 0;
  }

  Range next(Cursor& cursor) noexcept {
    if (cursor.extra == kStatic) {
      cursor.extra = kRunning;
      const Part block = block_of(cursor.member);
      return units_.range(block.begin, end_of_static(block));
    }
    if (cursor.extra == kRunning) {
      static_.ended();
      cursor.extra = kOwn;
    }
    Part part;
    if (cursor.extra == kOwn && take_own(cursor, part)) return units_.range(part.begin, part.end);
    if (cursor.extra == kAny && take_near(cursor, part)) return units_.range(part.begin, part.end);
    if (cursor.extra == kDone) return {};
    cursor.extra = kDone;
    static_.finished();
    return last_.take() ? units_.last() : Range{};
  }

 private:
  enum : uint32_t { kStatic, kRunning, kOwn, kAny, kDone };
  static constexpr uint32_t kOwnersPerWord = 4;
  static constexpr uint32_t kWordsPerBlock = kChunks / kOwnersPerWord;
  static constexpr uint64_t kNobody = 0;  // else 1 + the member's number

  uint32_t members() const noexcept { return static_cast<uint32_t>(lanes_.size()); }

  Part block_of(uint32_t member) const noexcept {
    return share_of(units_.count(), members(), member);
  }
  uint32_t end_of_static(Part block) const noexcept {
    return static_end(block, static_.fraction());
  }
  // A short block has fewer than kChunks, and so has a block whose chunks are set to be longer.
  uint32_t chunks_of(uint32_t block) const noexcept {
    const Part whole = block_of(block);
    const uint32_t units = whole.end - end_of_static(whole);
    return std::min({units, kChunks, std::max(units / least_, 1u)});
  }
  Part chunk_of(uint32_t block, uint32_t i) const noexcept {
    const Part whole = block_of(block);
    const uint32_t begin = end_of_static(whole);
    const Part chunk = share_of(whole.end - begin, chunks_of(block), i);
    return {begin + chunk.begin, begin + chunk.end};
  }

  plat::atomic<uint64_t>& owners(uint32_t block, uint32_t i) const noexcept {
    return history_[StaticFraction::kWords + block * kWordsPerBlock + i / kOwnersPerWord];
  }
  static constexpr uint32_t shift_of(uint32_t i) noexcept { return 16 * (i % kOwnersPerWord); }

  uint32_t owner(uint32_t block, uint32_t i) const noexcept {
    if (history_ == nullptr) return block;
    const uint64_t word = owners(block, i).load(std::memory_order_relaxed);
    const uint64_t known = word >> shift_of(i) & 0xffff;
    return known == kNobody ? block : static_cast<uint32_t>(known - 1);
  }
  void own(uint32_t block, uint32_t i, uint32_t member) noexcept {
    if (history_ == nullptr || owner(block, i) == member) return;
    auto& word = owners(block, i);
    uint64_t now = word.load(std::memory_order_relaxed);
    const uint64_t mask = uint64_t{0xffff} << shift_of(i);
    while (!word.compare_exchange_weak(now, (now & ~mask) | uint64_t{member + 1} << shift_of(i),
                                       std::memory_order_relaxed)) {
    }
  }

  // I1. False if another thread has the chunk.
  bool claim(uint32_t block, uint32_t i, Part& part) noexcept {
    const uint64_t bit = uint64_t{1} << i;
    auto& word = lanes_[block].word;
    if ((word.load(std::memory_order_relaxed) & bit) != 0 ||
        (word.fetch_or(bit, std::memory_order_relaxed) & bit) != 0)
      return false;
    part = chunk_of(block, i);
    return true;
  }

  bool take_own(Cursor& cursor, Part& part) noexcept {
    for (; cursor.a < members(); ++cursor.a) {
      const uint32_t block = (cursor.member + static_cast<uint32_t>(cursor.a)) % members();
      for (uint32_t i = 0; i < chunks_of(block); ++i)
        if (owner(block, i) == cursor.member && claim(block, i, part)) return true;
    }
    cursor.extra = kAny;
    return false;
  }

  bool take_near(Cursor& cursor, Part& part) noexcept {
    return ask_nearest(shape_, members(), cursor.member,  // I2
                       [&](uint32_t block, topo::Distance distance) {
                         const bool keeps = !is_abroad(distance);
                         if (!claim_any(block, cursor.member, keeps, part)) return false;
                         if (block != cursor.member) cursor.tally.count_steal(distance);
                         return true;
                       });
  }

  // From the back, since the owner comes from the front.
  bool claim_any(uint32_t block, uint32_t member, bool keeps, Part& part) noexcept {
    for (uint32_t i = chunks_of(block); i-- > 0;) {
      if (!claim(block, i, part)) continue;
      if (keeps) own(block, i, member);
      return true;
    }
    return false;
  }

  Units units_;
  std::span<Lane> lanes_;
  const Shape* shape_ = nullptr;
  plat::atomic<uint64_t>* history_ = nullptr;
  StaticPart static_;
  uint32_t least_ = 1;  // units in a chunk
  LastUnit last_;
};
static_assert(LoopScheduler<Vsched>);

}  // namespace vicino::loop
