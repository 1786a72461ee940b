// say.hpp: how the command line speaks: failures with an exit status, warnings, colour.
//
// A command that ends early throws Failure; main() prints it and returns its status, so that no
// other file prints an error or calls exit().
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace vicino::cli {

// `vicino run` uses env(1)'s numbers, so that a caller can tell them from the program's own.
enum Status : int {
  kOk = 0,
  kUsage = 2,
  kProgramFailed = 3,
  kOutputsDiffer = 4,
  kNoMetric = 5,
  kNotOnVicino = 6,
  kFindings = 7,
  kRunFailed = 125,
  kCannotExecute = 126,
  kNotFound = 127,
  kSignal = 128,  // plus the signal's number
};

class Failure : public std::runtime_error {
 public:
  Failure(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
  int status() const noexcept { return status_; }

 private:
  int status_;
};

// "1 CPU", "2 CPUs"
std::string several(int count, std::string_view noun);

// Writes to standard error. Where that cannot be written the text is lost, and the command goes on.
void tell(std::string_view text);

void warn(std::string_view text);
void complain(std::string_view text);  // an error that ends the command

// Escape sequences, or nothing: colour is for terminals, and not when NO_COLOR is set.
struct Style {
  std::string_view bold, good, bad, dim, plain;
};
Style style_of(std::FILE* stream);

}  // namespace vicino::cli
