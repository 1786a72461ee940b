#include "topo/mappings.hpp"

#include <charconv>
#include <string>

#include "base/file.hpp"

namespace vicino::topo {
namespace {

uintptr_t hexadecimal(std::string_view word) {
  uintptr_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value, 16);
  return value;
}

bool has_locked_memory() {
  const std::string status = read_file("/proc/self/status");
  const size_t at = status.find("\nVmLck:");
  if (at == std::string::npos) return false;
  const size_t digit = status.find_first_of("123456789\n", at + 1);
  return digit != std::string::npos && status[digit] != '\n';
}

// "7f00-7f10 rw-p 00000000 00:00 0    [heap]"; the lines of smaps between such lines have a colon
// behind their first word.
bool is_head(std::string_view line) {
  return line.substr(0, line.find(' ')).find('-') != std::string_view::npos;
}

Mapping parse_head(std::string_view line) {
  std::string_view range = take_until(line, ' ');
  const uintptr_t begin = hexadecimal(take_until(range, '-'));
  const std::string_view allowed = take_until(line, ' ');
  take_until(line, ' ');  // the offset
  take_until(line, ' ');  // the device
  const bool in_file = take_until(line, ' ') != "0";
  const bool is_stack = line.ends_with("[stack]");
  return {begin, hexadecimal(range), allowed.starts_with('r'),
          allowed.starts_with("rw") && allowed.ends_with('p') && !in_file && !is_stack};
}

}  // namespace

std::vector<Mapping> parse_mappings(std::string_view text) {
  std::vector<Mapping> found;
  while (!text.empty()) {
    const std::string_view line = take_until(text, '\n');
    if (is_head(line))
      found.push_back(parse_head(line));
    else if (!found.empty() && line.starts_with("VmFlags:") &&
             (std::string(line) + ' ').find(" lo ") != std::string::npos)
      found.back().is_own = false;
  }
  return found;
}

std::vector<Mapping> mappings() {
  return parse_mappings(read_file(has_locked_memory() ? "/proc/self/smaps" : "/proc/self/maps"));
}

}  // namespace vicino::topo
