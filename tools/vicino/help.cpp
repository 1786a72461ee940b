// help.cpp: `vicino help`: the help of a command, or a page of the documentation that is installed with it.
//
// One source: the pages are the files of docs/, of which the site is made, too.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "command.hpp"
#include "command_line.hpp"
#include "library.hpp"
#include "page.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDescription =
    R"(Without a topic the command lists the pages that are installed. A topic is a
command, as in vicino help run, of which the options are shown; or a page, as in
vicino help slower or vicino help howto/slower, which is printed as it is.
)";

constexpr const char* kExamples = R"(  vicino help
  vicino help compare
  vicino help limits
)";

fs::path pages_folder() {
  return (own_file().parent_path() / ".." / VICINO_DOCDIR / "docs").lexically_normal();
}

// The pages for users, named as seen from the folder, without ".md", in order.
std::vector<std::string> pages(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const fs::path name = at->path().lexically_relative(folder);
    if (at->is_directory() && (name == "design" || name == "history"))
      at.disable_recursion_pending();
    if (name.extension() == ".md") found.push_back((name.parent_path() / name.stem()).string());
  }
  std::ranges::sort(found);
  return found;
}

std::string title(const fs::path& page) {
  std::ifstream file(page);
  std::string line;
  std::getline(file, line);
  return line.starts_with("# ") ? line.substr(2) : line;
}

void list(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    fmt::print("{:<26}  {}\n", name, title(folder / (name + ".md")));
  }
}

// Whether the words name a command; then its help has been printed.
bool print_help_of(const Words& words) {
  Words asks = words;
  asks.emplace_back("--help");
  try {
    CommandLine line(commands());
    const Page page = page_of(*line.parse(asks).command);
    if (page.name != fmt::format("vicino {}", fmt::join(words, " "))) return false;
    fmt::print("{}", as_help(page));
    return true;
  } catch (const Failure&) {
    return false;
  }
}

int help(const Words& topic) {
  const fs::path folder = pages_folder();
  const std::vector<std::string> names = pages(folder);
  if (topic.empty()) {
    if (names.empty()) {
      throw Failure(
          1, fmt::format("no pages are installed in {}; see vicino --help", folder.string()));
    }
    list(folder, names);
    return kOk;
  }
  if (print_help_of(topic)) return kOk;
  const std::string wanted = topic.size() == 1 ? topic.front() : std::string();
  const auto page = std::ranges::find_if(names, [&](const std::string& name) {
    return name == wanted || name.ends_with("/" + wanted);
  });
  if (wanted.empty() || page == names.end()) {
    throw Failure(kUsage,
                  fmt::format("'{}' is neither a command nor a page{}", fmt::join(topic, " "),
                              names.empty() ? ", and no pages are installed here"
                                            : "; vicino help lists the pages"));
  }
  std::ifstream file(folder / (*page + ".md"));
  fmt::print("{}", std::string(std::istreambuf_iterator<char>(file), {}));
  return kOk;
}

}  // namespace

Command add_help(CLI::App& root) {
  CLI::App* app = root.add_subcommand("help", "Show the help of a command, or a page");
  auto topic = std::make_shared<Words>();
  app->add_option("topic", *topic)->group("");
  return {.app = app,
          .synopsis = "[command | page]",
          .sections = {{"Description", kDescription}, {"Examples", kExamples}},
          .action = [topic](const Words&) { return help(*topic); }};
}

}  // namespace vicino::cli
