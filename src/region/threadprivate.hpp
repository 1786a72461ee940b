// threadprivate.hpp: each thread's copy of a threadprivate variable, for compilers that do not use
// thread-local storage for it (flang, clang with -fnoopenmp-use-tls).
#pragma once

#include <cstddef>

namespace vicino::team {
class Worker;
}

namespace vicino::region {

using team::Worker;

// How a C++ variable's copies are made and ended; all may be null.
struct ThreadprivateClass {
  void* (*construct)(void* copy) = nullptr;
  void* (*copy_construct)(void* copy, void* original) = nullptr;
  void (*destroy)(void* copy) = nullptr;
};

// The same for an array, whose length the functions get.
struct ThreadprivateArray {
  void* (*construct)(void* copy, size_t length) = nullptr;
  void* (*copy_construct)(void* copy, void* original, size_t length) = nullptr;
  void (*destroy)(void* copy, size_t length) = nullptr;
  size_t length = 0;
};

// Called before the first use of the variable at `original`.
void register_threadprivate(void* original, const ThreadprivateClass& its_class);
void register_threadprivate(void* original, const ThreadprivateArray& its_array);

// The thread's copy. For the program's first thread it is the variable itself; for other threads it
// is a copy of the value that the variable had when any thread first asked. It lives as long as the
// thread has its number.
void* threadprivate(Worker& worker, void* original, size_t size);

// Destroys the thread's copies, when its number becomes free.
void end_threadprivate(Worker& worker);

}  // namespace vicino::region
