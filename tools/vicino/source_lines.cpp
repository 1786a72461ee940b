#include "source_lines.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/elf.hpp"
#include "process.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

// A file of a gigabyte of debug information takes some ten seconds. Names are no reason to wait for longer.
constexpr Seconds kPatience{30};
// Of addresses in one command: far below what the kernel takes.
constexpr size_t kMostAtOnce = 4096;

// An empty path if there is none.
std::filesystem::path reader() {
  for (const char* name : {"addr2line", "llvm-addr2line", "eu-addr2line"}) {
    try {
      return find_program(name);
    } catch (const Failure&) {
    }
  }
  return {};
}

bool is_what_ran(const CodePlace& place, std::optional<std::chrono::system_clock::time_point> ran) {
  struct stat status;
  if (stat(place.file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (!place.build_id.empty()) return build_id_of(place.file) == place.build_id;
  return !ran || std::chrono::system_clock::from_time_t(status.st_mtim.tv_sec) <= *ran;
}

// By address.
using Lines = std::map<uint64_t, std::string>;

void read_lines(const std::filesystem::path& program, const std::string& file, Lines& lines) {
  auto next = lines.begin();
  while (next != lines.end()) {
    Words command = {program.native(), "-e", file};
    const auto first = next;
    for (size_t i = 0; i < kMostAtOnce && next != lines.end(); ++i, ++next)
      command.push_back(fmt::format("{:#x}", next->first));
    const HeldSignals held;
    const Outcome outcome = run_together(command, Environment::of_process(), kPatience, 1)[0];
    if (!outcome.succeeded()) return;
    std::string_view rest = outcome.out;
    for (auto line = first; line != next && !rest.empty(); ++line) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      line->second = source_line_in(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

}  // namespace

std::string source_line_in(std::string_view line) {
  line = line.substr(0, line.find(" (discriminator"));
  const size_t colon = line.rfind(':');
  if (colon == line.npos) return {};
  const std::string_view number = line.substr(colon + 1);
  if (number.empty() || number == "0" || number.find_first_not_of("0123456789") != number.npos)
    return {};
  const size_t slash = line.rfind('/', colon);
  const std::string_view text = slash == line.npos ? line : line.substr(slash + 1);
  return text.starts_with("??") ? std::string() : std::string(text);
}

bool is_source_line(std::string_view place) {
  const size_t colon = place.rfind(':');
  return colon != place.npos && place.find_first_not_of("0123456789", colon + 1) == place.npos;
}

std::vector<std::string> source_lines(std::span<const CodePlace> places,
                                      std::optional<std::chrono::system_clock::time_point> ran) {
  std::vector<std::string> found(places.size());
  const std::filesystem::path program = reader();
  if (program.empty()) return found;
  std::map<std::string_view, Lines> files;
  std::set<std::pair<std::string_view, std::string_view>> seen, changed;
  for (const CodePlace& place : places) {
    const auto file =
        std::make_pair(std::string_view(place.file), std::string_view(place.build_id));
    if (seen.insert(file).second && !is_what_ran(place, ran)) changed.insert(file);
    if (!changed.contains(file)) files[place.file][place.address];
  }
  for (auto& [file, lines] : files) {
    try {
      read_lines(program, std::string(file), lines);
    } catch (const Failure&) {  // the program is there, and cannot be run
    }
  }
  for (size_t i = 0; i < places.size(); ++i) {
    const auto file =
        std::make_pair(std::string_view(places[i].file), std::string_view(places[i].build_id));
    if (!changed.contains(file)) found[i] = files[places[i].file][places[i].address];
  }
  return found;
}

}  // namespace vicino::cli
