// fiber.hpp: a stack to run a simulated thread on.
//
// ucontext and not Boost.Context: nothing to install, and the two signal-mask calls it makes per
// switch do not matter where an execution has a handful of switches.
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

  // The next switch to this fiber calls `entry`, which must not return. What the fiber was doing
  // before is forgotten: its stack is not unwound.
  void start(void (*entry)());

  // Leaves the running fiber, `from`, for `to`.
  static void change(Fiber& from, Fiber& to) noexcept;

 private:
  static constexpr std::size_t kStack = 256 * 1024;
  ucontext_t context_{};
  std::unique_ptr<std::byte[]> stack_;  // none for the fiber that stands for the caller
};

}  // namespace vicino::model
