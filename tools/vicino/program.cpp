#include "program.hpp"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "program_file.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

bool is_executable(const fs::path& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
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

void execute(const Words& command, Environment& environment) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // execvpe() gives the shell what the kernel does not know, as a script without a first line. A program for
  // another processor is none.
  const fs::path file = find_program(command[0]);
  execve(file.c_str(), arguments.data(), environment.pointers().data());
  if (errno == ENOEXEC && read_program_file(file).kind != ProgramFile::Kind::kElf)
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
    if (error == ENOENT)
      reason = fmt::format("its interpreter '{}' is missing", read_program_file(name).interpreter);
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
