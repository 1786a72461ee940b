#include "topo/cpu_name.hpp"

#include <string_view>

#include "base/file.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <string.h>
#endif

namespace vicino::topo {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") + 1 - first);
}

#if defined(__x86_64__) || defined(__i386__)
std::string name_by_instruction() {
  constexpr unsigned kFirst = 0x80000002, kLast = 0x80000004;  // sixteen characters each
  if (__get_cpuid_max(0x80000000, nullptr) < kLast) return {};
  char name[48 + 1] = "";
  for (unsigned leaf = kFirst; leaf <= kLast; ++leaf) {
    unsigned words[4];
    __cpuid(leaf, words[0], words[1], words[2], words[3]);
    memcpy(name + 16 * (leaf - kFirst), words, sizeof(words));
  }
  return std::string(trimmed(name));
}
#else
std::string name_by_instruction() { return {}; }
#endif

// Takes the first line that names the CPU, on any architecture: "model name  : Text".
std::string name_in_file(const std::string& root) {
  const std::string text = read_file(root + "/proc/cpuinfo");
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = take_until(rest, '\n');
    const std::string_view key = trimmed(take_until(line, ':'));
    if (key == "model name" || key == "Processor" || key == "cpu model" || key == "cpu")
      return std::string(trimmed(line));
  }
  return {};
}

}  // namespace

std::string cpu_name(const std::string& root) {
  std::string name = root.empty() ? name_by_instruction() : "";
  return name.empty() ? name_in_file(root) : name;
}

}  // namespace vicino::topo
