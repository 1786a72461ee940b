#include "command_line.hpp"

#include <algorithm>

#include "base/version.hpp"
#include "page.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

constexpr const char* kSummary = "Run OpenMP programs on Vicino, which keeps work near its data";

constexpr const char* kDescription =
    R"(Vicino is an OpenMP runtime for programs built by LLVM's and GNU's compilers.
This command runs programs on it that were built with another runtime,
measures what that changes, and shows what the runtime knows about the machine.
)";

constexpr const char* kExamples =
    R"(  vicino run ./app input.dat
)";

bool takes_value(const CLI::App& app, const std::string& word) {
  if (word.find('=') != std::string::npos) return false;
  const CLI::Option* option = app.get_option_no_throw(word);
  return option != nullptr && option->get_items_expected_min() > 0;
}

// The first option that is given an empty word, mostly a script's variable that is not set; null if there is none.
const CLI::Option* given_nothing(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional() && std::ranges::count(option->results(), "") != 0) return option;
  return nullptr;
}

}  // namespace

Words take_program(const CLI::App& app, Words& words) {
  size_t at = 0;
  const auto is_mark = [&words](size_t i) { return i < words.size() && words[i] == "--"; };
  while (at < words.size() && words[at].size() > 1 && words[at][0] == '-' && !is_mark(at))
    at += takes_value(app, words[at]) && !is_mark(at + 1) ? 2 : 1;
  at = std::min(at, words.size());
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
  const bool marked = begin != words.end() && *begin == "--";
  Words program(begin + (marked ? 1 : 0), words.end());
  words.erase(begin, words.end());
  return program;
}

Words take_flags(Words& words) {
  const auto mark = std::ranges::find(words, "--");
  if (mark == words.end()) return {};
  Words flags(mark + 1, words.end());
  words.erase(mark, words.end());
  return flags;
}

CommandLine::CommandLine(std::span<const Maker> makers) : root_(kSummary, "vicino") {
  root_.require_subcommand(0, 1);
  root_.set_help_flag("-h,--help", "Show this help");
  root_.set_version_flag("--version", version(), "Show the version");
  root_.add_flag("--man", manual_, "Print the manual page")->group("");
  commands_.push_back({.app = &root_,
                       .synopsis = "command [options] [...]",
                       // Under the title "Examples" they would be in the help, too, and not fit a screen.
                       .sections = {{"Description", kDescription}, {"Use", kExamples}},
                       .action = [](const Words&) -> int {
                         throw Failure(kUsage, "no command is given; see vicino --help");
                       }});
  for (const auto& [add, parent] : makers)
    commands_.push_back(add(parent == nullptr ? root_ : *root_.get_subcommand(parent)));
  // The list of commands is long, and whoever reads it has found this option. Commands that were added before
  // have it by themselves.
  root_.get_help_ptr()->group("");
}

const Command* CommandLine::named(const Command& parent, const std::string& name) const {
  const auto found = std::ranges::find_if(commands_, [&](const Command& command) {
    return command.app->get_parent() == parent.app && command.app->get_name() == name;
  });
  return found == commands_.end() ? nullptr : &*found;
}

bool CommandLine::has_commands(const Command& command) const {
  return std::ranges::any_of(
      commands_, [&](const Command& other) { return other.app->get_parent() == command.app; });
}

void CommandLine::refuse(const Command& command, const std::string& reason) const {
  throw Failure(command.app->get_name() == "run" ? kRunFailed : kUsage,
                fmt::format("{}\nSee {} --help", reason, page_of(command).name));
}

Wanted CommandLine::ask_cli11(Words words, const Command& command) {
  try {
    std::ranges::reverse(words);  // CLI11 takes them from the end
    root_.parse(std::move(words));
    if (const CLI::Option* option = given_nothing(*command.app))
      refuse(command, option->get_name() + ": its value is empty");
    return manual_ ? Wanted::kManual : Wanted::kAction;
  } catch (const CLI::CallForHelp&) {
    return Wanted::kHelp;
  } catch (const CLI::CallForVersion&) {
    return Wanted::kVersion;
  } catch (const CLI::ExtrasError&) {
    const Words unread = root_.remaining(true);
    refuse(command,
           fmt::format("'{}' is not an option of {}", unread.front(), page_of(command).name));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--pairs: 1 required N missing"
    refuse(command, fmt::format("{} {}", text.substr(0, text.find(':')),
                                text.ends_with("missing") ? "takes a value" : "is given twice"));
  } catch (const CLI::ConversionError& error) {
    // "Could not convert: --json = x". Values of options are words, so it is one that has none.
    const std::string text = error.what();
    const std::string option = text.substr(std::min(text.find("--"), text.size()));
    refuse(command, fmt::format("{} takes no value", option.substr(0, option.find(' '))));
  } catch (const CLI::ParseError& error) {
    refuse(command, error.what());
  }
}

Parsed CommandLine::parse(const Words& words) {
  const auto is_name = [](const std::string& word) { return !word.starts_with('-'); };
  auto at = std::ranges::find_if(words, is_name);
  Parsed parsed{.command = &commands_.front(), .program = {}};
  Words own(words.begin(), at);
  for (; at != words.end() && is_name(*at) && has_commands(*parsed.command); ++at) {
    const Command* inner = named(*parsed.command, *at);
    if (inner == nullptr) {
      const std::string name = page_of(*parsed.command).name;
      throw Failure(kUsage, fmt::format("'{}' is not a command{}; see {} --help", *at,
                                        name == "vicino" ? "" : " of " + name, name));
    }
    parsed.command = inner;
    own.push_back(*at);
  }
  Words rest(at, words.end());
  if (parsed.command->takes_program) parsed.program = take_program(*parsed.command->app, rest);
  if (parsed.command->takes_flags) parsed.program = take_flags(rest);
  own.insert(own.end(), rest.begin(), rest.end());
  parsed.wanted = ask_cli11(std::move(own), *parsed.command);
  return parsed;
}

}  // namespace vicino::cli
