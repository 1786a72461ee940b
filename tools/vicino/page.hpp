// page.hpp: a command's documentation as data, printed as --help and as a manual page.
//
// Why    Two texts about the same options drift apart. So both pages are printed from the CLI11
//        objects that parse the options and from the sections that stand beside them in the same
//        file.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace vicino::cli {

struct Entry {
  std::string names;  // "--pairs N", or a subcommand's name
  std::string text;
};

struct Page {
  std::string name;  // "vicino run"
  std::string summary;
  std::string synopsis;
  std::vector<Entry> commands;
  std::vector<Entry> options;
  std::vector<Section> sections;
};

Page page_of(const Command& command);

std::string as_help(const Page& page);  // 80 columns
std::string as_roff(const Page& page);  // for man(1), section 1

}  // namespace vicino::cli
