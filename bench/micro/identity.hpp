// identity.hpp: makes sure that the process runs on the runtime it was told to.
//
// A benchmark of the wrong library is worse than none, and with symbol versions, RUNPATH and
// preloads it happens silently. So the process looks for itself: the entry point that its compiler
// calls must resolve into the expected file, and no other OpenMP runtime may be mapped.
#pragma once

namespace bench {

// Prints one JSON line about compiler, runtime and team; ends the process with kWrongRuntime when
// `expected` (a path, symbolic links allowed) is not what it runs on. nullptr: only prints.
void identify(const char* expected, int threads);

inline constexpr int kWrongRuntime = 3;
inline constexpr int kWrongAnswer = 4;
inline constexpr int kWrongTeam = 5;

// Threads of the default team, seen from inside a region.
int team_size();

}  // namespace bench
