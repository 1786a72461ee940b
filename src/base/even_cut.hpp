// even_cut.hpp: a row of things, cut into runs that are as equally long as they can be.
#pragma once

#include <algorithm>

namespace vicino {

// [0, total) cut into `parts` runs whose lengths differ by at most one, the longer ones first.
class EvenCut {
 public:
  constexpr EvenCut(int total, int parts) : length_(total / parts), longer_(total % parts) {}
  constexpr int start(int part) const { return part * length_ + std::min(part, longer_); }
  constexpr int size(int part) const { return length_ + (part < longer_ ? 1 : 0); }
  constexpr int part_of(int position) const {
    const int in_longer = longer_ * (length_ + 1);
    return position < in_longer ? position / (length_ + 1)
                                : longer_ + (position - in_longer) / length_;
  }
  // How many runs are one longer than the rest.
  constexpr int longer() const { return longer_; }

 private:
  int length_;
  int longer_;
};

}  // namespace vicino
