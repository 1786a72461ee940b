// command.hpp: one subcommand: its name, the text of its pages, its action.
//
// Each subcommand lives in a file of its own, and one function of this header makes it. Its options
// are CLI11 objects; the help and the manual page are printed from these objects (page.hpp).
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "program.hpp"

namespace vicino::cli {

// A section of a manual page. Empty lines separate paragraphs. A line behind two blanks is printed
// as it stands; a line behind four blanks explains the line before it.
struct Section {
  std::string title;
  std::string text;
};

struct Command {
  CLI::App* app;
  std::string synopsis;           // what follows the command's name
  std::vector<Section> sections;  // in the manual page only
  bool takes_program = false;     // `[--] program [argument...]` ends the line
  bool takes_flags = false;       // `-- flag...` ends the line
  std::function<int(const Words& program)> action;
};

Command add_run(CLI::App& root);
Command add_compare(CLI::App& root);
Command add_report(CLI::App& root);
Command add_bench(CLI::App& root);
Command add_help(CLI::App& root);
Command add_convert(CLI::App& root);
Command add_topo(CLI::App& root);
Command add_graph(CLI::App& root);
Command add_settings(CLI::App& root);
Command add_schedules(CLI::App& root);
Command add_selftest(CLI::App& root);
Command add_doctor(CLI::App& root);
Command add_explain(CLI::App& root);
Command add_profile(CLI::App& root);
Command add_profile_show(CLI::App& profile);
Command add_profile_merge(CLI::App& profile);
Command add_profile_prune(CLI::App& profile);

// What makes a command, and the name of the command whose subcommand it is, which comes earlier.
struct Maker {
  Command (*add)(CLI::App& parent);
  const char* parent = nullptr;
};

// The commands of an executable: commands.cpp; the demo's, which has fewer, demo/commands.cpp.
std::span<const Maker> commands();

// Rejects a value with "--option: 'value' is not <what is accepted>".
CLI::Validator must_be(const std::string& accepted, std::function<bool(const std::string&)> test);
CLI::Validator count_from(long least);  // a whole number, at least `least`
CLI::Validator count_from_to(long least, long most);
CLI::Validator assignment();  // NAME=VALUE

}  // namespace vicino::cli
