// threadprivate.hpp: each thread's copy of a variable, for compilers that do not use thread-local
// storage for it (flang, clang with -fnoopenmp-use-tls).
#pragma once

#include <cstddef>

namespace vicino::team {

class Worker;

// How a C++ variable's copies are made and ended; all may be null.
struct ThreadprivateClass {
  void* (*construct)(void* copy) = nullptr;
  void* (*copy_construct)(void* copy, void* original) = nullptr;
  void (*destroy)(void* copy) = nullptr;
};

// Before the first use of the variable at `original`.
void register_threadprivate(void* original, const ThreadprivateClass& its_class);

// The thread's copy: the variable itself for the program's first thread, for others a copy of the
// value it had when any thread first asked. Lives as long as the thread's number is its own.
void* threadprivate(Worker& worker, void* original, size_t size);

// Ends the thread's copies, when its number becomes free.
void end_threadprivate(Worker& worker);

}  // namespace vicino::team
