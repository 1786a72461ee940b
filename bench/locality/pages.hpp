// pages.hpp: memory that no thread has touched yet.
//
// Why    A page belongs to the node of the thread that touches it first. An allocator gives back
//        memory that someone has used, and std::vector writes to it at once; this is fresh from
//        the kernel, in small pages, and goes back whole.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace bench::locality {

template <class T>
class Pages {
 public:
  explicit Pages(size_t count) : bytes_(count * sizeof(T)) {
    void* memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, bytes_, MADV_NOHUGEPAGE);  // fails where there are none
    data_ = static_cast<T*>(memory);
  }
  ~Pages() { munmap(data_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  size_t bytes_;
  T* data_;
};

}  // namespace bench::locality
