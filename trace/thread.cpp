#include "thread.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace vicino::trace {

Thread::Thread(uint32_t its_number, bool initial)
    : number(its_number), is_initial(initial), tid(static_cast<pid_t>(syscall(SYS_gettid))) {
  constexpr size_t kUsualDepth = 64;
  open_.reserve(kUsualDepth);
  note_place();
  knows_place_ = false;
}

void Thread::note_place() noexcept {
  if (knows_place_) return;
  knows_place_ = true;
  unsigned cpu_now = 0, node_now = 0;
  if (syscall(SYS_getcpu, &cpu_now, &node_now, nullptr) != 0) return;
  cpu.store(cpu_now, std::memory_order_relaxed);
  node.store(node_now, std::memory_order_relaxed);
}

void Thread::end_from(size_t first, uint32_t third) noexcept {
  const uint64_t now = ticks();
  while (open_.size() > first) {
    const bool is_last = open_.size() == first + 1;
    if (open_.back().is_put) ring.put_end({now, 0, 0, is_last ? third : 0, What::kEnd});
    open_.pop_back();
  }
}

}  // namespace vicino::trace
