// source_lines.hpp: the lines of source that places in a program come from, if its debug information tells.
//
// binutils, LLVM and elfutils each have a program that reads this information, with the same options. The first that is
// there is asked; where there is none, places keep the names that they have.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vicino::cli {

// A byte of a program or library.
struct CodePlace {
  std::string file;
  std::string build_id;  // in hexadecimal; empty if the file had none
  uint64_t address = 0;  // as the file counts; of a call: one less than where it comes back to
  bool operator==(const CodePlace&) const = default;
};

// Whether a place is a line of source, as "solve.cpp:12" is.
bool is_source_line(std::string_view place);

// "solve.cpp:12" for each place, or an empty text. A file that has changed since the program ran is left alone: its
// build-id is another, or, without one, it was written after `ran`.
std::vector<std::string> source_lines(
    std::span<const CodePlace> places,
    std::optional<std::chrono::system_clock::time_point> ran = {});

// The line in one line of such a program's output: "solve.cpp:12" of "/home/me/solve.cpp:12 (discriminator 3)", and an empty
// text of "??:0".
std::string source_line_in(std::string_view line);

}  // namespace vicino::cli
