// through.hpp: what happens around each call that can wait for other processes.
//
// Nesting  An MPI calls itself by public names, and Fortran's entry points call those of C. Only the
//          outermost call counts: the thread remembers where on the stack that one is, and a call
//          deeper on the stack is inside of it. A program may leave a call by longjmp(), in an error
//          handler: then the next call is not deeper, and is again an outermost one. A counter would
//          stay wrong for ever.
// Slack    After each call the waiting time goes to vicino_slack_add() of libvicino, if it is there.
// Lending  `call` begins the operation and polls where cores are lent: lend.hpp.
#pragma once

#include <utility>

#include "sites.hpp"
#include "stopwatch.hpp"

#define VICINO_CALLER \
  ::vicino::pmpi::Caller { __builtin_return_address(0), __builtin_frame_address(0) }

namespace vicino::pmpi {

inline thread_local constinit const void* outermost_frame = nullptr;

class Outermost {
 public:
  explicit Outermost(const Caller& caller) noexcept
      : is_(outermost_frame == nullptr || caller.frame >= outermost_frame) {
    if (is_) outermost_frame = caller.frame;
  }
  ~Outermost() {
    if (is_) outermost_frame = nullptr;
  }
  Outermost(const Outermost&) = delete;

  explicit operator bool() const noexcept { return is_; }

 private:
  const bool is_;
};

// A call has ended that took `ns`. Not inline: there are hundreds of wrappers.
void count(Function& function, Caller caller, uint64_t ns, uint64_t bytes) noexcept;

// MPI has begun in this process, on this thread; is about to end; is about to be aborted.
void began() noexcept;
void ending() noexcept;
void aborting_now() noexcept;

// `call` returns MPI's error code; `bytes` tells the bytes of a call that has succeeded. Each is called at one place,
// so the compiler inlines it and the parameters stay in registers.
template <class Call, class Bytes>
int through(Function& function, Caller caller, Call call, Bytes bytes) {
  const Outermost outermost(caller);
  const Stopwatch stopwatch(static_cast<bool>(outermost));
  const int error = call();
  if (outermost) [[likely]] {
    const uint64_t ns = stopwatch.ns();
    count(function, caller, ns, error == 0 ? bytes() : 0);
  }
  return error;
}

template <class Call>
int initialising(const Caller& caller, Call call) {
  const Outermost outermost(caller);
  if (outermost) begin_to_measure_ticks();
  const int error = call();
  if (outermost && error == 0) began();
  return error;
}

template <class Call>
int finalising(const Caller& caller, Call call) {
  const Outermost outermost(caller);
  if (outermost) ending();
  return call();
}

template <class Call>
int aborting(const Caller& caller, Call call) {
  const Outermost outermost(caller);
  if (outermost) aborting_now();
  return call();
}

}  // namespace vicino::pmpi
