// main.cpp: the program behind `vicino convert`. It is a program of its own because nothing else
// needs libclang: 150 MB that `vicino run` should not load, and that need not be installed.
//
//     convert --to=runtime|taskloop [--all] [--diff] [--in-place] [--database=DIR] FILE... [--
//     FLAG...]
//
// `vicino convert` has checked the words. The exit status is 0; 3 if loops were refused; 4 if a
// file could not be read, parsed or written.
#include <errno.h>
#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "plan.hpp"
#include "source.hpp"
#include "unit.hpp"

namespace {

using namespace vicino::convert;
namespace fs = std::filesystem;

constexpr int kRefused = 3;
constexpr int kFailed = 4;

struct Arguments {
  Wish wish;
  bool diff = false;
  bool in_place = false;
  std::string database;
  std::vector<std::string> files;
  std::vector<std::string> flags;
};

Arguments read_arguments(const std::vector<std::string>& words) {
  Arguments read;
  auto word = words.begin();
  for (; word != words.end() && *word != "--"; ++word) {
    if (*word == "--all")
      read.wish.all = true;
    else if (*word == "--diff")
      read.diff = true;
    else if (*word == "--in-place")
      read.in_place = true;
    else if (*word == "--to=taskloop")
      read.wish.target = Target::kTaskloop;
    else if (word->starts_with("--database="))
      read.database = word->substr(word->find('=') + 1);
    else if (*word != "--to=runtime")
      read.files.push_back(*word);
  }
  if (word != words.end()) read.flags.assign(word + 1, words.end());
  return read;
}

bool is_header(const fs::path& path) {
  static constexpr std::array<std::string_view, 8> kHeaders = {".h",   ".hh",  ".hpp", ".hxx",
                                                               ".inc", ".inl", ".ipp", ".tpp"};
  return std::ranges::find(kHeaders, path.extension().string()) != kHeaders.end();
}

// Messages name a file as the user did.
std::string as_shown(std::string text, const Compilation& compilation) {
  const std::string& from = compilation.file;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), compilation.shown);
    at += compilation.shown.size();
  }
  return text;
}

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + "\n";
}

class Conversion {
 public:
  explicit Conversion(Arguments arguments) : arguments_(std::move(arguments)) {}

  int run() {
    find_files();
    read_units();
    plan_ = make_plan(units_, named_, arguments_.wish);
    check_results();
    for (const auto& [path, shown] : order_)
      if (const auto file = plan_.find(path); file != plan_.end()) deliver(path, file->second);
    // The messages come after the diff.
    if (std::fflush(stdout) != 0) fail("standard output", "cannot be written", strerror(errno));
    tell_refused();
    fmt::print(stderr, "vicino: {} loop{} converted, {} not\n", converted_,
               converted_ == 1 ? "" : "s", refused_);
    return failed_ ? kFailed : refused_ > 0 ? kRefused : 0;
  }

 private:
  void fail(const std::string& shown, const std::string& what, const std::string& why) {
    fmt::print(stderr, "{}: {}\n{}", shown, what, indented(why));
    failed_ = true;
  }

  void find_files() {
    for (const std::string& shown : arguments_.files) {
      std::error_code error;
      const fs::path path = fs::canonical(shown, error);
      const std::string why = error ? error.message() : why_unreadable(path);
      if (!why.empty()) {
        fail(shown, "cannot be read", why);
        continue;
      }
      if (named_.emplace(path.string(), shown).second) order_.emplace_back(path.string(), shown);
    }
  }

  // Why a file cannot be read; empty if it can.
  static std::string why_unreadable(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error) return error.message();
    if (fs::is_directory(status)) return "it is a folder";
    if (!fs::is_regular_file(status)) return "it is not a regular file";
    if (access(path.c_str(), R_OK) != 0) return std::generic_category().message(errno);
    return "";
  }

  // Headers come last: most were read with a file that includes them, and few can be read alone.
  void read_units() {
    for (const auto& [path, shown] : order_)
      if (!is_header(path)) read_unit(path, shown);
    for (const auto& [path, shown] : order_)
      if (is_header(path) && !was_read(path)) read_unit(path, shown);
  }

  bool was_read(const std::string& path) const {
    return std::ranges::any_of(units_, [&](const Unit& unit) {
      return std::ranges::any_of(unit.views, [&](const auto& view) { return view->path == path; });
    });
  }

  void read_unit(const std::string& path, const std::string& shown) {
    Compilation compilation{path, shown, {}};
    try {
      if (!arguments_.database.empty())
        compilation.flags = flags_from_database(arguments_.database, path);
      compilation.flags.insert(compilation.flags.end(), arguments_.flags.begin(),
                               arguments_.flags.end());
      units_.push_back(parse(compilation));
    } catch (const CannotParse& error) {
      // A file without directives is read only for its functions, so it may stay unread.
      if (read_file(path).find("omp") != std::string::npos)
        fail(shown, "not converted: clang cannot parse it", as_shown(error.what(), compilation));
    }
  }

  // Makes sure that no file becomes one that does not compile, whatever the rules overlooked.
  void check_results() {
    std::map<std::string, std::string> texts;
    for (const auto& [path, file] : plan_)
      if (!file.edits.empty()) texts[path] = edited(file.text, file.all_edits());
    for (bool again = true; again;) {
      again = false;
      for (const Unit& unit : units_) {
        const auto reads = [&](const auto& text) {
          return std::ranges::any_of(unit.views,
                                     [&](const auto& v) { return v->path == text.first; });
        };
        if (std::ranges::none_of(texts, reads)) continue;
        const std::string errors = errors_with(unit.compilation, texts);
        if (errors.empty()) continue;
        fail(unit.compilation.shown, "not converted: clang rejects the result",
             as_shown(errors, unit.compilation));
        std::erase_if(texts, [&](const auto& text) {
          if (!reads(text)) return false;
          plan_[text.first].edits.clear();
          return true;
        });
        again = true;
        break;
      }
    }
  }

  void deliver(const std::string& path, const FilePlan& file) {
    if (file.edits.empty()) return;
    const std::vector<Edit> edits = file.all_edits();
    if (arguments_.diff) fmt::print("{}", unified_diff(file.text, edits, name_in_diff(file.shown)));
    if (arguments_.in_place) {
      try {
        replace_file(path, edited(file.text, edits));
      } catch (const std::system_error& error) {
        fail(file.shown, "not written", error.what());
        return;
      }
    }
    converted_ += file.edits.size();
  }

  // A path from the working directory if the file is below it: a patch is applied from there, too.
  static fs::path name_in_diff(const std::string& shown) {
    const fs::path path(shown);
    if (!path.is_absolute()) return path;
    const fs::path near = path.lexically_relative(fs::current_path());
    return near.empty() || *near.begin() == ".." ? path : near;
  }

  void tell_refused() {
    for (const auto& [path, file] : plan_)
      for (const auto& [offset, reason] : file.refused) {
        fmt::print(stderr, "{}:{}: not converted: {}\n", file.shown, line_of(file.text, offset),
                   reason);
        ++refused_;
      }
  }

  Arguments arguments_;
  std::map<std::string, std::string> named_;                // names as given, by canonical path
  std::vector<std::pair<std::string, std::string>> order_;  // path and name, in the order given
  std::vector<Unit> units_;
  Plan plan_;
  size_t converted_ = 0, refused_ = 0;
  bool failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = Conversion(read_arguments({argv + 1, argv + argc})).run();
    return std::fflush(stdout) == 0 ? status : kFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "vicino: convert: {}\n", error.what());
    return kFailed;
  }
}
