#include "program_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <string.h>

#include <bit>
#include <fstream>

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

#ifdef __aarch64__
constexpr int kOwnMachine = EM_AARCH64;
#else
constexpr int kOwnMachine = EM_X86_64;
#endif
constexpr int kOwnOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

std::string name_of(int machine, int order) {
  switch (machine) {
    case EM_386:
      return "x86";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "arm";
    case EM_AARCH64:
      return order == ELFDATA2LSB ? "aarch64" : "aarch64, big-endian";
    case EM_PPC64:
      return order == ELFDATA2LSB ? "ppc64le" : "ppc64";
    case EM_S390:
      return "s390x";
    case EM_RISCV:
      return "riscv";
    case EM_MIPS:
      return "mips";
    default:
      return fmt::format("the ELF machine {}", machine);
  }
}

std::string interpreter_of(std::ifstream& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * size_t{header.e_phentsize}));
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return {};
    if (segment.p_type != PT_INTERP) continue;
    constexpr size_t kLongest = 4096;
    std::string name(std::min<size_t>(segment.p_filesz, kLongest), '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    if (!file.read(name.data(), static_cast<std::streamsize>(name.size()))) return {};
    return name.c_str();  // it ends with a 0
  }
  return {};
}

// "#! /usr/bin/env python3"
ProgramFile read_script(std::ifstream& file) {
  constexpr const char* kBlanks = " \t\r";
  ProgramFile script{.kind = ProgramFile::Kind::kScript};
  std::string line;
  file.clear();
  file.seekg(2);
  std::getline(file, line);
  const size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  const size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
  script.interpreter = line.substr(begin, end - begin);
  const size_t rest = line.find_first_not_of(kBlanks, end);
  if (rest != line.npos)
    script.argument = line.substr(rest, line.find_last_not_of(kBlanks) + 1 - rest);
  return script;
}

}  // namespace

ProgramFile read_program_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  const auto got = static_cast<size_t>(file.gcount());
  if (got >= 2 && memcmp(&header, "#!", 2) == 0) return read_script(file);
  // The fields up to the machine are the same in files of 32 bits, which may be shorter than this header.
  if (got < sizeof(Elf32_Ehdr) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  ProgramFile result{.kind = ProgramFile::Kind::kElf};
  const int order = header.e_ident[EI_DATA];
  const auto machine = header.e_machine;
  result.processor =
      name_of(order == kOwnOrder ? machine : (machine >> 8 | (machine & 0xff) << 8), order);
  result.is_32_bit = header.e_ident[EI_CLASS] != ELFCLASS64;
  if (!result.is_32_bit && order == kOwnOrder && got == sizeof header)
    result.interpreter = interpreter_of(file, header);
  return result;
}

std::string own_processor() { return name_of(kOwnMachine, kOwnOrder); }

}  // namespace vicino::cli
