// fiber.hpp: a stack to run a simulated thread on.
//
// Why ucontext and not Boost.Context: there is nothing to install, and the two signal-mask calls
// per switch do not matter, since an execution has only a few switches.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <memory>

namespace vicino::model {

class Fiber {
 public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The next switch to this fiber calls `entry`, which must not return. Its earlier activity is
  // forgotten without unwinding the stack.
  void start(void (*entry)());

  // Leaves the running fiber, `from`, for `to`.
  static void change(Fiber& from, Fiber& to) noexcept;

 private:
  static constexpr std::size_t kStack = 256 * 1024;
  ucontext_t context_{};
  std::unique_ptr<std::byte[]> stack_;  // none for the fiber that represents the caller
};

}  // namespace vicino::model
