// uncancelled.hpp: a call of OpenMP's is no cancellation point.
//
// open(), read(), write() and others are: pthread_cancel() acts in them. Vicino's functions are noexcept
// where a program may call them at any moment, so a thread that was cancelled there would end the process;
// and what it had begun, a lock it held or a file it had open, would be left behind.
#pragma once

#include <pthread.h>

namespace vicino {

// While it lives, the calling thread is not cancelled. On the stack, around every call that may be a
// cancellation point (pthreads(7)).
class Uncancelled {
 public:
  Uncancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~Uncancelled() { pthread_setcancelstate(before_, nullptr); }
  Uncancelled(const Uncancelled&) = delete;

 private:
  int before_;
};

}  // namespace vicino
