// command_line.hpp: from the words of the command line to a command and what is wanted of it.
#pragma once

#include <memory>
#include <vector>

#include "command.hpp"

namespace vicino::cli {

enum class Wanted { kAction, kHelp, kManual, kVersion };

struct Parsed {
  const Command* command;
  Wanted wanted = Wanted::kAction;
  Words program;  // for a command that takes one; or the flags behind `--`
};

class CommandLine {
 public:
  CommandLine();

  // Throws Failure for a line that makes no sense.
  Parsed parse(const Words& words);

 private:
  // A command of `parent`, which may have several; null if there is none of that name.
  const Command* named(const Command& parent, const std::string& name) const;
  bool has_commands(const Command& command) const;
  [[noreturn]] void refuse(const Command& command, const std::string& reason) const;
  Wanted ask_cli11(Words words, const Command& command);

  CLI::App root_;
  std::vector<Command> commands_;  // the root is the first
  bool manual_ = false;
};

// Parts [options] [--] program [argument...] where the program begins, and drops the `--`.
//
// CLI11 is not asked: it would read `[a,b]` among the program's arguments as a list, and drop a
// later `--`. The words after an option that takes a value are skipped as CLI11 would take them.
Words take_program(const CLI::App& app, Words& words);

// Takes the words behind the first `--`, and it, out of `words`.
Words take_flags(Words& words);

}  // namespace vicino::cli
