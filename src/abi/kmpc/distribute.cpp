// distribute.cpp: LLVM's loops that are shared out among the teams of a league and then among the
// threads of each team, in one call; and those that teams take in chunks.
#include <type_traits>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/static_bounds.hpp"
#include "abi/kmpc/watched_loop.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Bounds;
using kmpc::Ident;
using loop::Canonical;

namespace {

// `upper_of_team`: where the team's own block ends; the thread's bounds lie within it.
template <class T>
void distribute_for(int32_t schedule, int32_t* last, T* lower, T* upper, T* upper_of_team,
                    std::make_signed_t<T>* stride, std::make_signed_t<T> step,
                    std::make_signed_t<T> chunk) {
  const auto space = Canonical<T>::inclusive(*lower, *upper, step);
  int32_t ignored;
  const Bounds<T> out{last != nullptr ? last : &ignored, lower, upper, stride};
  *stride = step;
  const team::Member& me = region::me();
  const loop::Range block = kmpc::block_of_team(space.trip(), *me.icvs);
  if (block.empty()) {
    out.set_empty(space);
    *upper_of_team = *upper;
    return;
  }
  *upper_of_team = space.last(block);
  const auto own = Canonical<T>::inclusive(space.first(block), space.last(block), step);
  kmpc::give_static(out, own, schedule, chunk, kmpc::share_of(me.team->size, me.id));
  if (block.end != space.trip()) *out.last = 0;
}

template <class T>
void distribute_chunks(int32_t* last, T* lower, T* upper, std::make_signed_t<T>* stride,
                       std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
  const auto space = Canonical<T>::inclusive(*lower, *upper, step);
  int32_t ignored;
  const Bounds<T> out{last != nullptr ? last : &ignored, lower, upper, stride};
  *stride = step;
  if (space.trip() == 0) return out.set_empty(space);
  kmpc::give_static(out, space, kmpc::kDistributeStaticChunked, chunk,
                    kmpc::share_of_team(*region::me().icvs));
}

}  // namespace

#define VICINO_DISTRIBUTE(suffix, T)                                                     \
  VICINO_API void __kmpc_dist_for_static_init_##suffix(                                  \
      Ident* where, int32_t, int32_t schedule, int32_t* last, T* lower, T* upper,        \
      T* upper_of_team, std::make_signed_t<T>* stride, std::make_signed_t<T> step,       \
      std::make_signed_t<T> chunk) {                                                     \
    const kmpc::WatchedLoop watched(VICINO_WATCHED(), *lower, *upper, step);             \
    distribute_for<T>(schedule, last, lower, upper, upper_of_team, stride, step, chunk); \
    watched.tell(kmpc::work_of(where, schedule), *lower, *upper);                        \
  }                                                                                      \
  VICINO_API void __kmpc_team_static_init_##suffix(                                      \
      Ident*, int32_t, int32_t* last, T* lower, T* upper, std::make_signed_t<T>* stride, \
      std::make_signed_t<T> step, std::make_signed_t<T> chunk) {                         \
    distribute_chunks<T>(last, lower, upper, stride, step, chunk);                       \
  }
VICINO_DISTRIBUTE(4, int32_t)
VICINO_DISTRIBUTE(4u, uint32_t)
VICINO_DISTRIBUTE(8, int64_t)
VICINO_DISTRIBUTE(8u, uint64_t)

// By Intel's compilers; LLVM's end these loops by __kmpc_for_static_fini().
VICINO_API void __kmpc_dist_for_static_fini(Ident*, int32_t) {
  VICINO_EITHER(event::work_ends(), void());
}
