// code.hpp: where in the program's source a call of the runtime comes from.
//
// What LLVM's compilers say of it when they compile with -g: file, line and function. And, or else,
// the function alone, from the symbol table of the program or library that holds the address.
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

// The program or library that holds an address; of none, the path is empty.
struct CodeObject {
  std::string path;        // "/proc/self/exe" of the program itself
  std::string build_id;    // empty if it has none
  uintptr_t moved_by = 0;  // from where the file says that it lies
};

// Takes the loader's list of objects.
CodeObject object_at(const void* address);

// Where its file lies.
std::string name_of(const CodeObject& object);

// Reads the file that holds the address, when it is the first of that file to be asked for. Takes
// the Cold lock, and before that the loader's list of objects.
config::Location locate(const CallSite& call);

// "solver.c:120"; without a file "lab::solve(int)+0x1c", or "solver+0x12ac" of a program that was
// stripped. Of one whose loader knows nothing there, the bare address.
std::string describe(const CallSite& call);

}  // namespace vicino::team
