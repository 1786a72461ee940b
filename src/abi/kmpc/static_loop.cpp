// static_loop.cpp: LLVM's static loops: a thread asks once for its bounds and its stride.
#include <type_traits>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/schedule.hpp"
#include "abi/kmpc/static_bounds.hpp"
#include "abi/kmpc/watched_loop.hpp"
#include "loop/canonical.hpp"
#include "region/doacross.hpp"
#include "region/loops.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Bounds;
using kmpc::give_block;
using kmpc::give_static;
using kmpc::Ident;

namespace {

// Whether the loop may get other blocks than equal ones. Sections have blocks as well, but a
// program may rely on which thread gets the first one.
bool asks_for_block(const team::Member& me, const Ident* where, int32_t schedule) {
  if (!me.team->options.asks_for_blocks || kmpc::base_of(schedule) != kmpc::kStatic) return false;
  return where == nullptr || (where->flags & (kmpc::kWorkSections | kmpc::kWorkDistribute)) == 0;
}

// `address`: where the program called; null: where the entry point, which this is a part of, returns to.
template <class T>
[[gnu::always_inline]] inline void static_init(const void* address, const Ident* where,
                                               int32_t schedule, int32_t* last, T* lower, T* upper,
                                               std::make_signed_t<T>* stride,
                                               std::make_signed_t<T> step,
                                               std::make_signed_t<T> chunk) {
  const auto space = loop::Canonical<T>::inclusive(*lower, *upper, step);
  int32_t ignored;
  const Bounds<T> out{last != nullptr ? last : &ignored, lower, upper, stride};
  if (space.trip() == 0) {
    *stride = step;
    return out.set_empty(space);
  }
  team::Member& me = region::me();
  kmpc::Share share;
  if (kmpc::is_distribute(schedule)) {
    share = kmpc::share_of_team(*me.icvs);
  } else {
    if (me.loop.doacross != nullptr) [[unlikely]]
      me.loop.doacross->note_trip(space.trip());
    if (asks_for_block(me, where, schedule)) [[unlikely]] {
      const char* const source = where != nullptr ? where->source : nullptr;
      const site::CallSite site{address != nullptr ? address : __builtin_return_address(0), source};
      return give_block(out, space, region::begin_block(me, site, space.trip()));
    }
    ++me.met.worksharings;
    share = kmpc::share_of(me.team->size, me.id);
  }
  give_static(out, space, schedule, chunk, share);
}

// static_init() while a tool watches.
template <class T>
[[gnu::noinline, gnu::cold]] void watched_static_init(const void* address, const Ident* where,
                                                      int32_t schedule, int32_t* last, T* lower,
                                                      T* upper, std::make_signed_t<T>* stride,
                                                      std::make_signed_t<T> step,
                                                      std::make_signed_t<T> chunk) {
  const kmpc::WatchedLoop watched(abi::keep_caller(address, VICINO_FRAME()), *lower, *upper, step);
  static_init<T>(address, where, schedule, last, lower, upper, stride, step, chunk);
  watched.tell(kmpc::work_of(where, schedule), *lower, *upper);
}

}  // namespace

#define VICINO_STATIC_INIT(suffix, T)                                                           \
  VICINO_API void __kmpc_for_static_init_##suffix(                                              \
      Ident* where, int32_t, int32_t schedule, int32_t* last, T* lower, T* upper,               \
      std::make_signed_t<T>* stride, std::make_signed_t<T> step, std::make_signed_t<T> chunk) { \
    if (ompt::is_watched()) [[unlikely]]                                                        \
      return watched_static_init<T>(__builtin_return_address(0), where, schedule, last, lower,  \
                                    upper, stride, step, chunk);                                \
    static_init<T>(nullptr, where, schedule, last, lower, upper, stride, step, chunk);          \
  }
VICINO_STATIC_INIT(4, int32_t)
VICINO_STATIC_INIT(4u, uint32_t)
VICINO_STATIC_INIT(8, int64_t)
VICINO_STATIC_INIT(8u, uint64_t)

namespace {

void end_static() {
  team::Member& me = region::me();
  if (me.loop.once) [[unlikely]]
    region::end_block(me);
}

}  // namespace

VICINO_API void __kmpc_for_static_fini(Ident*, int32_t) {
  VICINO_EITHER((event::work_ends(), end_static()), end_static());
}
