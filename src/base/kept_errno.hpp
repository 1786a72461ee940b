// kept_errno.hpp: a call of OpenMP's leaves errno as the program has it.
#pragma once

#include <errno.h>

namespace vicino {

// When it ends, errno is what it was when it began.
class KeptErrno {
 public:
  KeptErrno() noexcept : kept_(errno) {}
  ~KeptErrno() { errno = kept_; }
  KeptErrno(const KeptErrno&) = delete;

 private:
  const int kept_;
};

}  // namespace vicino
