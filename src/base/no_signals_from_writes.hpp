// no_signals_from_writes.hpp: writes into other people's pipes and files must not end their program.
#pragma once

#include <signal.h>
#include <time.h>

#include <initializer_list>

#include "base/kept_errno.hpp"

namespace vicino {

// While it lives, the calling thread's writes raise no signal that could end the process; errno reports the
// same errors. The destructor removes a signal that a write has left pending.
class NoSignalsFromWrites {
 public:
  NoSignalsFromWrites() noexcept {
    sigemptyset(&raised_);
    sigset_t waiting;
    sigpending(&waiting);
    for (const int signal : {SIGXFSZ, SIGPIPE})
      if (!sigismember(&waiting, signal)) sigaddset(&raised_, signal);
    pthread_sigmask(SIG_BLOCK, &raised_, &before_);
  }
  ~NoSignalsFromWrites() {
    constexpr timespec kNow{0, 0};
    const KeptErrno kept;
    while (sigtimedwait(&raised_, nullptr, &kNow) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSignalsFromWrites(const NoSignalsFromWrites&) = delete;

 private:
  sigset_t raised_, before_;
};

}  // namespace vicino
