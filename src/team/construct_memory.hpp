// construct_memory.hpp: memory that the members of a team share for the length of one construct.
//
// Why    For some constructs the first member to come makes a block, the others find it, and it
//        stays when the first member has left. These constructs are rare, so a lock and a search
//        are fast enough.
// Rule   Members meet these constructs in the same order, and each member counts them
//        (ConstructCounts::shared of member.hpp). The count identifies the block.
// End    A member that has passed the barrier with generation m knows that all others have arrived
//        there. So a member that makes a block frees those that no member uses any more; the
//        remaining ones are freed after the region. Where members count themselves out, the last
//        one releases the block. A construct that may hold barriers or other such constructs says
//        at its end when its block will be unused (end()). A team of one does not count its
//        barriers, and an initial team's region does not end. There the constructs that it has met
//        stand for the generations.
//
// Memory order: all is under `lock_`, and its L1 and L2 (sync/lock.hpp) pair. clear() takes no
// lock: only the primary thread runs then (F2 of region/fork.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "sync/lock.hpp"

namespace vicino::team {

struct Member;

// Which barriers a member has passed, or, in a team of one, how many of these constructs it has
// met.
uint64_t memory_generation(const Member& member) noexcept;

class ConstructMemory {
 public:
  ConstructMemory() = default;
  ConstructMemory(const ConstructMemory&) = delete;
  ~ConstructMemory() { clear(); }

  struct Block {
    void* memory;
    void (*destroy)(void* memory);  // null: other code frees the memory
  };

  // The block of construct `number`; the first member to ask makes it. `generation`: the member's
  // (memory_generation()). After `generations` further barriers no member uses the block any more.
  template <class Make>
  void* get(uint64_t number, uint64_t generation, uint64_t generations, Make make) {
    lock_.acquire(kBudget);  // L1
    void* memory = find(number);
    if (memory == nullptr) {
      drop_if([generation](const Entry& entry) { return entry.unused_at <= generation; });
      const Block block = make();
      entries_.push_back({number, generation + generations, block});
      memory = block.memory;
    }
    lock_.release();  // L2
    return memory;
  }

  // As `generations`: the block stays until it is released, its end is told, or the region ends.
  static constexpr uint64_t kUntilReleased = UINT64_MAX / 2;
  // No member uses this block any more when it has passed its next barrier. `generation`: that of the
  // member that calls.
  void end(const void* memory, uint64_t generation) noexcept {
    lock_.acquire(kBudget);  // L1
    for (Entry& entry : entries_)
      if (entry.block.memory == memory) entry.unused_at = generation + 1;
    lock_.release();  // L2
  }
  // No member uses this block any more.
  void release(const void* memory) {
    lock_.acquire(kBudget);  // L1
    drop_if([memory](const Entry& entry) { return entry.block.memory == memory; });
    lock_.release();  // L2
  }

  // Called between regions.
  void clear() noexcept {
    for (const Entry& entry : entries_) entry.destroy();
    entries_.clear();
  }

 private:
  static constexpr plat::Budget kBudget{.ns = 20'000};
  struct Entry {
    uint64_t number, unused_at;
    Block block;
    void destroy() const {
      if (block.destroy != nullptr) block.destroy(block.memory);
    }
  };

  void* find(uint64_t number) const noexcept {
    for (const Entry& entry : entries_)
      if (entry.number == number) return entry.block.memory;
    return nullptr;
  }

  template <class Condition>
  void drop_if(Condition condition) {
    std::erase_if(entries_, [&condition](const Entry& entry) {
      if (!condition(entry)) return false;
      entry.destroy();
      return true;
    });
  }

  sync::Lock lock_;
  std::vector<Entry> entries_;
};

}  // namespace vicino::team
