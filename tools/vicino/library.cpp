#include "library.hpp"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "janitor.hpp"
#include "refusal.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kLibrary = "libvicino.so";
constexpr std::string_view kFolder = "vicino";
constexpr std::string_view kReplace = "replace";
constexpr std::string_view kPreloaded = kReplacedNames[0];

// The loader splits its lists at these characters, expands the dollar, and has no way to quote
// them.
bool loader_takes(const fs::path& path) {
  return path.string().find_first_of(" \t\n:;$") == std::string::npos;
}

// Whether the folder links to this library. The folder of an older build may stand beside a library
// that VICINO_LIBRARY names.
bool is_folder_for(const fs::path& folder, const fs::path& library) {
  std::error_code error;
  return fs::equivalent(folder / kPreloaded, library, error) && !error;
}

fs::path private_folder() {
  const char* tmpdir = getenv("TMPDIR");
  for (const fs::path& base : {fs::path(tmpdir != nullptr ? tmpdir : ""), fs::path("/tmp")}) {
    if (!base.is_absolute() || !loader_takes(base)) continue;
    std::string pattern = base / "vicino-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) return pattern;
  }
  throw Failure(kRunFailed, fmt::format("cannot make a temporary folder: {}", strerror(errno)));
}

// The same file by a path without links, or where links cannot be read, by a path from the root.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? fs::absolute(path).lexically_normal() : real;
}

fs::path locate_library(int failure_status) {
  std::error_code error;
  if (const char* given = getenv("VICINO_LIBRARY"); given != nullptr && *given != '\0') {
    if (!fs::is_regular_file(given, error))
      throw Failure(failure_status, fmt::format("VICINO_LIBRARY: '{}' is not a file", given));
    return resolved(given);
  }
  const fs::path here = own_file().parent_path();
  std::string tried;
  for (const std::string_view folder : {"../lib", "../" VICINO_LIBDIR}) {
    const fs::path candidate = (here / folder / kLibrary).lexically_normal();
    if (fs::is_regular_file(candidate, error)) return resolved(candidate);
    const fs::path in_wheel = candidate.parent_path() / kFolder / kReplace / kPreloaded;
    if (fs::is_regular_file(in_wheel, error)) return resolved(in_wheel);
    tried += "\n  " + candidate.string();
  }
  throw Failure(failure_status, fmt::format("{} was not found at:{}\n"
                                            "VICINO_LIBRARY=FILE names its place",
                                            kLibrary, tried));
}

}  // namespace

fs::path own_file() {
  std::error_code error;
  if (fs::path file = fs::read_symlink("/proc/self/exe", error); !error) return file;
  return resolved(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
}

fs::path libexec_file(std::string_view name) {
  return (own_file().parent_path() / ".." / VICINO_LIBEXECDIR / kFolder / name).lexically_normal();
}

fs::path find_library(int failure_status) {
  fs::path library = locate_library(failure_status);
  expect_loadable(library, failure_status);
  return library;
}

fs::path folder_of(const fs::path& library) {
  const fs::path here = library.parent_path();
  return here.filename() == kReplace ? here.parent_path() : here / kFolder;
}

ReplacementFolder::ReplacementFolder(const fs::path& library)
    : path_(folder_of(library) / kReplace) {
  if (loader_takes(path_) && is_folder_for(path_, library)) return;
  path_ = private_folder();
  made_here_ = true;
  for (const std::string_view name : kReplacedNames) fs::create_symlink(library, path_ / name);
}

ReplacementFolder::~ReplacementFolder() {
  std::error_code ignored;
  if (made_here_) fs::remove_all(path_, ignored);
}

void ReplacementFolder::apply_to(Environment& environment, const fs::path& behind) const {
  environment.prepend("LD_LIBRARY_PATH", path_.string(), ':');
  if (loader_takes(behind)) {
    if (!behind.empty()) environment.prepend("LD_PRELOAD", behind.string(), ':');
  } else if (made_here_) {  // it stands beside the library, whose path is no better
    fs::create_symlink(behind, path_ / behind.filename());
    environment.prepend("LD_PRELOAD", (path_ / behind.filename()).string(), ':');
  }
  environment.prepend("LD_PRELOAD", (path_ / kPreloaded).string(), ':');
}

void ReplacementFolder::remove_after_this_process() {
  if (!made_here_) return;
  // Without a janitor this object keeps the folder, and execute() never runs its destructor: a few
  // links are left behind, and the program runs.
  if (start_janitor(path_)) made_here_ = false;
}

}  // namespace vicino::cli
