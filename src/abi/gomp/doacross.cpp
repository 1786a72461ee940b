// doacross.cpp: GCC's doacross loops.
//
// The compiled code counts the iterations of each loop of the nest from 0, and has made one loop of
// those that are collapsed. The first is shared out; the thread that runs one of its iterations
// runs all of the inner loops.
#include "region/doacross.hpp"

#include <stdarg.h>

#include <utility>
#include <vector>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/doacross.hpp"
#include "abi/gomp/loop.hpp"
#include "abi/gomp/reductions.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using namespace vicino::gomp;

namespace {

// How many loops a nest may have without memory being asked for.
constexpr unsigned kFew = 16;

template <class Count>
void begin_nest(unsigned loops, const Count* counts) {
  loop::DoacrossLoop few[kFew];
  std::vector<loop::DoacrossLoop> many(loops > kFew ? loops : 0);
  loop::DoacrossLoop* const nest = loops > kFew ? many.data() : few;
  for (unsigned i = 0; i < loops; ++i) nest[i] = {0, 1, static_cast<uint64_t>(counts[i])};
  region::begin_doacross(region::me(), {nest, loops});
}

bool start(const void* site, const Named& named, unsigned loops, const long* counts, long chunk,
           long* first, long* last) {
  begin_nest(loops, counts);
  return start_long(site, doacross(named), 0, counts[0], 1, chunk, first, last);
}
bool start(const void* site, const Named& named, unsigned loops, const Ull* counts, Ull chunk,
           Ull* first, Ull* last) {
  begin_nest(loops, counts);
  return start_ull(site, doacross(named), true, 0, counts[0], 1, chunk, first, last);
}

template <class Count>
bool start_with(const void* site, const Named& named, unsigned loops, const Count* counts,
                Count chunk, Count* first, Count* last, uintptr_t* reductions, void** memory) {
  begin_worksharing(region::me(), reductions, memory);
  return start(site, named, loops, counts, chunk, first, last);
}

// Waits for the iteration whose numbers are the arguments of a variadic call: the first is named,
// the others are in `rest`.
template <class Count>
[[gnu::always_inline]] inline void wait(Count first, va_list rest) {
  bool at_first = true;
  region::wait_for_post(
      region::me(), [&] { return std::exchange(at_first, false) ? first : va_arg(rest, Count); });
}

// Of which iteration the arguments tell, as above, or a post's array.
template <class Count>
[[gnu::cold, gnu::noinline]] void tell_wait(Count first, va_list rest) {
  va_list copy;
  va_copy(copy, rest);
  bool at_first = true;
  abi::tell_doacross(ompt::DependenceType::kSink, region::me(),
                     [&] { return std::exchange(at_first, false) ? first : va_arg(copy, Count); });
  va_end(copy);
}
template <class Count>
[[gnu::cold, gnu::noinline]] void tell_post(const Count* counts) {
  abi::tell_doacross(ompt::DependenceType::kSource, region::me(), [&] { return *counts++; });
}

}  // namespace

#define VICINO_DOACROSS(name, named)                                                            \
  VICINO_API bool GOMP_loop_doacross_##name##_start(unsigned loops, long* counts, long chunk,   \
                                                    long* first, long* last) {                  \
    return start(__builtin_return_address(0), named, loops, counts, chunk, first, last);        \
  }                                                                                             \
  VICINO_API bool GOMP_loop_ull_doacross_##name##_start(unsigned loops, Ull* counts, Ull chunk, \
                                                        Ull* first, Ull* last) {                \
    return start(__builtin_return_address(0), named, loops, counts, chunk, first, last);        \
  }
VICINO_DOACROSS(static, kStatic)
VICINO_DOACROSS(dynamic, kDynamic)
VICINO_DOACROSS(guided, kGuided)

VICINO_API bool GOMP_loop_doacross_runtime_start(unsigned loops, long* counts, long* first,
                                                 long* last) {
  return start(__builtin_return_address(0), kRuntime, loops, counts, 0, first, last);
}
VICINO_API bool GOMP_loop_ull_doacross_runtime_start(unsigned loops, Ull* counts, Ull* first,
                                                     Ull* last) {
  return start(__builtin_return_address(0), kRuntime, loops, counts, 0, first, last);
}

VICINO_API bool GOMP_loop_doacross_start(unsigned loops, long* counts, long schedule, long chunk,
                                         long* first, long* last, uintptr_t* reductions,
                                         void** memory) {
  return start_with(__builtin_return_address(0), named_by(schedule), loops, counts, chunk, first,
                    last, reductions, memory);
}
VICINO_API bool GOMP_loop_ull_doacross_start(unsigned loops, Ull* counts, long schedule, Ull chunk,
                                             Ull* first, Ull* last, uintptr_t* reductions,
                                             void** memory) {
  return start_with(__builtin_return_address(0), named_by(schedule), loops, counts, chunk, first,
                    last, reductions, memory);
}

VICINO_API void GOMP_doacross_post(long* counts) {
  if (VICINO_WATCHED()) tell_post(counts);
  region::post(region::me(), [&] { return *counts++; });
}
VICINO_API void GOMP_doacross_ull_post(Ull* counts) {
  if (VICINO_WATCHED()) tell_post(counts);
  region::post(region::me(), [&] { return *counts++; });
}

VICINO_API void GOMP_doacross_wait(long first, ...) {
  va_list rest;
  va_start(rest, first);
  if (VICINO_WATCHED()) tell_wait(first, rest);
  wait(first, rest);
  va_end(rest);
}
VICINO_API void GOMP_doacross_ull_wait(Ull first, ...) {
  va_list rest;
  va_start(rest, first);
  if (VICINO_WATCHED()) tell_wait(first, rest);
  wait(first, rest);
  va_end(rest);
}
