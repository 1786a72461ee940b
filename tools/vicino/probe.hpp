// probe.hpp: which OpenMP runtimes a program loads, and which it calls.
//
// How    glibc's loader tells it: LD_DEBUG=files,bindings writes, per process, which objects were
//        initialised and which object's symbol each call was bound to, to a file.
// Why    /proc/PID/maps of a short program is gone before it can be read, ldd does not see what is
//        opened later (every Python program), and both show only what is loaded: with a preloaded
//        runtime the other one may be mapped and never called.
// Cost   the loader is slower, so a run that is looked at is never counted.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <set>
#include <string>

#include "environment.hpp"

namespace vicino::cli {

struct RuntimesSeen {
  std::set<std::string> called;  // paths of objects that OpenMP calls were bound to
  std::set<std::string> loaded;  // paths of objects that look like OpenMP runtimes by name
  bool looked = false;           // the loader wrote something; static programs have none

  // Called, else loaded; what the program uses.
  const std::set<std::string>& in_use() const { return called.empty() ? loaded : called; }
};

// "libgomp.so.1 and libomp.so.5"; "none" if there is none
std::string names_of(const std::set<std::string>& paths);

// Adds what one file of the loader's says. Text that is not understood is passed over.
void read_loader_log(std::istream& log, RuntimesSeen& seen);

// Calls `run` with an environment in which the loader tells, and reads what it told.
RuntimesSeen look(Environment environment, const std::function<void(const Environment&)>& run);

}  // namespace vicino::cli
