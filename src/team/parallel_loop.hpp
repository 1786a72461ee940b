// parallel_loop.hpp: a region that is one loop, for callers that bring functions instead of
// compiled regions.
//
// Why    The library's own API (vicino/loop.h). It is fork() and begin_loop() as compiled code
//        would call them, so a loop has the threads, places and schedules that OpenMP's have.
// Cost   that of a region and its loop; a chunk costs one more load of a line that is written only
//        when a loop ends early.
//
// Partial results lie apart from each other, in memory taken before the region: who makes one
// touches it first, and there is nothing left to fail inside. They are combined after the join, so
// what each thread wrote is there (F2 in fork.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "team/loops.hpp"

namespace vicino::team {

struct ParallelLoop {
  int64_t begin = 0;
  uint64_t trip = 0;
  const loop::Selection* schedule = nullptr;  // null: as schedule(runtime)
  int threads = 0;                            // num_threads; 0: none
  CallSite site = {};
  void* data = nullptr;

  // Calls `function` with what of the rest it takes. Not 0: no chunk is begun any more.
  int (*run)(const ParallelLoop&, int64_t first, int64_t last, void* partial) = nullptr;
  void* function = nullptr;

  // A reduction, if there is an `init`.
  size_t bytes = 0;
  void (*init)(void* partial, void* data) = nullptr;
  void (*combine)(void* result, void* partial, void* data) = nullptr;
  void* result = nullptr;
};

// What `run` said first, by the order of chunks in the loop; 0 if it never said anything else.
// Throws std::bad_alloc before anything has run, and not later.
int run(const ParallelLoop& loop);

}  // namespace vicino::team
