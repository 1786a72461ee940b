// unit.hpp: one compilation, read by libclang.
//
// How    Twice: as an OpenMP program for its errors, its macros and what its #ifs leave out, and as
//        one without OpenMP for its statements (syntax.hpp says why).
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
  std::vector<std::unique_ptr<View>> views;  // of the files that say something of OpenMP
};

// Throws CannotParse.
Unit parse(const Compilation& compilation);

// Whether it compiles when files have another text: the errors, or nothing.
std::string errors_with(const Compilation& compilation,
                        const std::map<std::string, std::string>& texts);

// The flags that the compilation database in `folder` has for a file, without those that say
// nothing of how it is read. Throws CannotParse if there is no database, or nothing about the file.
std::vector<std::string> flags_from_database(const std::string& folder, const std::string& file);

}  // namespace vicino::convert
