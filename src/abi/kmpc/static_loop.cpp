// static_loop.cpp: LLVM's static loops: a thread asks once for its bounds and its stride.
#include <type_traits>

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/schedule.hpp"
#include "loop/canonical.hpp"
#include "loop/static_block.hpp"
#include "region/loops.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;

namespace {

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

// Whether the loop may get other blocks than equal ones. Sections have blocks as well, but a
// program may rely on which thread gets the first one.
bool asks_for_block(const team::Member& me, const Ident* where, int32_t schedule) {
  if (!me.team->options.asks_for_blocks || kmpc::base_of(schedule) != kmpc::kStatic) return false;
  return where == nullptr || (where->flags & (kmpc::kWorkSections | kmpc::kWorkDistribute)) == 0;
}

template <class T>
void static_init(const void* address, const Ident* where, int32_t schedule, int32_t* last, T* lower,
                 T* upper, std::make_signed_t<T>* stride, std::make_signed_t<T> step,
                 std::make_signed_t<T> chunk) {
  const auto space = loop::Canonical<T>::inclusive(*lower, *upper, step);
  int32_t ignored;
  const Bounds<T> out{last != nullptr ? last : &ignored, lower, upper, stride};
  if (space.trip() == 0) {
    *out.last = 0;
    *stride = step;
    return;
  }
  team::Member& me = team::me();
  if (asks_for_block(me, where, schedule)) [[unlikely]] {
    const char* const source = where != nullptr ? where->source : nullptr;
    return give_block(out, space, region::begin_block(me, {address, source}, space.trip()));
  }
  ++me.met.worksharings;
  auto members = static_cast<uint32_t>(me.team->size);
  auto member = static_cast<uint32_t>(me.id);
  const auto size = static_cast<uint64_t>(std::max<std::make_signed_t<T>>(chunk, 1));
  if (members == 1) return give_block(out, space, {0, space.trip()});
  switch (kmpc::base_of(schedule)) {
    case kmpc::kDistributeStatic:
    case kmpc::kDistributeStaticChunked:
      return give_block(out, space, {0, space.trip()});  // the league is one team
    case kmpc::kStaticChunked:
      return give_chunks(out, space, size, members, member);
    case kmpc::kStaticBalancedChunked: {  // for simd: blocks of whole chunks
      const uint64_t block =
          (space.trip() / members + (space.trip() % members != 0) + size - 1) / size * size;
      return give_chunks(out, space, block, members, member);
    }
    default:
      return give_block(out, space, loop::static_block(space.trip(), members, member));
  }
}

}  // namespace

#define VICINO_STATIC_INIT(suffix, T)                                                              \
  VICINO_API void __kmpc_for_static_init_##suffix(                                                 \
      Ident* where, int32_t, int32_t schedule, int32_t* last, T* lower, T* upper,                  \
      std::make_signed_t<T>* stride, std::make_signed_t<T> step, std::make_signed_t<T> chunk) {    \
    static_init<T>(__builtin_return_address(0), where, schedule, last, lower, upper, stride, step, \
                   chunk);                                                                         \
  }
VICINO_STATIC_INIT(4, int32_t)
VICINO_STATIC_INIT(4u, uint32_t)
VICINO_STATIC_INIT(8, int64_t)
VICINO_STATIC_INIT(8u, uint64_t)

VICINO_API void __kmpc_for_static_fini(Ident*, int32_t) {
  team::Member& me = team::me();
  if (me.loop.once) [[unlikely]]
    region::end_block(me);
}
