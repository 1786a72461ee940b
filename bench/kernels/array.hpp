// array.hpp: memory that no thread has touched yet.
//
// Why    On a machine with several NUMA nodes a page is placed where it is first written. So a
//        kernel's arrays are first written by its own loops; a vector would write zeros from one
//        thread.
// Pages  An array begins a page. Otherwise its place in its first page and line would depend on all
//        that was allocated before, even on the length of the program's arguments, and with it which
//        data share a line or a node.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace bench {

template <class T>
class Array {
  static_assert(std::is_trivially_default_constructible_v<T> &&
                std::is_trivially_destructible_v<T>);

 public:
  explicit Array(long size) : size_(size), at_(allocate(static_cast<std::size_t>(size))) {}

  long size() const { return size_; }
  T* data() const { return at_.get(); }
  T& operator[](long i) const { return at_[static_cast<std::size_t>(i)]; }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  void swap(Array& other) { std::swap(size_, other.size_), at_.swap(other.at_); }

 private:
  static constexpr std::align_val_t kPage{4096};
  struct Free {
    void operator()(T* at) const { ::operator delete(at, kPage); }
  };
  static T* allocate(std::size_t size) {
    return static_cast<T*>(::operator new(size * sizeof(T), kPage));
  }

  long size_;
  std::unique_ptr<T[], Free> at_;
};

}  // namespace bench
