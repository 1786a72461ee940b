// thread_id.hpp: the kernel's number of the calling thread.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace vicino {

// glibc has a function of its own for it only since 2.30, and Vicino runs on 2.28.
inline int thread_id() noexcept { return static_cast<int>(syscall(SYS_gettid)); }

}  // namespace vicino
