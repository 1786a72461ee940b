// chains.hpp: what is kept of places in the code, found by their addresses.
//
// Why    Rules and statistics ask for a place at each loop, from all threads; a new place comes
//        seldom.
// Cost   a hit: a multiplication, a load, and one line for each item of the chain.
// Bound  `most` items; they live as long as the process.
//
// Memory order: an item is complete before the release that puts it in its chain (C1), and who
// finds it there has the acquire (C2).
#pragma once

#include <array>
#include <cstdint>

#include "plat/plat.hpp"
#include "team/cold.hpp"

namespace vicino::team {

// `Item` has `Item* next`, which is the chain's.
template <class Item>
class Chains {
 public:
  explicit constexpr Chains(std::size_t most) noexcept : most_(most) {}

  // The item of this address that `is_it`, or null.
  template <class IsIt>
  Item* look(const void* address, IsIt is_it) noexcept {
    Item* item = chain_of(address).load(std::memory_order_acquire);  // C2
    while (item != nullptr && !is_it(*item)) item = item->next;
    return item;
  }

  // The item of this address that `is_it`; else what `make` gives, as a new Item*, called by one
  // thread under the Cold lock. Null if there are too many.
  template <class IsIt, class Make>
  Item* find(const void* address, IsIt is_it, Make make) {
    if (Item* known = look(address, is_it)) return known;
    const Cold cold;
    if (Item* known = look(address, is_it)) return known;
    if (made_ == most_) return nullptr;
    ++made_;
    plat::atomic<Item*>& chain = chain_of(address);
    Item* item = make();
    item->next = chain.load(std::memory_order_relaxed);
    chain.store(item, std::memory_order_release);  // C1
    return item;
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& chain : chains_)
      for (Item* item = chain.load(std::memory_order_acquire); item != nullptr; item = item->next)
        visit(*item);
  }

 private:
  static constexpr int kBits = 10;

  plat::atomic<Item*>& chain_of(const void* address) noexcept {
    return chains_[(reinterpret_cast<uintptr_t>(address) * 0x9e3779b97f4a7c15u) >> (64 - kBits)];
  }

  std::array<plat::atomic<Item*>, std::size_t{1} << kBits> chains_{};
  const std::size_t most_;
  std::size_t made_ = 0;  // under the Cold lock
};

}  // namespace vicino::team
