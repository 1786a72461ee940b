// program_file.hpp: what the file of a program says of who can run it: its processor, its dynamic loader, or
// the interpreter of a script.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vicino::cli {

struct ProgramFile {
  enum class Kind { kElf, kScript, kOther };
  Kind kind = Kind::kOther;
  bool is_32_bit = false;
  std::string processor{};    // of an ELF file: "x86-64", "aarch64"
  std::string interpreter{};  // the dynamic loader, or a script's interpreter; empty: none
  std::string argument{};     // the rest of a script's first line
};

// A file that cannot be read, or is cut short, is of the kind kOther.
ProgramFile read_program_file(const std::filesystem::path& path);

// The processor that this program, and the library beside it, were built for.
std::string own_processor();

}  // namespace vicino::cli
