// code.hpp: where in the program's source a call of the runtime comes from.
//
// What LLVM's compilers say of it when they compile with -g: file, line and function. Else the
// function alone, from the symbol table of the program or library that holds the address.
#pragma once

#include <cstdint>
#include <string>

#include "config/rules.hpp"

namespace vicino::team {

// As a loop is met. `source` is ";file;function;line;column;;" of LLVM's compilers, or null.
struct CallSite {
  const void* address = nullptr;
  const char* source = nullptr;
};

struct CodeLocation : config::Location {
  uint64_t offset = 0;  // in the function, where no line is known
};

// The program or library that holds an address; of none, the path is empty.
struct CodeObject {
  std::string path;        // "/proc/self/exe" of the program itself
  std::string build_id;    // empty if it has none
  uintptr_t moved_by = 0;  // from where the file says that it lies
};

// Takes the loader's list of objects.
CodeObject object_at(const void* address);

// Reads the file that holds the address, when it is the first of that file to be asked for. Takes
// the Cold lock, and before that the loader's list of objects.
CodeLocation locate(const CallSite& call);

// "solver.c:120", "main._omp_fn.0+0x1c", or the bare address.
std::string describe(const CallSite& call);

}  // namespace vicino::team
