// stable_sort.hpp: sorting that keeps the order of equal items, for short lists and for such as are
// nearly in order already.
//
// Why    libstdc++ 12's std::stable_sort calls what C++17 deprecates, of which clang warns.
// Cost   each item is put in its place among those before it: n comparisons of order log n, and
//        moves of those that it passes.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>

namespace vicino {

template <class Items, class Key>
void stable_sort(Items& items, Key key) {
  for (auto at = std::begin(items); at != std::end(items); ++at) {
    const auto place = std::upper_bound(
        std::begin(items), at, *at,
        [&](const auto& a, const auto& b) { return std::invoke(key, a) < std::invoke(key, b); });
    std::rotate(place, at, std::next(at));
  }
}

}  // namespace vicino
