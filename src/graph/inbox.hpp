// inbox.hpp: aggregates for the runners of a node, put there by runners of other nodes.
//
// Why    A deque has one owner that adds to it. A runner that releases an aggregate of another node
//        needs a place that any thread may add to and the node's runners look at.
// Cost   put: a compare-and-swap. Taking: one exchange for all that is there; a load to see that it
//        is empty. No memory but a word for each aggregate, which all inboxes of a run share,
//        because an aggregate is in one of them at most.
//
// The inbox is a stack: `head_` is the number of the aggregate on top plus 1, and below[i] is the
// same for the one below aggregate i; 0: none. The stack is only ever emptied as a whole. So there
// is no ABA problem: what put() has written below its aggregate is the present top whenever its
// compare-and-swap succeeds, whatever came and went before.
//
// Memory order
//  N1 put() releases the aggregate and all below it; take_all() acquires them.
#pragma once

#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::graph {

class alignas(kLinePair) Inbox {
 public:
  using Below = plat::atomic<uint32_t>;

  void put(uint32_t aggregate, Below* below) noexcept {
    uint32_t head = head_.load(std::memory_order_relaxed);
    do below[aggregate].store(head, std::memory_order_relaxed);
    while (!head_.compare_exchange_weak(head, aggregate + 1, std::memory_order_release,  // N1
                                        std::memory_order_relaxed));
  }

  // Calls use(aggregate) for each, the youngest first, and leaves the inbox empty.
  template <class Use>
  void take_all(const Below* below, Use use) noexcept {
    if (empty()) return;
    uint32_t head = head_.exchange(0, std::memory_order_acquire);  // N1
    while (head != 0) {
      const uint32_t aggregate = head - 1;
      head = below[aggregate].load(std::memory_order_relaxed);  // before another thread puts it
      use(aggregate);
    }
  }

  bool empty() const noexcept { return head_.load(std::memory_order_relaxed) == 0; }

 private:
  plat::atomic<uint32_t> head_{0};
};

}  // namespace vicino::graph
