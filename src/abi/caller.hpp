// caller.hpp: the head of an entry point, for a tool (OMPT).
#pragma once

#include "ompt/tool.hpp"

namespace vicino::abi {

// Keeps in the thread's record where the program has called the runtime. A thread that has met no construct
// yet becomes a root. False if there is no tool.
bool keep_caller(const void* address, void* frame) noexcept;

inline bool note_caller(const void* address, void* frame) noexcept {
  return ompt::is_watched() && keep_caller(address, frame);
}

// body(is_told), out of line. An entry point jumps here, so the frame is still that of its caller; were it
// to call, the frame would be the entry point's, which does as well. What the body has, the entry point's
// arguments, comes first, as it came to the entry point.
template <class Body>
[[gnu::noinline, gnu::cold]] auto call_watched(Body body, const void* address) {
  return body(keep_caller(address, VICINO_FRAME()));
}

}  // namespace vicino::abi

// In an entry point itself: whether a tool watches. The call is kept then, and the events that
// follow name it.
#define VICINO_WATCHED() \
  __builtin_expect(vicino::abi::note_caller(__builtin_return_address(0), VICINO_FRAME()), false)

// A whole entry point: returns `told` while a tool watches, else `plain`. Its plain code needs no stack
// for the sake of the tool, as it would if it went on after VICINO_WATCHED().
#define VICINO_EITHER(told, plain)                                                               \
  do {                                                                                           \
    if (vicino::ompt::is_watched()) [[unlikely]]                                                 \
      return vicino::abi::call_watched([=](bool is_told) { return is_told ? (told) : (plain); }, \
                                       __builtin_return_address(0));                             \
    return (plain);                                                                              \
  } while (false)
