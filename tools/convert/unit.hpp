// unit.hpp: one compilation, read by libclang.
//
// How    libclang reads it twice: as an OpenMP program for its errors, its macros and the code that
//        its #ifs leave out, and as a program without OpenMP for its statements (syntax.hpp says
//        why).
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "syntax.hpp"

namespace vicino::convert {

// How a file is compiled.
struct Compilation {
  std::string file;   // canonical
  std::string shown;  // as the user gave it
  std::vector<std::string> flags;
};

// The compiler's first errors, a line each.
class CannotParse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Unit {
  Compilation compilation;
  std::vector<std::unique_ptr<View>> views;  // of all files but system headers without OpenMP
};

// Throws CannotParse.
Unit parse(const Compilation& compilation);

// The errors, or nothing, of the compilation with other texts for some files.
std::string errors_with(const Compilation& compilation,
                        const std::map<std::string, std::string>& texts);

// The flags that the compilation database in `folder` has for a file, without those that do not
// change how the file is read. Throws CannotParse if there is no database, or if it has no command
// for the file.
std::vector<std::string> flags_from_database(const std::string& folder, const std::string& file);

}  // namespace vicino::convert
