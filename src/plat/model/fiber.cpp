#include "plat/model/fiber.hpp"

namespace vicino::model {

void Fiber::start(void (*entry)()) {
  if (!stack_) stack_ = std::make_unique_for_overwrite<std::byte[]>(kStack);
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack_.get();
  context_.uc_stack.ss_size = kStack;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
}

void Fiber::change(Fiber& from, Fiber& to) noexcept { swapcontext(&from.context_, &to.context_); }

}  // namespace vicino::model
