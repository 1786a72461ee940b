// asked_length.hpp: a thread that makes tasks asks thieves how long they take.
//
// Why    A thread learns the lengths of tasks from those that it runs (lengths.hpp). If thieves take
//        all that it makes, it never learns that they are shorter than what it takes to queue one.
// What   The thread names the tasks that it wants to know about, by their code and level. A thief
//        that has run such a task writes the length. Later answers replace earlier ones that nobody
//        has read.
// Cost   a thief reads a line that changes when the thread asks for others. The thread reads one
//        that each answer moves: so it looks only when a task has been stolen.
// Memory order: each word stands for itself, so all accesses are relaxed. Names are hashes: two
// kinds of tasks of one name may be taken for each other, and a length is an estimate anyway.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/hash.hpp"
#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

class AskedLength {
 public:
  // By the thread that makes the tasks: what a thief has answered since the last call, in ns, if
  // such tasks were asked for; from now on they are.
  std::optional<uint32_t> ask(const void* code, uint32_t level) noexcept {
    const uint64_t name = name_of(code, level);
    if (asked_.load(std::memory_order_relaxed) != name) {
      asked_.store(name, std::memory_order_relaxed);
      return {};
    }
    const uint64_t answer = answer_.load(std::memory_order_relaxed);
    if (answer >> 32 != name) return {};
    answer_.store(0, std::memory_order_relaxed);
    return static_cast<uint32_t>(answer);
  }
  // By any other thread.
  bool is_asked(const void* code, uint32_t level) const noexcept {
    return asked_.load(std::memory_order_relaxed) == name_of(code, level);
  }
  void answer(const void* code, uint32_t level, uint64_t ns) noexcept {
    answer_.store(name_of(code, level) << 32 | std::min<uint64_t>(ns, UINT32_MAX),
                  std::memory_order_relaxed);
  }

 private:
  // 32 bits, not 0.
  static uint64_t name_of(const void* code, uint32_t level) noexcept {
    return splitmix64(reinterpret_cast<uintptr_t>(code) ^ uint64_t{level} << 48) >> 32 | 1;
  }

  alignas(kLine) plat::atomic<uint64_t> asked_{0};
  alignas(kLine) plat::atomic<uint64_t> answer_{0};
};

}  // namespace vicino::task
