#include "topo/mappings.hpp"

#include <charconv>
#include <string>

#include "base/file.hpp"

namespace vicino::topo {
namespace {

// Of the list's text: the kernel writes so much, of some four thousand mappings, in a millisecond.
constexpr size_t kMost = 256 << 10;

uintptr_t hexadecimal(std::string_view word) {
  uintptr_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value, 16);
  return value;
}

// "7f00-7f10 rw-p 00000000 00:00 0    [heap]"
Mapping parse_line(std::string_view line) {
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
  while (!text.empty()) found.push_back(parse_line(take_until(text, '\n')));
  return found;
}

std::vector<Mapping> mappings() { return parse_mappings(read_file("/proc/self/maps", kMost)); }

}  // namespace vicino::topo
