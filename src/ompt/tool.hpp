// tool.hpp: whether a tool watches the program, and what it wants to be told (OMPT).
//
// Cost   without a tool each event costs a test of one word that is 0, or nothing where it shares
//        the test of something else (Icvs::is_plain(), Task::kWatched). All other code of OMPT is
//        reached through that test, and is marked cold.
// Start  the word is not 0 before it is known whether there is a tool; the first event finds that
//        out (event/start.hpp).
// See    docs/design/ompt.md
//
// Memory order: relaxed. The tool is started before the first thread has a record and so before
// any event; a thread's first event is behind event::is_on(), which is an acquire, or waits where the tool has not
// started yet. After the end of the tool a late thread may still tell it something, as OMPT allows.
#pragma once

#include "ompt/records.hpp"
#include "plat/plat.hpp"

namespace vicino::ompt {

enum Watch : uint32_t {
  kOff = 0,
  kOn = 1,
  kUnknown = 2,  // nobody has looked for a tool yet
};
[[gnu::visibility("hidden")]] extern constinit plat::atomic<uint32_t> watch;

// Whether events may have to be told.
inline bool is_watched() noexcept { return watch.load(std::memory_order_relaxed) != kOff; }

// Whether a tool watches, as far as that is known.
inline bool has_tool() noexcept { return watch.load(std::memory_order_relaxed) == kOn; }

// Whether a tool watches or has watched. Where it has been shut down while other threads run, their regions stay watched
// regions, and so are those inside of them. Relaxed: set once, before (S1) of event/start.cpp, which every root has met.
[[gnu::visibility("hidden")]] extern constinit plat::atomic<bool> had_tool;

// The tool's functions for events. Of kAsleep the waits know only where a tool wants to be told.
InterfaceFunction callback(Event event) noexcept;
void set_callback(Event event, InterfaceFunction function) noexcept;

// Calls the tool's function for the event, if it has one. The arguments have the types of OMPT's
// declaration.
template <class... Arguments>
[[gnu::cold]] void tell(Event event, Arguments... arguments) noexcept {
  if (const InterfaceFunction function = callback(event))
    reinterpret_cast<void (*)(Arguments...)>(function)(arguments...);
}

// The calling thread's record; null before it has one.
extern thread_local constinit ThreadRecord* thread;

}  // namespace vicino::ompt

// VICINO_FRAME(): where the frame of the present function begins, its canonical frame address.
//
// Clang's __builtin_dwarf_cfa() has the function keep a frame pointer, which takes three instructions of each entry
// point on x86-64, and on Arm it gives the frame pointer itself, which is another address. What these names stand for
// takes nothing until it is asked: they are functions of LLVM's own, which C++ has no other names for.
#ifndef __clang__
#define VICINO_FRAME() __builtin_dwarf_cfa()
#elif defined __x86_64__
namespace vicino {
void* place_of_return_address() noexcept __asm__("llvm.addressofreturnaddress.p0");
}  // namespace vicino
#define VICINO_FRAME() \
  static_cast<void*>(static_cast<void**>(vicino::place_of_return_address()) + 1)
#else
namespace vicino {
void* stack_at_entry() noexcept __asm__("llvm.sponentry.p0");
}  // namespace vicino
#define VICINO_FRAME() vicino::stack_at_entry()
#endif
