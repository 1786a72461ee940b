// vsched.hpp: mixed scheduling that remembers which thread ran which chunk.
//
// Why    A simulation runs the same loop at each time step. The chunks that a late thread's
//        neighbours took over last time are in their caches and, if they touched the pages first,
//        perhaps on their node. So they should take the same chunks again, without having to steal
//        them anew.
// Source Kale and others (static_fraction.hpp): vSched, "spatial and temporal locality". The poster
//        gives no algorithm. Here each block has a static part as in staggered.hpp, and the rest of
//        it in chunks. For each chunk the call site remembers the thread that ran it last; but a
//        chunk that ran on another node than its block's is only lent, since its pages stay. A
//        thread takes the chunks that it ran last time, then any others, those of the nearest
//        blocks first: a chunk's owner is on its block's node, so the nearest owner is as near as
//        the nearest block.
// Cells  The static fraction moves from one execution to the next, and a thread should get the same
//        iterations again all the same. So chunks are cells of a grid that does not depend on the
//        fraction: a block is divided into 2^k equal cells, counted from the block's end, and a
//        chunk is a cell, as far as the cell is in the dynamic part. When the fraction moves, cells
//        come or go at the dynamic part's beginning, and the others keep their iterations and their
//        owners. k stays while the dynamic part has kFewCells to kMostCells cells. When it has to
//        change, cells are halved, and both halves belong to the cell's owner; or cells are put
//        together, and the new cell belongs to the owner of the cell at its middle, since a thread
//        lends neighbouring cells.
// Cost   an atomic OR per chunk; per thread and invocation, a look at each chunk's owner, 4 to a
//        word. When k changes, one thread writes all owners anew.
// Memory StaticFraction::kWords + 1 + 8 words for each thread, per call site and team size.
// Not    monotonic.
// See    docs/design/mixed.md
//
// Lane m's word has a bit for each cell of block m. Invariants
//  I1 a chunk is run by the one thread whose OR set its bit.
//  I2 next() is empty only when every bit of a chunk was seen set. A cell may have no iterations, as
//     in a block that is shorter than its number of cells; such a cell is not a chunk.
// The last unit is kept apart, as in units.hpp. Memory order: relaxed, as in part.hpp.
#pragma once

#include <algorithm>
#include <array>
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
  using Set = StaticFraction::Set;
  static constexpr std::array kParameters = {StaticFraction::parameter(StaticFraction::kModel)};
  // How many cells of a block the dynamic part has if k is chosen anew, at least; and the limits
  // within which k stays. A k that gives kCells or more gives fewer than twice as many.
  static constexpr uint32_t kCells = 16, kFewCells = 12, kMostCells = 2 * kCells;
  static constexpr std::size_t history_words(uint32_t members) noexcept {
    return kOwners + members * kWordsPerBlock;
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
    choose_k();
  }

  struct Local {
    Range own;  // the member's static part
    StaticPart::State state;
    enum : uint8_t { kOwn, kAny, kNone } looks_for = kOwn;  // kOwn: chunks of last time
    uint32_t looked_at = 0;  // for those: so many blocks, this member's first
  };

  Local enter(const Plan&, uint32_t member) noexcept {
    const Part block = block_of(member);
    const Range own = units_.range(block.begin, end_of_static(block));
    return {own, StaticPart::before(own)};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (static_.is_next(my.state)) return my.own;
    Part part;
    if (my.looks_for == Local::kOwn && take_own(my, cursor.member, part))
      return units_.range(part.begin, part.end);
    if (my.looks_for == Local::kAny && take_near(cursor, part))
      return units_.range(part.begin, part.end);
    if (my.looks_for == Local::kNone) return {};
    my.looks_for = Local::kNone;
    static_.finished();
    return last_.take() ? units_.last() : Range{};
  }

 private:
  static constexpr uint32_t kOwnersPerWord = 4;
  static constexpr uint32_t kWordsPerBlock = kMostCells / kOwnersPerWord;
  static constexpr uint64_t kNobody = 0;  // else 1 + the member's number
  // The history's words behind those of the fraction: 1 + the k to which the owners belong, 0 before
  // the first execution; then the owners of each block.
  static constexpr std::size_t kGrid = StaticFraction::kWords, kOwners = kGrid + 1;

  uint32_t members() const noexcept { return static_cast<uint32_t>(lanes_.size()); }

  Part block_of(uint32_t member) const noexcept {
    return share_of(units_.count(), members(), member);
  }
  uint32_t end_of_static(Part block) const noexcept {
    return static_end(block, static_.fraction());
  }
  uint32_t dynamic_of(Part block) const noexcept { return block.end - end_of_static(block); }

  // How many of a block's 2^k cells are in its dynamic part, at least in part.
  static uint32_t cells_in(Part block, uint32_t dynamic, uint32_t k) noexcept {
    if (dynamic == 0) return 0;
    const uint64_t scaled = uint64_t{dynamic} << k;
    const uint64_t cells = scaled / block.size() + (scaled % block.size() != 0);
    return static_cast<uint32_t>(std::min<uint64_t>(cells, kMostCells));
  }
  // How many units lie behind the cell i - 1, counted from the block's end.
  static uint32_t behind(Part block, uint32_t i, uint32_t k) noexcept {
    return static_cast<uint32_t>(uint64_t{block.size()} * i >> k);
  }

  // The last of the blocks is the shortest. Cells shorter than a unit would be empty; and none is
  // shorter than the chunk that is set.
  void choose_k() noexcept {
    Part block = block_of(members() - 1);
    if (block.empty()) block = {0, 1};
    const uint32_t most = least_ > 1 ? std::bit_width(std::max(block.size() / least_, 1u)) - 1
                                     : std::bit_width(block.size());
    const uint32_t dynamic = dynamic_of(block);
    const uint64_t grid = history_ != nullptr ? history_[kGrid].load(std::memory_order_relaxed) : 0;
    if (grid != 0 && fits(block, dynamic, static_cast<uint32_t>(grid - 1), most)) {
      k_ = static_cast<uint32_t>(grid - 1);
      return;
    }
    for (k_ = 0; k_ < most && cells_in(block, dynamic, k_) < kCells;) ++k_;
    if (history_ == nullptr) return;
    if (grid != 0) change_k(static_cast<uint32_t>(grid - 1));
    history_[kGrid].store(k_ + 1, std::memory_order_relaxed);
  }
  static bool fits(Part block, uint32_t dynamic, uint32_t k, uint32_t most) noexcept {
    if (k > most || uint64_t{dynamic} << k > uint64_t{kMostCells} * block.size()) return false;
    return dynamic == 0 || k == most || cells_in(block, dynamic, k) >= kFewCells;
  }

  // Gives the cells of the grid k_ the owners of the grid `before`.
  void change_k(uint32_t before) noexcept {
    for (uint32_t block = 0; block < members(); ++block) {
      std::array<uint64_t, kMostCells> known;
      for (uint32_t i = 0; i < kMostCells; ++i) known[i] = load_owner(block, i);
      for (uint32_t i = 0; i < kMostCells; ++i) {
        const uint64_t middle =
            k_ >= before ? i >> (k_ - before) : (2 * uint64_t{i} + 1) << (before - k_) >> 1;
        store_owner(block, i, middle < kMostCells ? known[middle] : kNobody);
      }
    }
  }

  // A piece of a cell at the beginning of the dynamic part that is shorter than the chunk that is
  // set goes with the next cell.
  uint32_t chunks_of(uint32_t block) const noexcept {
    const Part whole = block_of(block);
    const uint32_t dynamic = dynamic_of(whole), cells = cells_in(whole, dynamic, k_);
    return cells > 1 && dynamic - behind(whole, cells - 1, k_) < least_ ? cells - 1 : cells;
  }
  // Chunk `i` of `chunks`, from the block's end.
  Part chunk_of(uint32_t block, uint32_t i, uint32_t chunks) const noexcept {
    const Part whole = block_of(block);
    const uint32_t begin =
        i + 1 == chunks ? end_of_static(whole) : whole.end - behind(whole, i + 1, k_);
    return {begin, whole.end - behind(whole, i, k_)};
  }

  plat::atomic<uint64_t>& owners(uint32_t block, uint32_t i) const noexcept {
    return history_[kOwners + block * kWordsPerBlock + i / kOwnersPerWord];
  }
  static constexpr uint32_t shift_of(uint32_t i) noexcept { return 16 * (i % kOwnersPerWord); }

  uint64_t load_owner(uint32_t block, uint32_t i) const noexcept {
    return owners(block, i).load(std::memory_order_relaxed) >> shift_of(i) & 0xffff;
  }
  void store_owner(uint32_t block, uint32_t i, uint64_t known) noexcept {
    auto& word = owners(block, i);
    uint64_t now = word.load(std::memory_order_relaxed);
    const uint64_t mask = uint64_t{0xffff} << shift_of(i);
    while (!word.compare_exchange_weak(now, (now & ~mask) | known << shift_of(i),
                                       std::memory_order_relaxed)) {
    }
  }

  uint32_t owner(uint32_t block, uint32_t i) const noexcept {
    const uint64_t known = history_ != nullptr ? load_owner(block, i) : kNobody;
    return known == kNobody ? block : static_cast<uint32_t>(known - 1);
  }
  void own(uint32_t block, uint32_t i, uint32_t member) noexcept {
    if (history_ != nullptr && owner(block, i) != member) store_owner(block, i, member + 1);
  }

  // I1. False if another thread has the chunk, or the cell is empty.
  bool claim(uint32_t block, uint32_t i, uint32_t chunks, Part& part) noexcept {
    const uint64_t bit = uint64_t{1} << i;
    auto& word = lanes_[block].word;
    if ((word.load(std::memory_order_relaxed) & bit) != 0 ||
        (word.fetch_or(bit, std::memory_order_relaxed) & bit) != 0)
      return false;
    part = chunk_of(block, i, chunks);
    return !part.empty();
  }

  bool take_own(Local& my, uint32_t member, Part& part) noexcept {
    for (; my.looked_at < members(); ++my.looked_at) {
      const uint32_t block = (member + my.looked_at) % members();
      const uint32_t chunks = chunks_of(block);
      for (uint32_t i = chunks; i-- > 0;)
        if (owner(block, i) == member && claim(block, i, chunks, part)) return true;
    }
    my.looks_for = Local::kAny;
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
    const uint32_t chunks = chunks_of(block);
    for (uint32_t i = 0; i < chunks; ++i) {
      if (!claim(block, i, chunks, part)) continue;
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
  uint32_t k_ = 0;      // a block has 2^k cells
  LastUnit last_;
};
static_assert(LoopScheduler<Vsched>);

}  // namespace vicino::loop
