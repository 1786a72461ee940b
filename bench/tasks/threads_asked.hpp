// threads_asked.hpp: as many threads as OpenMP would use, for programs without OpenMP.
#pragma once
#include <cstdlib>
#include <thread>

namespace bench {

inline int threads_asked() {
  if (const char* asked = std::getenv("OMP_NUM_THREADS")) return std::atoi(asked);
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace bench
