// dispatch.cpp: LLVM's loops in which a thread asks for each chunk.
#include <algorithm>
#include <type_traits>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/schedule.hpp"
#include "abi/kmpc/static_bounds.hpp"
#include "abi/watched.hpp"
#include "loop/canonical.hpp"
#include "region/doacross.hpp"
#include "region/loops.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;
using loop::ScheduleKind;
using region::Asked;
using region::LoopRequest;
using region::Order;
using team::Member;

namespace {

[[gnu::always_inline]] inline Asked asked_for(const Member& member, int32_t schedule,
                                              uint64_t chunk) {
  // Compilers of OpenMP 5 say nonmonotonic when the program says nothing. Without it the loop is
  // from OpenMP 4.5, and so monotonic, or the program asked for monotonic.
  const bool monotonic = (schedule & kmpc::kNonmonotonic) == 0;
  const Order order = kmpc::is_ordered(schedule) ? Order::kOrdered
                      : monotonic                ? Order::kMonotonic
                                                 : Order::kAny;
  Asked asked{.order = order, .chunk = chunk};
  switch (kmpc::base_of(schedule)) {
    case kmpc::kDynamic:
    case kmpc::kStaticSteal:
      asked.kind = ScheduleKind::kDynamic;
      break;
    case kmpc::kGuided:
    case kmpc::kGuidedIterative:
    case kmpc::kGuidedAnalytical:
    case kmpc::kGuidedSimd:
      asked.kind = ScheduleKind::kGuided;
      break;
    case kmpc::kTrapezoidal:
      asked.kind = ScheduleKind::kTrapezoid;
      break;
    case kmpc::kRuntime:
    case kmpc::kRuntimeSimd:
      asked = region::asked_at_run_time(member);
      asked.order = std::max(asked.order, order);
      break;
    case kmpc::kAuto:
      asked.kind = ScheduleKind::kAuto;
      asked.chunk = 0;
      break;
    case kmpc::kStaticChunked:
      break;
    default:
      asked.chunk = 0;
  }
  return asked;
}

bool is_simd(int32_t schedule) {
  const int32_t base = kmpc::base_of(schedule);
  return base == kmpc::kGuidedSimd || base == kmpc::kRuntimeSimd ||
         base == kmpc::kStaticBalancedChunked;
}

// The schedules of simd loops hand out whole vectors; their `chunk` argument is the vector's
// length. Every piece except the last is a multiple of vector times chunk. So the loop becomes one
// over such pieces, with one piece per chunk.
void cut_in_vectors(loop::UserBounds& bounds, Asked& asked, uint64_t length) {
  bounds.cut_in_pieces(length * std::max<uint64_t>(asked.chunk, 1));
  asked.chunk = std::min<uint64_t>(asked.chunk, 1);
}

template <class T>
void dispatch_init(const site::CallSite& site, int32_t schedule, T lower, T upper,
                   std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
  Member& member = region::me();
  loop::UserBounds bounds = loop::Canonical<T>::inclusive(lower, upper, step).bounds();
  const uint64_t size = chunk > 0 ? static_cast<uint64_t>(chunk) : 0;
  const bool simd = is_simd(schedule) && size > 0;
  LoopRequest request{.asked = asked_for(member, schedule, simd ? 0 : size),
                      .form = LoopRequest::Form::kLlvmChunks,
                      .site = site};
  if (simd) cut_in_vectors(bounds, request.asked, size);
  if (member.loop.doacross != nullptr) [[unlikely]] {
    request.wait_for_earlier();
    member.loop.doacross->note_trip(bounds.iterations);
  }
  region::begin_loop(member, bounds, request);
}

// The threads of a team share out the team's block of the loop. `last`: whether it is the last one.
template <class T>
void dist_dispatch_init(const site::CallSite& site, int32_t schedule, int32_t* last, T lower,
                        T upper, std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
  const auto space = loop::Canonical<T>::inclusive(lower, upper, step);
  const loop::Range block = kmpc::block_of_team(space.trip(), *region::me().icvs);
  if (last != nullptr) *last = !block.empty() && block.end == space.trip();
  if (block.empty())  // bounds between which there is no iteration
    return dispatch_init<T>(site, schedule, step > 0, step < 0, step, chunk);
  dispatch_init<T>(site, schedule, space.first(block), space.last(block), step, chunk);
}

template <class T>
int32_t dispatch_next(int32_t* last, T* lower, T* upper, std::make_signed_t<T>* stride) {
  Member& member = region::me();
  const loop::Range chunk = region::next_chunk(member);
  if (chunk.empty()) return 0;
  const loop::UserBounds& user = member.loop.bounds;
  const uint64_t first = user.begin_of(chunk), end = user.end_of(chunk);
  *lower = static_cast<T>(user.value(first));
  *upper = static_cast<T>(user.value(end - 1));
  if (stride != nullptr) *stride = static_cast<std::make_signed_t<T>>(user.step);
  if (last != nullptr) *last = chunk.end == user.trip;
  return 1;
}

}  // namespace

#define VICINO_DISPATCH(suffix, T)                                                                 \
  VICINO_API void __kmpc_dispatch_init_##suffix(Ident* where, int32_t, int32_t schedule, T lower,  \
                                                T upper, std::make_signed_t<T> step,               \
                                                std::make_signed_t<T> chunk) {                     \
    dispatch_init<T>({__builtin_return_address(0), where != nullptr ? where->source : nullptr},    \
                     schedule, lower, upper, step, chunk);                                         \
  }                                                                                                \
  VICINO_API void __kmpc_dist_dispatch_init_##suffix(                                              \
      Ident* where, int32_t, int32_t schedule, int32_t* last, T lower, T upper,                    \
      std::make_signed_t<T> step, std::make_signed_t<T> chunk) {                                   \
    dist_dispatch_init<T>(                                                                         \
        {__builtin_return_address(0), where != nullptr ? where->source : nullptr}, schedule, last, \
        lower, upper, step, chunk);                                                                \
  }                                                                                                \
  VICINO_API int32_t __kmpc_dispatch_next_##suffix(Ident*, int32_t, int32_t* last, T* lower,       \
                                                   T* upper, std::make_signed_t<T>* stride) {      \
    return dispatch_next<T>(last, lower, upper, stride);                                           \
  }                                                                                                \
  VICINO_API void __kmpc_dispatch_fini_##suffix(Ident*, int32_t) {                                 \
    region::iteration_done(region::me());                                                          \
  }
VICINO_DISPATCH(4, int32_t)
VICINO_DISPATCH(4u, uint32_t)
VICINO_DISPATCH(8, int64_t)
VICINO_DISPATCH(8u, uint64_t)

VICINO_API void __kmpc_dispatch_deinit(Ident*, int32_t) {}

VICINO_API void __kmpc_ordered(Ident*, int32_t) {
  VICINO_EITHER(abi::watched_enter_ordered(region::me()), region::enter_ordered(region::me()));
}
VICINO_API void __kmpc_end_ordered(Ident*, int32_t) {
  VICINO_EITHER(abi::watched_leave_ordered(region::me()), region::leave_ordered(region::me()));
}
