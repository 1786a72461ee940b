// told.hpp: calls of MPI in the trace that libvicino writes (VICINO_TRACE).
//
// The library is told of a call's begin and end by two of its functions, if it is there. Without a trace no call makes a
// test for this: is_plain() has one for it and for lending.
#pragma once

#include "lend.hpp"
#include "sites.hpp"

namespace vicino::pmpi {

// When MPI has begun: whether a trace is asked for.
void look_for_trace() noexcept;

// A call that is under way.
class Told {
 public:
  Told(const Function& function, const Caller& caller) noexcept
      : is_((special.load(std::memory_order_relaxed) & kTraces) != 0) {
    if (is_) [[unlikely]]
      begin(function, caller);
  }
  ~Told() {
    if (is_) [[unlikely]]
      end(bytes);
  }
  Told(const Told&) = delete;

  uint64_t bytes = 0;

 private:
  static void begin(const Function& function, const Caller& caller) noexcept;
  static void end(uint64_t bytes) noexcept;

  const bool is_;
};

}  // namespace vicino::pmpi
