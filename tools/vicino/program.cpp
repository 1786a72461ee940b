#include "program.hpp"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

bool is_executable(const fs::path& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

// In a set-user-id program the loader drops the variables that `vicino run` sets (AT_SECURE).
bool gains_privilege(const fs::path& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return false;
  if ((info.st_mode & S_ISUID) != 0 && info.st_uid != geteuid()) return true;
  if ((info.st_mode & S_ISGID) != 0 && info.st_gid != getegid()) return true;
  return geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

bool has_interpreter(std::ifstream& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * size_t{header.e_phentsize}));
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return false;
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

bool needs_quotes(const std::string& word) {
  return word.empty() || word.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789%+,-./:=@_") != std::string::npos;
}

}  // namespace

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!is_executable(name))
      cannot_execute(name, access(name.c_str(), F_OK) == 0 ? EACCES : errno);
    return name;
  }
  const char* path = getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  bool there = false;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (is_executable(candidate)) return candidate;
    std::error_code ignored;
    there = there || fs::is_regular_file(candidate, ignored);
  }
  cannot_execute(name, there ? EACCES : ENOENT);
}

std::optional<std::string> refuses_preload(const fs::path& program) {
  if (gains_privilege(program)) return "it runs with another user's or added privileges";
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "it is a 32-bit program";
  if (!has_interpreter(file, header)) return "it is statically linked";
  return std::nullopt;
}

void execute(const Words& command, Environment& environment) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvpe(arguments[0], arguments.data(), environment.pointers().data());
  cannot_execute(command[0], errno);
}

void cannot_execute(const std::string& name, int error) {
  std::string reason = strerror(error);
  struct stat info;
  if (name.find('/') == std::string::npos) {
    if (error == ENOENT) reason = "there is no such program in PATH";
  } else if (stat(name.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) reason = "it is a folder";
    if (error == ENOENT) reason = "its interpreter is missing";
  }
  const int status = error == ENOENT || error == ENOTDIR ? kNotFound : kCannotExecute;
  throw Failure(status, fmt::format("cannot run '{}': {}", name, reason));
}

std::string quoted(const Words& command) {
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    if (!needs_quotes(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace vicino::cli
