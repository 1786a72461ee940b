// construct_memory.hpp: memory that the members of a team share for the length of one construct.
//
// Why    Some constructs need a block that the first member to come makes and the others find, and
//        that lives on when that one has left. They are rare: a lock and a search will do.
// Rule   Members meet these constructs in the same order, and each counts them
//        (Member::shared_constructs): the number is the name.
// When a block goes: a member that has passed meeting m knows that all others have arrived there.
//        So whoever makes a block takes away those whose users are known to be done; the last go
//        with the region.
#pragma once

#include <cstdint>
#include <vector>

#include "sync/lock.hpp"

namespace vicino::team {

class ConstructMemory {
 public:
  ConstructMemory() = default;
  ConstructMemory(const ConstructMemory&) = delete;
  ~ConstructMemory() { clear(); }

  struct Block {
    void* memory;
    void (*destroy)(void* memory);  // null: somebody else sees to it
  };

  // The block of construct `number`; the first to ask makes it. `meeting`: the member's last;
  // `meetings`: how many later nobody uses it any more.
  template <class Make>
  void* get(uint64_t number, uint64_t meeting, uint64_t meetings, Make make) {
    lock_.acquire(kBudget);
    void* memory = find(number);
    if (memory == nullptr) {
      drop_unused(meeting);
      const Block block = make();
      entries_.push_back({number, meeting + meetings, block});
      memory = block.memory;
    }
    lock_.release();
    return memory;
  }

  // Between regions.
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

  void drop_unused(uint64_t meeting) {
    std::erase_if(entries_, [meeting](const Entry& entry) {
      if (entry.unused_at > meeting) return false;
      entry.destroy();
      return true;
    });
  }

  sync::Lock lock_;
  std::vector<Entry> entries_;
};

}  // namespace vicino::team
