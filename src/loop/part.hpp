// part.hpp: the units that a lane has left, in one word: taken from the front, stolen from the
// back.
//
// Why    In Cilk's THE protocol, which the iCh paper uses, the owner stores, fences, looks, and
//        falls back to a lock. Here both ends are in one word, and one CAS moves either. On x86 the
//        CAS costs what the fence does, and there is no lock in which a thread can be preempted.
//
// A word is `begin << 32 | end`. Invariants
//  I1 a unit is in one lane, or on its way between two, or with one member; every move out of a
//     lane is one CAS on the one word that held it.
//  I2 a lane is filled only when it is empty, and by one thread at a time: its member, or, if
//     several members share the lane, the holder of its claim. Other threads leave empty lanes
//     alone; so the plain store that fills a lane cannot overwrite a steal.
//  I3 equal words mean equal states: a CAS that succeeds on a word read long ago takes units that
//     are in that lane now (no ABA).
// Memory order: relaxed. A claim carries no data; the ring publishes the lanes' first words
// (ring.hpp, R2), and the barrier publishes the results.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/say.hpp"
#include "loop/plan.hpp"

namespace vicino::loop {

struct Part {
  uint32_t begin = 0, end = 0;

  static constexpr Part of(uint64_t word) noexcept {
    return {static_cast<uint32_t>(word >> 32), static_cast<uint32_t>(word)};
  }
  constexpr uint64_t word() const noexcept { return uint64_t{begin} << 32 | end; }
  constexpr bool empty() const noexcept { return begin == end; }
  constexpr uint32_t size() const noexcept { return end - begin; }
};

inline Part left_in(const Lane& lane) noexcept {
  return Part::of(lane.word.load(std::memory_order_relaxed));
}

inline void fill(Lane& lane, Part part) noexcept {
  lane.word.store(part.word(), std::memory_order_relaxed);
}

// Takes from the front as many of the units left as `count` says.
template <class Count>
Part take(Lane& lane, Count count) noexcept {
  uint64_t word = lane.word.load(std::memory_order_relaxed);
  for (;;) {
    const Part left = Part::of(word);
    VICINO_CHECK(I1, left.begin <= left.end);
    if (left.empty()) return {};
    const Part taken{left.begin, left.begin + std::min<uint32_t>(count(left.size()), left.size())};
    if (lane.word.compare_exchange_weak(word, Part{taken.end, left.end}.word(),  // I1
                                        std::memory_order_relaxed))
      return taken;
  }
}

// Steals from the back as many as `count` says of the units left at `from` or beyond.
template <class Count>
Part steal(Lane& lane, Count count, uint32_t from = 0) noexcept {
  uint64_t word = lane.word.load(std::memory_order_relaxed);
  for (;;) {
    const Part left = Part::of(word);
    const uint32_t begin = std::max(left.begin, from);
    if (begin >= left.end) return {};
    const uint32_t stolen =
        left.end - std::min<uint32_t>(count(left.end - begin), left.end - begin);
    if (lane.word.compare_exchange_weak(word, Part{left.begin, stolen}.word(),  // I1
                                        std::memory_order_relaxed))
      return {stolen, left.end};
  }
}

// Steals half of them, rounded up.
inline Part steal_half(Lane& lane, uint32_t from = 0) noexcept {
  return steal(lane, [](uint32_t left) { return (left + 1) / 2; }, from);
}

// Where the static part of a block ends that is the fraction `f` of the block.
constexpr uint32_t static_end(Part block, double f) noexcept {
  return block.begin + std::min(static_cast<uint32_t>(f * block.size()), block.size());
}

// Lane i of n begins with the i-th of n equal shares, as in a static loop.
constexpr Part share_of(uint64_t units, uint32_t lanes, uint32_t lane) noexcept {
  const uint64_t size = units / lanes, longer = units % lanes;
  const uint64_t begin = lane * size + std::min<uint64_t>(lane, longer);
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + size + (lane < longer))};
}

}  // namespace vicino::loop
