#include "task/neighbours.hpp"

#include <algorithm>
#include <utility>

namespace vicino::task {

Neighbours::Neighbours(int me, std::span<const unsigned> distance) : me_(me) {
  const auto far = [&](int other) { return distance[static_cast<size_t>(other)]; };
  const auto nearness = [&](int other) { return std::pair(far(other), other); };
  for (int other = 0; other < static_cast<int>(distance.size()); ++other)
    if (other != me) others_.push_back(other);
  std::ranges::sort(others_, {}, nearness);
  for (size_t i = 1; i <= others_.size(); ++i)
    if (i == others_.size() || far(others_[i]) != far(others_[i - 1])) ends_.push_back(i);
}

}  // namespace vicino::task
