// rules.hpp: what holds for single loops and single libraries: the file that VICINO_CONFIG names.
//
//   [[loop]]
//   file = "solver.c"      # any of these three, and at least one
//   line = 120
//   function = "solve_*"
//   schedule = "nich,group=4"
//
//   [[module]]
//   file = "libmine.so*"   # the library's file; with a slash, its path
//   fewer_threads = true
//
// Not    read without being asked for: a file that changes what a program does because it lies in
//        the folder where the program was started would surprise people who unpack other people's
//        files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/known_modules.hpp"
#include "loop/parameters.hpp"

namespace vicino::config {

struct Rule {
  std::string file;      // the end of a path, from a slash on; empty: any
  uint32_t line = 0;     // 0: any
  std::string function;  // a pattern of fnmatch(); empty: any
  loop::Selection schedule;
  std::string written;      // the schedule's text
  uint32_t written_at = 0;  // line of the rules' own file
};

struct Rules {
  std::vector<Rule> loops;
  std::vector<ModuleRule> modules;
};

// Where a loop is, as far as that is known.
struct Location {
  std::string file;
  uint32_t line = 0;
  std::string function;     // as LLVM's compilers write it
  std::string symbol = {};  // the linker's name of the function, or of a C++ loop's body
};

// ";file;function;line;column;;", as LLVM's compilers describe a place. What is unknown is left
// out, and so is the text that flang writes for every file.
Location parse_source(std::string_view source);

// The part that belongs to the function itself: compilers put a parallel region into a function of
// its own and name it after the function that it was in, main._omp_fn.0 or main.omp_outlined.
std::string_view without_suffix(std::string_view symbol) noexcept;

// A symbol for people: "lab::solve(int)", and "lab::solve(int)#2" for the second parallel region
// that was put into a function of its own.
std::string readable(std::string_view symbol);

// C++ names also match as people write them, with their parameters or without. Fortran names match
// without what compilers put around them. Loops of vicino/loop.hpp match by the functions that hold
// the body.
bool matches(const Rule& rule, const Location& location);

// `name`: the file's, for error messages.
Result<Rules> parse_rules(std::string_view text, const std::string& name);
Result<Rules> read_rules(const std::string& file);

}  // namespace vicino::config
