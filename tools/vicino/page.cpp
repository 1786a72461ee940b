#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>

#include "library.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

constexpr size_t kWidth = 79;
constexpr size_t kIndent = 2;

std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
  names.resize(names.size() - 2);
  // No blank before the "[=FILE]" of a flag that takes a value.
  names += (option.get_items_expected_max() > 0 ? " " : "") + option.get_type_name();
  return names;
}

// Splits `text` into lines that fit beside a margin of `margin` columns.
std::vector<std::string> wrapped(const std::string& text, size_t margin) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && margin + lines.back().size() + 1 + word.size() > kWidth)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

void append_table(std::string& out, const std::string& title, const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  size_t column = 0;
  for (const Entry& entry : entries) column = std::max(column, entry.names.size());
  const size_t margin = kIndent + column + 2;
  out += "\n" + title + ":\n";
  for (const Entry& entry : entries) {
    std::string_view left = entry.names;
    for (const std::string& line : wrapped(entry.text, margin)) {
      out += fmt::format("{:{}}{:{}}  {}\n", "", kIndent, left, column, line);
      left = {};
    }
  }
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// A line of text that roff takes literally, without escapes and without a request at its start.
// Hyphens are escaped so that options can be copied out of the page.
std::string escaped(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

// How a line of a section stands on the page, by its indent.
enum class Set { kFlowing, kAsItIs, kUnderTag };

Set set_of(const std::string& line) {
  if (line.starts_with("    ")) return Set::kUnderTag;
  return line.starts_with("  ") ? Set::kAsItIs : Set::kFlowing;
}

// Text under a tag flows, but "Default: ..." and a parameter, "d_min: ...", begin a line of their own.
std::string under_tag(const std::string& line) {
  static const std::regex label("[A-Za-z_]+: .*");
  const std::string text = line.substr(4);
  return (std::regex_match(text, label) ? ".br\n" : "") + escaped(text) + "\n";
}

void append_section(std::string& out, const Section& section) {
  out += ".SH " + upper(section.title) + "\n";
  std::istringstream text(section.text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  Set before = Set::kFlowing;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Set now = set_of(lines[i]);
    if (now == Set::kAsItIs && before != now) out += ".PP\n.nf\n";
    if (before == Set::kAsItIs && before != now) out += ".fi\n";
    const bool is_tag = i + 1 < lines.size() && set_of(lines[i + 1]) == Set::kUnderTag;
    if (lines[i].empty()) {
      out += ".PP\n";
    } else if (now == Set::kUnderTag) {
      out += under_tag(lines[i]);
    } else {
      out += (now == Set::kFlowing && is_tag ? ".TP\n.B " : "") + escaped(lines[i]) + "\n";
    }
    before = now;
  }
  if (before == Set::kAsItIs) out += ".fi\n";
}

void append_entries(std::string& out, const std::string& title, const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  out += ".SH " + title + "\n";
  for (const Entry& entry : entries)
    out += ".TP\n.B " + escaped(entry.names) + "\n" + escaped(entry.text) + "\n";
}

// What shows the manual page of the command. A wheel has none, but the program prints each.
std::string manual_of(const std::string& command) {
  std::string name = command;
  std::ranges::replace(name, ' ', '-');
  const fs::path folder = own_file().parent_path() / ".." / VICINO_MANDIR / "man1";
  std::error_code error;
  for (const char* end : {".1", ".1.gz"})
    if (fs::exists(folder / (name + end), error)) return "man " + name;
  const size_t first = command.find(' ');  // behind "vicino"
  return "vicino --man" + (first == command.npos ? "" : command.substr(first)) + " | man -l -";
}

}  // namespace

Page page_of(const Command& command) {
  const CLI::App& app = *command.app;
  Page page{.name = app.get_name(),
            .summary = app.get_description(),
            .synopsis = command.synopsis,
            .commands = {},
            .options = {},
            .sections = command.sections};
  for (const CLI::App* outer = app.get_parent(); outer != nullptr; outer = outer->get_parent())
    page.name = outer->get_name() + " " + page.name;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    page.commands.push_back({sub->get_name(), sub->get_description()});
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())  // CLI11's way to hide one
      page.options.push_back({names_of(*option), option->get_description()});
  return page;
}

std::string as_help(const Page& page) {
  std::string out = fmt::format("{}\nUsage: {} {}\n", page.summary, page.name, page.synopsis);
  append_table(out, "Commands", page.commands);
  append_table(out, "Options", page.options);
  for (const Section& section : page.sections)
    if (section.title == "Examples") out += "\nExamples:\n" + section.text;
  return out + fmt::format("\nMore: {}\n", manual_of(page.name));
}

std::string as_roff(const Page& page) {
  std::string name = page.name;
  std::ranges::replace(name, ' ', '-');
  std::string out = fmt::format(".TH {} 1 \"\" \"Vicino {}\" \"Vicino\"\n.SH NAME\n{} \\- {}\n",
                                upper(name), VICINO_VERSION, escaped(name), escaped(page.summary));
  out += fmt::format(".SH SYNOPSIS\n.B {}\n{}\n", escaped(page.name), escaped(page.synopsis));
  append_entries(out, "COMMANDS", page.commands);
  append_entries(out, "OPTIONS", page.options);
  for (const Section& section : page.sections) append_section(out, section);
  return out;
}

}  // namespace vicino::cli
