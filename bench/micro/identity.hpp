// identity.hpp: makes sure that the process runs on the runtime that it was told to use.
//
// A benchmark of the wrong library is worse than none, and symbol versions, RUNPATH and preloads
// can cause it silently. So the process checks itself: the entry point that its compiler calls must
// resolve into the expected file, and no other OpenMP runtime may be mapped.
#pragma once

namespace bench {

// Prints one JSON line about compiler, runtime and team. Ends the process with kWrongRuntime if it
// does not run on `expected` (a path, symbolic links allowed). With nullptr it only prints.
void identify(const char* expected, int threads);

inline constexpr int kWrongRuntime = 3;
inline constexpr int kWrongAnswer = 4;
inline constexpr int kWrongTeam = 5;

// Whether gcc compiled this program and libomp runs it; libomp lacks some of gcc's entry points'
// features.
bool by_gcc_on_libomp();

// The number of threads in the default team, seen from inside a region.
int team_size();

}  // namespace bench
