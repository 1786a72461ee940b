// real.hpp: the functions of the MPI behind this layer.
//
// Why    The layer is not linked with the MPI: a process that is started with the layer and does
//        not use MPI, such as a shell, must not load it. So each function is looked up at its first
//        call.
// How    The next object behind this one that has the name: the MPI, or another tool that is
//        between. Python loads the MPI in a scope of its own, which that search does not see; there
//        the MPI is found by the name of its file.
#pragma once

#include <atomic>

namespace vicino::pmpi {

// An object of the MPI; null if nothing in the process has the name. The program can have it: the
// linker copies objects of libraries into programs, and the library then uses the copy.
void* find_object(const char* name) noexcept;
// A function. Ends the program if nothing in the process has the name: then it could not have
// called it.
void* find(const char* name) noexcept;

// One function. `Pointer` is its type.
template <class Pointer>
class Real {
 public:
  constexpr explicit Real(const char* name) noexcept : name_(name) {}

  // Relaxed: threads that look at the same time find the same address, and it is code, which no
  // thread writes.
  Pointer get() noexcept {
    void* found = found_.load(std::memory_order_relaxed);
    if (found == nullptr) found_.store(found = find(name_), std::memory_order_relaxed);
    return reinterpret_cast<Pointer>(found);
  }

 private:
  const char* name_;
  std::atomic<void*> found_{nullptr};
};

}  // namespace vicino::pmpi
