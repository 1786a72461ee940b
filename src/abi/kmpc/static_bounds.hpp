// static_bounds.hpp: what LLVM's static loops get: the bounds of their part, and the stride to the next one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "abi/kmpc/schedule.hpp"
#include "loop/canonical.hpp"
#include "loop/static_block.hpp"
#include "team/icvs.hpp"

namespace vicino::kmpc {

template <class T>
struct Bounds {
  int32_t* last;
  T* lower;
  T* upper;
  std::make_signed_t<T>* stride;

  // Gives this thread no iterations: the compiled loop tests lower against upper, or against upper + 1. Of a loop that
  // has none itself, value(-1) may be the largest value of T.
  void set_empty(const loop::Canonical<T>& space) const {
    const bool has_some = space.trip() > 0;
    *last = 0;
    *lower = has_some ? space.value(space.trip()) : space.step() > 0;
    *upper = has_some ? space.value(space.trip() - 1) : space.step() < 0;
  }
  void set(const loop::Canonical<T>& space, loop::Range range) const {
    *lower = space.first(range);
    *upper = space.last(range);
  }
};

// Gives one range per thread; the stride moves past the loop's end.
template <class T>
[[gnu::always_inline]] inline void give_block(const Bounds<T>& out, const loop::Canonical<T>& space,
                                              loop::Range mine) {
  *out.stride = static_cast<std::make_signed_t<T>>(
      static_cast<std::make_unsigned_t<T>>(space.trip() * static_cast<uint64_t>(space.step())));
  if (mine.empty()) return out.set_empty(space);
  out.set(space, mine);
  *out.last = mine.end == space.trip();
}

// Whose part of a loop: that of `member` of `members`, which are a team's threads or a league's teams.
struct Share {
  uint32_t members, member;
};
inline Share share_of(int members, int member) noexcept {
  return {static_cast<uint32_t>(members), static_cast<uint32_t>(member)};
}
// The part of the team to which a task with these ICVs belongs.
inline Share share_of_team(const team::Icvs& icvs) noexcept {
  return share_of(icvs.league_size, icvs.team_num);
}

// Gives this thread's first chunk, and the distance to its next one. The compiled loop clips the
// chunks' ends.
template <class T>
[[gnu::noinline]] void give_chunks(Bounds<T> out, loop::Canonical<T> space, uint64_t chunk,
                                   Share share) {
  const uint64_t members = share.members, member = share.member;
  chunk = std::min(chunk, space.trip());
  const uint64_t chunks = space.trip() / chunk + (space.trip() % chunk != 0);
  // The stride is at most the loop's length, so that adding it passes the loop's end and not the
  // type's.
  const uint64_t round = std::min(chunks, members) * chunk;
  *out.stride = static_cast<std::make_signed_t<T>>(
      static_cast<std::make_unsigned_t<T>>(round * static_cast<uint64_t>(space.step())));
  if (member >= chunks) return out.set_empty(space);
  const uint64_t begin = member * chunk;
  out.set(space, {begin, begin + std::min(chunk, space.trip() - begin)});
  *out.last = (chunks - 1) % members == member;
}

// The size of a chunk, from a clause's value.
template <class T>
uint64_t size_of(T chunk) noexcept {
  return chunk > 0 ? static_cast<uint64_t>(chunk) : 1;
}

// The size of a member's block in a simd loop: whole chunks.
inline uint64_t simd_block(uint64_t trip, uint64_t chunk, Share share) noexcept {
  return (trip / share.members + (trip % share.members != 0) + chunk - 1) / chunk * chunk;
}

// Gives a part by a static schedule. Blocks are given in the entry point itself, where the bounds are in
// registers; so nobody gets a reference to them.
template <class T>
[[gnu::always_inline]] inline void give_static(const Bounds<T>& out,
                                               const loop::Canonical<T>& space, int32_t schedule,
                                               std::make_signed_t<T> chunk, Share share) {
  loop::Range mine{0, space.trip()};
  if (share.members > 1) {
    const int32_t base = base_of(schedule);
    const uint64_t size = size_of(chunk);
    if (base == kStaticBalancedChunked)
      return give_chunks(out, space, simd_block(space.trip(), size, share), share);
    if (base == kStaticChunked || base == kDistributeStaticChunked)
      return give_chunks(out, space, size, share);
    mine = loop::static_block(space.trip(), share.members, share.member);
  }
  give_block(out, space, mine);
}

inline loop::Range block_of_team(uint64_t trip, const team::Icvs& icvs) noexcept {
  const Share share = share_of_team(icvs);
  return loop::static_block(trip, share.members, share.member);
}

}  // namespace vicino::kmpc
