// neighbours.hpp: the other threads of a team as one thread sees them: nearest first.
#pragma once

#include <span>
#include <vector>

namespace vicino::task {

// The other threads by distance. Any measure of distance will do, as long as less is nearer.
class Neighbours {
 public:
  // A thread without others.
  Neighbours() = default;
  // `distance`: from thread `me` to each thread of the team, by number; distance[me] is not read.
  Neighbours(int me, std::span<const unsigned> distance);

  int me() const noexcept { return me_; }
  int count() const noexcept { return static_cast<int>(others_.size()); }
  // The other threads, by distance, then by number.
  std::span<const int> others() const noexcept { return others_; }
  // classes() is the number of different distances; others(k) are the threads at the k-th of them.
  int classes() const noexcept { return static_cast<int>(ends_.size()); }
  std::span<const int> others(int k) const noexcept {
    const size_t begin = k == 0 ? 0 : ends_[static_cast<size_t>(k - 1)];
    return std::span(others_).subspan(begin, ends_[static_cast<size_t>(k)] - begin);
  }

 private:
  int me_ = 0;
  std::vector<int> others_;
  std::vector<size_t> ends_;
};

}  // namespace vicino::task
