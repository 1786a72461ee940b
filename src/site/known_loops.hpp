// known_loops.hpp: the tuned loops that one member has met last.
//
// Why    A member looks up each loop that the tuner may choose for, at each execution. The table's
//        chains and sites lie in the memory of the node whose thread made them, and a loop's data
//        push them out of the caches meanwhile: on 4 nodes of 4 CPUs looking up the loops of a
//        conjugate gradient of 60 us took 4 % of its time. A member's own memory is on its node.
// Sets   of one cache line, with room for four loops. With one place for each loop two of the three
//        loops of that program had the same place, and each execution looked its loop up again.
// Not    shared: only its member uses it. Tuned loops live as long as the process.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/line.hpp"

namespace vicino::site {

class TunedLoop;

class KnownLoops {
 public:
  // The loop at this address with this SiteKey: what find() returns, which is asked only if the
  // member has not met the loop lately. `Loop` is TunedLoop.
  template <class Loop, class Key, class Find>
  Loop* find(const void* address, const Key& key, Find find) {
    Set& set = sets_[place_of(address, key.trip_bits)];
    for (const Entry& entry : set.entries) {
      Loop* const known = entry.loop;
      if (entry.address == address && known != nullptr && known->key() == key) [[likely]]
        return known;
    }
    Loop* const found = find();
    if (found != nullptr) set.add({address, found});
    return found;
  }

 private:
  static constexpr int kBits = 4;
  struct Entry {
    const void* address = nullptr;
    TunedLoop* loop = nullptr;
  };
  struct alignas(kLine) Set {
    std::array<Entry, kLine / sizeof(Entry)> entries{};

    // In place of the one that was added first.
    void add(const Entry& entry) noexcept {
      std::shift_right(entries.begin(), entries.end(), 1);
      entries.front() = entry;
    }
  };

  static size_t place_of(const void* address, int trip_bits) noexcept {
    const uint64_t mixed = reinterpret_cast<uintptr_t>(address) + static_cast<uint64_t>(trip_bits);
    return mixed * 0x9e3779b97f4a7c15u >> (64 - kBits);
  }

  std::array<Set, size_t{1} << kBits> sets_{};
};

}  // namespace vicino::site
