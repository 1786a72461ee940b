// array.hpp: memory that no thread has touched yet.
//
// Why    On a machine with several NUMA nodes a page is placed where it is first written. So a
//        kernel's arrays are first written by its own loops; a vector would write zeros from one
//        thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace bench {

template <class T>
class Array {
  static_assert(std::is_trivially_default_constructible_v<T>);

 public:
  explicit Array(long size)
      : size_(size), at_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size))) {}

  long size() const { return size_; }
  T* data() const { return at_.get(); }
  T& operator[](long i) const { return at_[static_cast<std::size_t>(i)]; }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  void swap(Array& other) { std::swap(size_, other.size_), at_.swap(other.at_); }

 private:
  long size_;
  std::unique_ptr<T[]> at_;
};

}  // namespace bench
