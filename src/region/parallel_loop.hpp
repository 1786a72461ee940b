// parallel_loop.hpp: a region that is one loop, for callers that bring functions instead of
// compiled regions.
//
// Why    This is the library's own API (vicino/loop.h). It calls fork() and begin_loop() as
//        compiled code would, so such a loop has the threads, places and schedules that OpenMP's
//        loops have.
// Cost   A region and its loop; each chunk costs one more load, of a line that is written only when
//        a loop ends early.
//
// Partial results lie on lines of their own, in memory taken before the region: the thread that
// makes one touches its memory first, and nothing is left to fail inside of the region. They are
// combined after the join, so all that the threads wrote is there (F2 in fork.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "region/loops.hpp"

namespace vicino::region {

using team::Call;

struct ParallelLoop {
  int64_t begin = 0;
  uint64_t trip = 0;
  const loop::Selection* schedule = nullptr;  // null: as schedule(runtime)
  int threads = 0;                            // num_threads; 0: none
  site::CallSite site = {};
  void* data = nullptr;

  // Calls `function` with those of the other arguments that it takes. If it returns a value other
  // than 0, no more chunks are begun.
  int (*run)(const ParallelLoop&, int64_t first, int64_t last, void* partial) = nullptr;
  void* function = nullptr;

  // If there is an `init`, the loop has a reduction.
  size_t bytes = 0;
  void (*init)(void* partial, void* data) = nullptr;
  void (*combine)(void* result, void* partial, void* data) = nullptr;
  void* result = nullptr;
};

// Returns what `run` returned for the first chunk, in the order of the loop, where it was not 0; 0
// if there was no such chunk. Throws std::bad_alloc before anything has run, and not later.
int run(const ParallelLoop& loop);

}  // namespace vicino::region
