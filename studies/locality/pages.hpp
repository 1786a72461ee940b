// pages.hpp: memory that no thread has touched yet.
//
// Why    A page belongs to the node of the thread that touches it first. An allocator returns
//        memory that some thread has used, and std::vector writes to it at once. This memory is
//        fresh from the system, in small pages, and all of it is returned at the end.
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
    madvise(memory, bytes_, MADV_NOHUGEPAGE);  // fails where there are no huge pages
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
