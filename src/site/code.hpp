// code.hpp: where in the program's source a call of the runtime comes from.
//
// LLVM's compilers pass file, line and function to the runtime when they compile with -g. In any
// case the symbol table of the program or library that holds the address tells the function.
#pragma once

#include <cstdint>
#include <string>

#include "config/rules.hpp"
#include "site/call_site.hpp"
#include "sync/fork_gate.hpp"

namespace vicino::site {

// Passed by a thread that goes through the loader's list of objects: the C library gives a child of fork() most of its
// locks free, but not this list's. Nothing else is waited for inside, and fork() closes it last.
inline constinit sync::ForkGate list_of_objects;

// The program or library that holds an address; if none does, the path is empty.
struct CodeObject {
  std::string path;        // "/proc/self/exe" for the program itself
  std::string build_id;    // empty if it has none
  uintptr_t moved_by = 0;  // its address in memory less the address in its file
};

// Passes list_of_objects.
CodeObject object_at(const void* address);

// How many were ever unloaded. Passes list_of_objects.
uint64_t unloaded_objects() noexcept;

// The path of its file.
std::string name_of(const CodeObject& object);

// Reads the file that holds the address, unless an earlier call has read it. Takes the Cold lock,
// and before it passes list_of_objects.
config::Location locate(const CallSite& call);

// "solver.c:120"; without a source file "lab::solve(int)+0x1c", or "solver+0x12ac" in a program
// that was stripped. If the loader knows no object at the address, the bare address.
std::string describe(const CallSite& call);

}  // namespace vicino::site
