// chains.hpp: a hash table with chains: what is kept of places in the code, found by their
// addresses.
//
// Why    Rules and statistics look a place up at each loop, from all threads; a new place is rare.
// Cost   a hit: a multiplication, a load, and one cache line for each item of the chain. A full
//        table has up to four items in a chain on average. The table has one word for each chain,
//        in pages that stay untouched until they are used.
// Bound  kMost items; they live as long as the process. A thread that asks for more takes no lock.
//
// Threads of a team must get the same answer for the same place, null or not, because what they do
// next depends on it. No item is ever removed, and none is added to a full table. So the answer
// null is final if the thread looked for the item after it had seen the table full (C4), or while
// it held the Guard under which items are made.
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

// `Item` has a member `Item* next`, which belongs to the chain. A `Guard` holds a lock while it
// lives.
template <class Item, std::size_t kMost, class Guard = sync::Cold>
class Chains {
  static_assert(kMost > 1);

 public:
  // The item with this address for which is_it(item) holds, or null.
  template <class IsIt>
  Item* look(const void* address, IsIt is_it) noexcept {
    Item* item = chain_of(address).load(std::memory_order_acquire);  // C2
    while (item != nullptr && !is_it(*item)) item = item->next;
    return item;
  }

  // The item that look() finds; if there is none, the new Item* that make() returns. One thread
  // calls make(), under the Guard. Null if the table is full.
  template <class IsIt, class Make>
  Item* find(const void* address, IsIt is_it, Make make) {
    if (Item* known = look(address, is_it)) return known;
    if (made() == kMost) return look(address, is_it);  // C4
    const Guard guard;
    if (Item* known = look(address, is_it)) return known;
    const std::size_t made = made_.load(std::memory_order_relaxed);
    if (made == kMost) return nullptr;
    plat::atomic<Item*>& chain = chain_of(address);
    Item* item = make();
    item->next = chain.load(std::memory_order_relaxed);
    chain.store(item, std::memory_order_release);      // C1
    made_.store(made + 1, std::memory_order_release);  // C3
    return item;
  }

  std::size_t made() const noexcept { return made_.load(std::memory_order_acquire); }  // C4

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& chain : chains_)
      // C2
      for (Item* item = chain.load(std::memory_order_acquire); item != nullptr; item = item->next)
        visit(*item);
  }

 private:
  static constexpr int kBits = std::bit_width(kMost - 1);

  plat::atomic<Item*>& chain_of(const void* address) noexcept {
    return chains_[(reinterpret_cast<uintptr_t>(address) * 0x9e3779b97f4a7c15u) >> (64 - kBits)];
  }

  std::array<plat::atomic<Item*>, std::size_t{1} << kBits> chains_{};
  plat::atomic<std::size_t> made_{0};  // written under the Guard
};

}  // namespace vicino::site
