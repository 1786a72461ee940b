// doctor_finding.hpp: what `vicino doctor` may find wrong, one condition each.
//
// To add a condition, write a function from facts to findings, give it a row in one of the tables (conditions of the
// surrounding, of the variables, of a program), a line in docs/reference/doctor.md, and a test in test/cli/doctor_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "doctor_surrounding.hpp"

namespace vicino::cli {

struct Finding {
  std::string what;               // a sentence
  std::vector<std::string> seen;  // the numbers
  std::string cost;               // a sentence
  std::string source{};           // of the cost's figures; empty if there are none
  // How many times as long the measured programs took, or this one would; 0 if that is unknown.
  double times = 0;
  std::string mend{};  // a command
  // Set by findings_of(), from the condition.
  std::string condition{};
  bool is_note = false;
};
using Findings = std::vector<Finding>;

struct Condition {
  const char* name;  // for scripts
  Findings (*look)(const Surrounding& facts);
  // It is said, and is nothing wrong: nobody has measured whether it costs anything.
  bool is_note = false;
};

std::span<const Condition> conditions_of_surroundings();
std::span<const Condition> conditions_of_variables();
std::span<const Condition> conditions_of_programs();

// What is wrong, most costly first; behind that the notes.
Findings findings_of(const Surrounding& facts);

}  // namespace vicino::cli
