#include "refusal.hpp"

#include <gnu/libc-version.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdio>
#include <set>
#include <sstream>

#include "base/elf.hpp"
#include "base/file.hpp"
#include "library.hpp"
#include "program.hpp"
#include "program_file.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

// In a set-user-id program the loader drops the variables that `vicino run` sets (AT_SECURE).
bool gains_privilege(const fs::path& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return false;
  if ((info.st_mode & S_ISUID) != 0 && info.st_uid != geteuid()) return true;
  if ((info.st_mode & S_ISGID) != 0 && info.st_gid != getegid()) return true;
  return geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

struct GlibcVersion {
  int major = 0, minor = 0;

  auto operator<=>(const GlibcVersion&) const = default;
  std::string text() const { return fmt::format("{}.{}", major, minor); }
};

constexpr const char* kPlain = "%d.%d";
constexpr const char* kOfSymbols = "GLIBC_%d.%d";

GlibcVersion parse(const char* form, const std::string& text) {
  GlibcVersion version;
  // NOLINTNEXTLINE(cert-err34-c): what is no version stays the least one
  if (sscanf(text.c_str(), form, &version.major, &version.minor) != 2) return {};
  return version;
}

constexpr const char* kCLibrary = "libc.so.6";

GlibcVersion needed_by(const fs::path& library) {
  static constexpr std::array<std::string_view, 3> kParts = {kCLibrary, "libm.so.6",
                                                             "libpthread.so.0"};
  GlibcVersion newest;
  for (const Wanted& wanted : versions_wanted_from(library.string(), kParts))
    newest = std::max(newest, parse(kOfSymbols, wanted.version));
  return newest;
}

// The C library that comes with another loader than this process's own, as in Nix and Spack. It lies beside the
// loader. Nothing if the loader is the system's, or brings no such file.
std::optional<GlibcVersion> brought_by(const fs::path& loader) {
  std::error_code error;
  if (fs::equivalent(loader, read_program_file(own_file()).interpreter, error) || error)
    return std::nullopt;
  const fs::path file = fs::canonical(loader, error).parent_path() / kCLibrary;
  GlibcVersion newest;
  for (const std::string& version : offered_by(file.string()).versions)
    newest = std::max(newest, parse(kOfSymbols, version));
  if (newest == GlibcVersion{}) return std::nullopt;
  return newest;
}

// What is to be said of an ELF file, behind "it" or its name.
struct Predicate {
  std::string text;
  bool is_harmed = true;
  bool has_runtime = true;
};

// A runtime that is part of the program has these functions, or where symbols are stripped, reads this variable.
bool has_runtime(const fs::path& file) {
  const std::string bytes = read_file(file.string());
  return std::ranges::any_of(
      std::array{"GOMP_parallel", "__kmpc_fork_call", "OMP_NUM_THREADS"},
      [&](const char* name) { return bytes.find(name) != std::string::npos; });
}

std::optional<Predicate> predicate_of(const ProgramFile& file, const fs::path& path,
                                      const fs::path& library) {
  if (file.is_32_bit) return Predicate{"is a 32-bit program"};
  if (file.processor != own_processor())
    return Predicate{
        fmt::format("is built for {}, and Vicino for {}", file.processor, own_processor())};
  if (file.interpreter.empty()) return Predicate{"is statically linked", false, has_runtime(path)};
  if (fs::path(file.interpreter).filename().string().starts_with("ld-musl"))
    return Predicate{"uses the C library musl, and Vicino needs glibc"};
  const auto brought = brought_by(file.interpreter);
  if (!brought) return std::nullopt;
  if (const GlibcVersion needed = needed_by(library); *brought < needed)
    return Predicate{
        fmt::format("brings glibc {}, and Vicino needs {}", brought->text(), needed.text())};
  return std::nullopt;
}

// The program that runs the script: env is passed over, with its options and assignments.
fs::path interpreter_of(const ProgramFile& script) {
  if (fs::path(script.interpreter).filename() != "env") return script.interpreter;
  std::istringstream words(script.argument);
  for (std::string word; words >> word;)
    if (!word.starts_with('-') && word.find('=') == word.npos) try {
        return find_program(word);
      } catch (const Failure&) {
        break;  // env will say so
      }
  return script.interpreter;
}

}  // namespace

std::optional<Refusal> refusal_of(const fs::path& program, const fs::path& library) {
  if (gains_privilege(program)) return Refusal{"it runs with another user's or added privileges"};
  fs::path path = program;
  ProgramFile file = read_program_file(path);
  std::string who = "it";
  // The kernel, too, follows only a few interpreters that are scripts themselves.
  constexpr int kMostScripts = 5;
  for (int i = 0; file.kind == ProgramFile::Kind::kScript && i < kMostScripts; ++i) {
    path = interpreter_of(file);
    who = fmt::format("its interpreter '{}'", path.string());
    file = read_program_file(path);
  }
  if (file.kind != ProgramFile::Kind::kElf) return std::nullopt;
  const auto predicate = predicate_of(file, path, library);
  if (!predicate) return std::nullopt;
  return Refusal{.reason = fmt::format("{} {}", who, predicate->text),
                 .is_script = who != "it",
                 .is_harmed = predicate->is_harmed,
                 .has_runtime = predicate->has_runtime};
}

void expect_loadable(const fs::path& library, int failure_status) {
  const ProgramFile file = read_program_file(library);
  if (file.kind != ProgramFile::Kind::kElf)
    throw Failure(failure_status, fmt::format("'{}' is not a library", library.string()));
  if (file.is_32_bit || file.processor != own_processor())
    throw Failure(failure_status,
                  fmt::format("'{}' is a library for {}, and this command is for {}",
                              library.string(), file.processor, own_processor()));
  const GlibcVersion needed = needed_by(library);
  if (const auto here = parse(kPlain, gnu_get_libc_version()); here < needed)
    throw Failure(failure_status,
                  fmt::format("'{}' needs glibc {} or newer, and this system has {}",
                              library.string(), needed.text(), here.text()));
}

}  // namespace vicino::cli
