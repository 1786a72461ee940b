// The check of identity.hpp, for Fortran; and the size of the default team, which it returns.
#include "../micro/identity.hpp"

extern "C" int bench_identify(const char* runtime) {
  const int threads = bench::team_size();
  bench::identify(*runtime == '\0' ? nullptr : runtime, threads);
  return threads;
}
