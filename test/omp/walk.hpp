// walk.hpp: a loop written down as data. One kernel can thus run with every bound, step and
// direction, and its iterations are checked against exact arithmetic.
#pragma once

#include <memory>

#include "check.h"

template <class T>
struct Walk {
  T from, to, step;
  bool up, inclusive;

  // The count is exact: __int128 holds every difference of 64-bit bounds.
  long trip() const {
    __int128 length = up ? (__int128)to - from : (__int128)from - to;
    length += inclusive;
    return length <= 0 ? 0 : (long)((length + step - 1) / step);
  }

  // The number of the iteration with this value, or -1 if the loop must not produce the value.
  long index(T value) const {
    __int128 distance = up ? (__int128)value - from : (__int128)from - value;
    if (distance < 0 || distance % step) return -1;
    return distance / step < trip() ? (long)(distance / step) : -1;
  }
};

template <class T>
class Tally {
 public:
  explicit Tally(Walk<T> walk) : walk_(walk), seen_(new unsigned char[walk.trip() + 1]()) {}

  void operator()(T value) {
    long index = walk_.index(value);
    if (index < 0)
      check_fail(__FILE__, __LINE__, "a value outside the loop", (long long)value, walk_.from);
    else
      hit(seen_.get(), index);
  }

  void check(const char* file, int line) { check_each_once(file, line, seen_.get(), walk_.trip()); }

 private:
  Walk<T> walk_;
  std::unique_ptr<unsigned char[]> seen_;
};
