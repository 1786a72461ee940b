// library.hpp: the runtime as a file, and the folder that puts it in the place of another.
//
// Why    A preloaded library does not keep the program's own runtime out: it is still loaded, its
//        constructors run first, and two runtimes read the same settings. A folder in which every
//        name that compilers link to is a link to one file does (LD_LIBRARY_PATH). Preloading is
//        needed besides, for copies under names that nobody can list (Python wheels rename theirs)
//        and for programs with DT_RPATH, which comes before LD_LIBRARY_PATH.
// Names  What is preloaded is the folder's libgomp.so.1, not libvicino.so: it is the same file, but
//        the loader keeps the first name, and tools that look for OpenMP runtimes among the loaded
//        objects (threadpoolctl) know them by name.
#pragma once

#include <filesystem>

#include "environment.hpp"

namespace vicino::cli {

// libvicino.so: VICINO_LIBRARY, or beside this program as built or installed. Throws Failure.
std::filesystem::path find_library(int failure_status);

// A folder of links to one library. One that is installed beside it is used as it is; otherwise the
// links are made in a private folder, which the destructor removes.
class ReplacementFolder {
 public:
  explicit ReplacementFolder(const std::filesystem::path& library);
  ~ReplacementFolder();
  ReplacementFolder(const ReplacementFolder&) = delete;
  ReplacementFolder& operator=(const ReplacementFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  bool made_here() const noexcept { return made_here_; }

  // Makes a program started with this environment use the library.
  void apply_to(Environment& environment) const;

  // Leaves the removal to a process that outlives this one: it waits until this process, by then
  // another program in the same place, has ended. Call before execute().
  void remove_after_this_process();

 private:
  std::filesystem::path path_;
  bool made_here_ = false;
};

}  // namespace vicino::cli
