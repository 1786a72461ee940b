// chains.hpp: what is kept of places in the code, found by their addresses.
//
// Why    Rules and statistics ask for a place at each loop, from all threads; a new place comes
//        seldom.
// Cost   a hit: a multiplication, a load, and one line for each item of the chain: up to four on
//        average, of as many items as there may be. A word for each of these, in pages that stay
//        untouched until then.
// Bound  kMost items; they live as long as the process. Who asks for more takes no lock.
//
// Threads of a team must get the same answer for the same place, null or not: what they do next
// depends on it. No item goes, and once full no item comes. So null is right if the item was looked
// for after kMost were seen to be in their chains (C4), or under the lock that they are made under.
//
// Memory order: an item is complete before the release that puts it in its chain (C1), and who
// finds it there has the acquire (C2). All are in their chains before the release that tells of the
// last (C3); who sees that has the acquire (C4).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "plat/plat.hpp"
#include "team/cold.hpp"

namespace vicino::team {

// `Item` has `Item* next`, which is the chain's. `Guard` holds a lock while it lives.
template <class Item, std::size_t kMost, class Guard = Cold>
class Chains {
  static_assert(kMost > 1);

 public:
  // The item of this address that `is_it`, or null.
  template <class IsIt>
  Item* look(const void* address, IsIt is_it) noexcept {
    Item* item = chain_of(address).load(std::memory_order_acquire);  // C2
    while (item != nullptr && !is_it(*item)) item = item->next;
    return item;
  }

  // The item of this address that `is_it`; else what `make` gives, as a new Item*, called by one
  // thread under the Guard. Null if there are too many.
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

  std::size_t made() const noexcept { return made_.load(std::memory_order_acquire); }

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& chain : chains_)
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

}  // namespace vicino::team
