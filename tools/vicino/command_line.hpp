// command_line.hpp: parses the words of the command line into a command and what is wanted of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "command.hpp"

namespace vicino::cli {

enum class Wanted { kAction, kHelp, kManual, kVersion };

struct Parsed {
  const Command* command;
  Wanted wanted = Wanted::kAction;
  Words program;  // of a command that takes one; or the flags behind `--`
};

class CommandLine {
 public:
  explicit CommandLine(std::span<const Maker> makers);

  // Throws Failure for a line that makes no sense.
  Parsed parse(const Words& words);

 private:
  // The command of `parent` with that name; null if there is none.
  const Command* named(const Command& parent, const std::string& name) const;
  bool has_commands(const Command& command) const;
  [[noreturn]] void refuse(const Command& command, const std::string& reason) const;
  Wanted ask_cli11(Words words, const Command& command);

  CLI::App root_;
  std::vector<Command> commands_;  // the root is the first
  bool manual_ = false;
};

// Splits [options] [--] program [argument...] where the program begins, and drops the `--`. The
// options stay in `words`; the rest is returned.
//
// CLI11 does not do this: it would read `[a,b]` among the program's arguments as a list, and drop a
// later `--`. An option that takes a value takes the next word, as in CLI11.
Words take_program(const CLI::App& app, Words& words);

// Removes the first `--` and the words behind it from `words`; returns those words.
Words take_flags(Words& words);

}  // namespace vicino::cli
