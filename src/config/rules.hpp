// rules.hpp: schedules for single loops: the file that VICINO_CONFIG names.
//
//   [[loop]]
//   file = "solver.c"      # any of these three, and at least one
//   line = 120
//   function = "solve_*"
//   schedule = "nich,group=4"
//
// Not    read without being asked for: a file that changes what a program does by lying in the
//        folder where it was started would surprise whoever unpacks somebody else's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
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

// Where a loop is, as far as that is known.
struct Location {
  std::string file;
  uint32_t line = 0;
  std::string function;     // as LLVM's compilers write it
  std::string symbol = {};  // of the function, or of a C++ loop's body, as linkers know it
};

// ";file;function;line;column;;", as LLVM's compilers describe a place; what is unknown is left
// out, and so is what flang writes for any file.
Location parse_source(std::string_view source);

// What belongs to the function itself: compilers put a parallel region into a function of its own
// and name it after the one that had it, main._omp_fn.0 or main.omp_outlined.
std::string_view without_suffix(std::string_view symbol) noexcept;

// A symbol for people: "lab::solve(int)", and "lab::solve(int)#2" of the second parallel region
// that was put into a function of its own.
std::string readable(std::string_view symbol);

// C++ names also match as people write them, with their parameters or without; Fortran's without
// what compilers put around them; and of vicino/loop.hpp's loops the functions that hold the body.
bool matches(const Rule& rule, const Location& location);

// `name`: of the file, for what is wrong with it.
Result<std::vector<Rule>> parse_rules(std::string_view text, const std::string& name);
Result<std::vector<Rule>> read_rules(const std::string& file);

}  // namespace vicino::config
