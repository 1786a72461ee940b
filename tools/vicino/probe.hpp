// probe.hpp: which OpenMP runtimes a program loads, and which it calls.
//
// How    glibc's loader reports it. With LD_DEBUG=files,bindings it writes a file for each process,
//        which says which objects were initialised and to which object's symbol each call was
//        bound.
// Why    /proc/PID/maps of a short program is gone before it can be read, and ldd does not see
//        libraries that are opened later (as in every Python program). Both show only what is
//        loaded: beside a preloaded runtime the program's own one may be mapped and never called.
// Cost   The loader is slower, so a run with this log is never counted.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <set>
#include <string>
#include <string_view>

#include "environment.hpp"

namespace vicino::cli {

struct RuntimesSeen {
  std::set<std::string> called;  // paths of objects that OpenMP calls were bound to
  std::set<std::string> loaded;  // paths of objects that look like OpenMP runtimes by name
  bool looked = false;           // the loader wrote something; a static program has no loader

  // The runtimes that the program uses: those that were called, or else those that were loaded.
  const std::set<std::string>& in_use() const { return called.empty() ? loaded : called; }
};

// Whether a file is an OpenMP runtime by its name.
bool is_runtime(std::string_view path);

// "libgomp.so.1 and libomp.so.5"; "none" if there is none
std::string names_of(const std::set<std::string>& paths);

// Adds what one log file of the loader says. Lines that are not understood are skipped.
void read_loader_log(std::istream& log, RuntimesSeen& seen);

// Calls `run` with an environment in which the loader writes its log, and reads the log.
RuntimesSeen look(Environment environment, const std::function<void(const Environment&)>& run);

}  // namespace vicino::cli
