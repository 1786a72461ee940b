// stable_sort.hpp: sorting that keeps the order of equal items, for lists that are short or nearly
// sorted already.
//
// Why    libstdc++ 12's std::stable_sort calls a function that C++17 deprecates, and clang warns of
//        it.
// Cost   each item is inserted among the items before it: n searches of about log n comparisons
//        each, and one move per item passed.
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
