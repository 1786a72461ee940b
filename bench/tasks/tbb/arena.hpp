// arena.hpp: runs oneTBB on as many threads as OpenMP would use.
#pragma once
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "../threads_asked.hpp"

namespace bench {

template <class Work>
void in_arena(const Work& work) {
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                         static_cast<size_t>(threads_asked()));
  static tbb::task_arena arena(threads_asked());
  arena.execute(work);
}

}  // namespace bench
