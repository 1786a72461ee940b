#include "memory.hpp"

#include <charconv>

#include "base/file.hpp"

namespace vicino::trace {
namespace {

uint64_t number_in(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// "7f2c40000000 default anon=5 dirty=5 N0=3 N2=2 kernelpagesize_kB=4"
void add_mapping(std::string_view line, BytesByNode& sum) {
  BytesByNode pages;
  uint64_t kilobytes = 4;
  while (!line.empty()) {
    std::string_view word = take_until(line, ' ');
    const std::string_view name = take_until(word, '=');
    if (name == "stack" || name == "file") return;
    if (name == "kernelpagesize_kB") kilobytes = number_in(word);
    if (name.starts_with('N') && !word.empty())
      pages[static_cast<int>(number_in(name.substr(1)))] += number_in(word);
  }
  for (const auto& [node, count] : pages) sum[node] += count * kilobytes * 1024;
}

}  // namespace

BytesByNode bytes_by_node(std::string_view numa_maps) {
  BytesByNode sum;
  while (!numa_maps.empty()) add_mapping(take_until(numa_maps, '\n'), sum);
  return sum;
}

}  // namespace vicino::trace
