// chains.hpp: chains of items that are looked up often, from all threads, and made rarely: Chained,
// and a hash table of such chains: ByAddress.
//
// Cost   a hit: one cache line for each item of the chain; in ByAddress a multiplication and a load
//        before that. A full table has up to four items in a chain on average. The table has one
//        word for each chain; its pages stay untouched until they are used, and one page has the
//        calls of some kilobytes of code.
// Bound  kMost items in all chains together; they live as long as the process. A thread that asks
//        for more takes no lock.
//
// Threads of a team must get the same answer to the same question, null or not, because what they
// do next depends on it. No item is ever removed, and none is made when there are kMost. So the
// answer null is final if the thread looked for the item after it had seen that number (C4), or
// while it held the Guard under which items are made.
//
// Memory order
//  C1 the release that puts an item in its chain comes after the item is complete. It pairs with
//  C2 the acquire of the thread that walks the chain. Older items of the chain are complete as
//     well: the Guard orders their makers before the one that made the head.
//  C3 the release of the new count comes after the item is in its chain. It pairs with
//  C4 the acquire of made(): a thread that reads kMost finds every item in its chain, since the
//     Guard orders all makers before the last one.
// Under the Guard relaxed loads are enough: only holders of the Guard write the chains and the
// count.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "plat/plat.hpp"
#include "sync/cold.hpp"

namespace vicino::site {

// The newest item of a chain. `Item` has a member `Item* next`, which belongs to the chain.
template <class Item>
using Chain = plat::atomic<Item*>;

// The item for which is_it(item) holds, or null.
template <class Item, class IsIt>
Item* look(const Chain<Item>& chain, IsIt is_it) noexcept {
  Item* item = chain.load(std::memory_order_acquire);  // C2
  while (item != nullptr && !is_it(*item)) item = item->next;
  return item;
}

template <class Item, class Visit>
void for_each(const Chain<Item>& chain, Visit visit) {
  // C2
  for (Item* item = chain.load(std::memory_order_acquire); item != nullptr; item = item->next)
    visit(*item);
}

// Makes the items of any number of chains. A `Guard` holds a lock while it lives. All members of a
// team come to a new item at once. If each of 64 members took the lock to see that the item is made,
// that would take 100 us; so while the lock is held they look at the chain instead, kLooks times. A
// pause takes some 10 to 140 cycles, so these are 3 to 50 us at 3 GHz: less than the lock would
// take.
template <class Item, std::size_t kMost, class Guard = sync::Cold, int kLooks = 1000>
class Chained {
  static_assert(kMost > 1);

 public:
  // The item that look() finds; if there is none, the new Item* that make() returns. One thread
  // calls make(), under the Guard. Null if there are kMost items.
  template <class IsIt, class Make>
  Item* find(Chain<Item>& chain, IsIt is_it, Make make) {
    if (Item* known = look(chain, is_it)) return known;
    if (is_full()) return look(chain, is_it);  // C4
    for (int i = 0; i < kLooks && Guard::is_held(); ++i) {
      plat::relax();
      if (Item* known = look(chain, is_it)) return known;
    }
    const Guard guard;
    if (Item* known = look(chain, is_it)) return known;
    const std::size_t made = made_.load(std::memory_order_relaxed);
    if (made == kMost) return nullptr;
    Item* item = make();
    item->next = chain.load(std::memory_order_relaxed);
    chain.store(item, std::memory_order_release);      // C1
    made_.store(made + 1, std::memory_order_release);  // C3
    return item;
  }

  bool is_full() const noexcept { return made_.load(std::memory_order_acquire) == kMost; }  // C4

 private:
  plat::atomic<std::size_t> made_{0};  // written under the Guard
};

// Items with addresses, each in the chain that its address leads to.
template <class Item, std::size_t kMost, class Guard = sync::Cold>
class ByAddress {
 public:
  // As in Chained; is_it() is asked of items with this address and of some with others.
  template <class IsIt, class Make>
  Item* find(const void* address, IsIt is_it, Make make) {
    return items_.find(chain_of(address), is_it, make);
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (const auto& chain : chains_) site::for_each(chain, visit);
  }

 private:
  static constexpr int kBits = std::bit_width(kMost - 1);
  static constexpr int kApartBits = 4;  // calls are seldom nearer to each other than 16 bytes

  // Neighbours in the program are neighbours here, so a small program touches few pages: all members
  // of a team come to a new site at once, and in an untouched page all of them would fault. The
  // addresses of each stretch that fills the table are shifted by another number.
  Chain<Item>& chain_of(const void* address) noexcept {
    const uintptr_t at = reinterpret_cast<uintptr_t>(address) >> kApartBits;
    return chains_[(at + (at >> kBits) * 0x9e37) % chains_.size()];
  }

  std::array<Chain<Item>, std::size_t{1} << kBits> chains_{};
  Chained<Item, kMost, Guard> items_;
};

}  // namespace vicino::site
