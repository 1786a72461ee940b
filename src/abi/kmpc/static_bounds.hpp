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

  // Gives this thread no iterations: the compiled loop tests lower against upper.
  void set_empty(const loop::Canonical<T>& space) const {
    *last = 0;
    *lower = space.value(space.trip());
    *upper = space.value(space.trip() - 1);
  }
  void set(const loop::Canonical<T>& space, loop::Range range) const {
    *lower = space.first(range);
    *upper = space.last(range);
  }
};

// Gives one range per thread; the stride moves past the loop's end.
template <class T>
void give_block(const Bounds<T>& out, const loop::Canonical<T>& space, loop::Range mine) {
  *out.stride = static_cast<std::make_signed_t<T>>(
      static_cast<std::make_unsigned_t<T>>(space.trip() * static_cast<uint64_t>(space.step())));
  if (mine.empty()) return out.set_empty(space);
  out.set(space, mine);
  *out.last = mine.end == space.trip();
}

// Gives this thread's first chunk, and the distance to its next one. The compiled loop clips the
// chunks' ends.
template <class T>
void give_chunks(const Bounds<T>& out, const loop::Canonical<T>& space, uint64_t chunk,
                 uint64_t members, uint64_t member) {
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

// Gives member `member` of `members` its part by a static schedule. `size`: the chunk, at least 1.
template <class T>
void give_static(const Bounds<T>& out, const loop::Canonical<T>& space, int32_t schedule,
                 uint64_t size, uint32_t members, uint32_t member) {
  if (members == 1) return give_block(out, space, {0, space.trip()});
  switch (base_of(schedule)) {
    case kStaticChunked:
    case kDistributeStaticChunked:
      return give_chunks(out, space, size, members, member);
    case kStaticBalancedChunked: {  // for simd: blocks of whole chunks
      const uint64_t block =
          (space.trip() / members + (space.trip() % members != 0) + size - 1) / size * size;
      return give_chunks(out, space, block, members, member);
    }
    default:
      return give_block(out, space, loop::static_block(space.trip(), members, member));
  }
}

// The part of the team to which a task with these ICVs belongs.
template <class T>
void distribute(const Bounds<T>& out, const loop::Canonical<T>& space, int32_t schedule,
                uint64_t size, const team::Icvs& icvs) {
  give_static(out, space, schedule, size, static_cast<uint32_t>(icvs.league_size),
              static_cast<uint32_t>(icvs.team_num));
}
inline loop::Range block_of_team(uint64_t trip, const team::Icvs& icvs) noexcept {
  return loop::static_block(trip, static_cast<uint32_t>(icvs.league_size),
                            static_cast<uint32_t>(icvs.team_num));
}

}  // namespace vicino::kmpc
