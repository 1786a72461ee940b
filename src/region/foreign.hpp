// foreign.hpp: other OpenMP runtimes in this process, and the libraries that call them.
//
// Why    A program whose libraries bring their own libgomp (Python's wheels) has that copy loaded,
//        but not used: the loader finds its symbols in Vicino, which was loaded first. Some ways of
//        loading a library bypass that. Then two teams of threads compete for the CPUs, and nothing
//        in Vicino's own reports shows why.
// How    A library calls another one through slots that the loader fills with addresses. A slot
//        that belongs to an entry point of OpenMP and holds an address inside of the other runtime
//        proves that the library is bound to it. Only libraries that name that runtime among the
//        libraries they need are looked at.
// Cost   Nothing while the program runs. At its end, one walk over the names of the loaded objects;
//        the rest only if one of them is another runtime.
// Not    complete: a symbol found by dlsym() on the runtime's own handle, a library that dlmopen()
//        loads into a namespace of its own, and a runtime that is linked statically into a library
//        leave no such slot (docs/reference/run.md).
#pragma once

#include <string>
#include <vector>

namespace vicino::region {

// A library that is bound to a foreign runtime.
struct ForeignUser {
  std::string library;
  std::string entry;  // one of the entry points that it is bound to
  bool forks;         // `entry` runs regions or tasks; else the library only asks and sets
};

struct ForeignRuntime {
  std::string path;
  std::vector<ForeignUser> users;
};

// The other runtimes, in the order in which they were loaded. Only the process's main namespace is
// looked at.
std::vector<ForeignRuntime> foreign_runtimes();

// Whether an object that is loaded now names libgomp, or Vicino itself, as a library that it needs.
bool is_needed_at_load();

// When the process ends: says one line for each library that runs its regions on another runtime.
void say_who_uses_foreign_runtimes();

// The file that contains this code.
std::string path_of_vicino();

}  // namespace vicino::region
