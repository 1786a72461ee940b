// through.hpp: what happens around each call that can wait for other processes.
//
// Nesting  An MPI calls itself by public names, and Fortran's entry points call those of C. Only the
//          outermost call counts: the thread remembers where on the stack that one is, and a call
//          deeper on the stack is inside of it. A program may leave a call by longjmp(), in an error
//          handler: then the next call is not deeper, and is again an outermost one. A counter would
//          stay wrong for ever.
// Slack    After each call that is timed the waiting time goes to vicino_slack_add() of libvicino, if it is there.
// Trace    Where one is written, the library is told of each call: told.hpp.
// Lending  `call` begins the operation and polls where cores are lent: lend.hpp.
#pragma once

#include <utility>

#include "lend.hpp"
#include "pace.hpp"
#include "sites.hpp"
#include "stopwatch.hpp"
#include "told.hpp"

#define VICINO_CALLER \
  ::vicino::pmpi::Caller { __builtin_return_address(0), __builtin_frame_address(0) }

namespace vicino::pmpi {

inline thread_local constinit const void* outermost_frame = nullptr;
inline thread_local constinit Pace pace;

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

// A call has ended. Not inline: there are hundreds of wrappers.
Site& count(Function& function, Caller caller, uint64_t bytes) noexcept;
// It was timed: from `begin` to `end`.
void count_time(Site& site, Function& function, uint64_t begin, uint64_t end,
                uint64_t bytes) noexcept;

// MPI has begun in this process, on this thread; is about to end; is about to be aborted.
void began() noexcept;
void ending() noexcept;
void aborting_now() noexcept;

// Whether a call is plain: an outermost one that is not timed, lends nothing and is not told. To be asked once for a call.
// Nearly all calls of a program to which their cost matters are plain.
inline bool is_plain() noexcept {
  return outermost_frame == nullptr && !is_special() && !pace.times_next();
}

// Any other call. `call` returns MPI's error code; `bytes` tells the bytes of a call that has succeeded.
template <class Call, class Bytes>
[[gnu::noinline]] int through(Function& function, Caller caller, Call call, Bytes bytes) {
  const Outermost outermost(caller);
  if (!outermost) return call();
  Told told(function, caller);
  const bool is_timed = pace.times_next();
  const uint64_t begin = is_timed ? clock_now() : 0;
  const int error = call();
  const uint64_t end = is_timed ? clock_now() : 0;
  const uint64_t size = error == 0 ? bytes() : 0;
  told.bytes = size;
  Site& site = count(function, caller, size);
  if (is_timed) count_time(site, function, begin, end, size);
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
