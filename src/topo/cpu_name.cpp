#include "topo/cpu_name.hpp"

#include <stdio.h>
#include <stdlib.h>

#include <string_view>

#include "base/file.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <string.h>
#endif

namespace vicino::topo {
namespace {

struct Product {
  unsigned vendor, number;
  char name[24];  // a pointer would have to be relocated in each process
};
// Arm's cores for servers, and those of vendors that make their own.
constexpr Product kProducts[] = {
    {0x41, 0xD07, "Arm Cortex-A57"},
    {0x41, 0xD08, "Arm Cortex-A72"},
    {0x41, 0xD0C, "Arm Neoverse-N1"},
    {0x41, 0xD40, "Arm Neoverse-V1"},
    {0x41, 0xD49, "Arm Neoverse-N2"},
    {0x41, 0xD4F, "Arm Neoverse-V2"},
    {0x41, 0xD83, "Arm Neoverse-V3AE"},
    {0x41, 0xD84, "Arm Neoverse-V3"},
    {0x41, 0xD8E, "Arm Neoverse-N3"},
    {0x43, 0x0AF, "Cavium ThunderX2"},
    {0x46, 0x001, "Fujitsu A64FX"},
    {0x48, 0xD01, "HiSilicon TaiShan v110"},
    {0x48, 0xD02, "HiSilicon TaiShan v120"},
    {0x4E, 0x004, "NVIDIA Carmel"},
    {0x50, 0x000, "APM X-Gene"},
    {0xC0, 0xAC3, "Ampere-1"},
    {0xC0, 0xAC4, "Ampere-1a"},
};

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

// Arm's register MIDR_EL1 of the first CPU.
std::string name_by_register(const std::string& root) {
  const std::string text =
      read_file(root + "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  if (text.empty()) return {};
  const unsigned long identification = strtoul(text.c_str(), nullptr, 16);
  const auto vendor = static_cast<unsigned>(identification >> 24 & 0xFF);
  const auto product = static_cast<unsigned>(identification >> 4 & 0xFFF);
  for (const Product& known : kProducts)
    if (known.vendor == vendor && known.number == product) return known.name;
  char name[64];
  snprintf(name, sizeof name, "Arm processor, implementer 0x%02x, part 0x%03x", vendor, product);
  return name;
}

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
  if (name.empty()) name = name_by_register(root);
  return name.empty() ? name_in_file(root) : name;
}

}  // namespace vicino::topo
