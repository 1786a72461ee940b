// sites.hpp: the places in a program that call MPI, each with its call path, and what happened
// there.
//
// Key    Function, return address and depth of the stack. The return address alone would put all
//        users of a solver's `exchange()` together; a whole backtrace for each call would cost
//        microseconds. Program counter and stack depth together identify a call path nearly always:
//        T. Mytkowicz, D. Coughlin, A. Diwan, "Inferred call path profiling", OOPSLA 2009.
// Cost   A hit in the thread's cache of recent sites costs three comparisons. Else a lookup is a hash and two
//        lines of memory. Two additions count the call, and two more its time. The first call at a site
//        also walks the stack.
// Not    a growing table: when it is full, one more site stands for all others.
//
// Memory order: a site belongs to the thread that put the key into its slot; that thread writes the
// rest and then `ready` (S1: release; acquire in for_each_site()). The counters are relaxed, since
// each is a sum of its own, and a report is made when the calls are over.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/spread.hpp"
#include "function.hpp"

namespace vicino::pmpi {

// From whom a call came.
struct Caller {
  const void* address;  // the return address
  const void* frame;    // in the stack, of the wrapper
};

struct Site {
  static constexpr int kFrames = 8;

  std::atomic<uint64_t> key{0};  // 0: a free slot
  std::atomic<bool> ready{false};
  const Function* function = nullptr;  // null: the site of all others
  std::array<const void*, kFrames>
      path{};  // return addresses, innermost first; null behind the last
  std::atomic<uint64_t> calls{0}, bytes{0}, ns{0}, waiting_ns{0};
};

inline constexpr uint64_t kSites = 4096;

// A site that the thread had lately. On one thread's stack, frame and depth determine each other, so the frame is
// compared.
struct Recent {
  const void* address = nullptr;
  const void* frame = nullptr;
  const Function* function = nullptr;
  Site* site = nullptr;

  bool is(const Function& its, const Caller& caller) const noexcept {
    return address == caller.address && frame == caller.frame && function == &its;
  }
};
inline constexpr int kRecentBits = 3;
inline thread_local constinit std::array<Recent, size_t{1} << kRecentBits> recent_sites{};

// Looks the site of a call up in the table; makes it if this is its first.
void find_site(Recent& recent, const Function& function, Caller caller) noexcept;

inline Recent& recent_site(const Caller& caller) noexcept {
  return recent_sites[spread(caller.address, kRecentBits)];
}

// In no order.
void for_each_site(void (*visit)(const Site& site, void* data), void* data);

}  // namespace vicino::pmpi
