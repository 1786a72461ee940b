// library.hpp: finds the runtime's file, and makes the folder that lets it replace other runtimes.
//
// Why    Preloading alone does not keep the program's own runtime out: that runtime is still
//        loaded, its constructors run first, and two runtimes read the same settings. A folder in
//        LD_LIBRARY_PATH keeps it out: there every name that compilers link to is a link to one
//        file. Preloading is needed besides, for copies under names that cannot be listed (Python
//        wheels rename theirs) and for programs with DT_RPATH, which comes before LD_LIBRARY_PATH.
// Names  The folder's libgomp.so.1 is preloaded, not libvicino.so. Both are the same file, but the
//        loader keeps the first name, and tools that look for OpenMP runtimes among the loaded
//        objects (threadpoolctl) know them by name.
// Wheels A wheel of Python has no links, and two copies of the library would be two runtimes. So its one
//        copy is the folder's libgomp.so.1, and the other names are small libraries that need that one
//        (packaging/python/alias.py).
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

#include "environment.hpp"

namespace vicino::cli {

// The runtimes' file names that compilers link to. The same as in cmake/install.cmake (test/cli
// compares both).
inline constexpr std::array<std::string_view, 5> kReplacedNames = {
    "libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so", "libgomp.so.1.0.0"};

// The file of the running command. Where /proc is empty, or nobody may read links, it is known by the path by
// which it was started.
std::filesystem::path own_file();

// A file that is installed with the command, in libexec/vicino.
std::filesystem::path libexec_file(std::string_view name);

// The path of libvicino.so: VICINO_LIBRARY, or the library beside this program as built or
// installed. Throws Failure, also if this system cannot load it.
std::filesystem::path find_library(int failure_status);

// The folder of what belongs to a library: the replacement folder, and the modules that it loads.
std::filesystem::path folder_of(const std::filesystem::path& library);

// A folder of links to one library. A folder that is installed beside the library is used as it is;
// otherwise the links are made in a private folder, which the destructor removes.
class ReplacementFolder {
 public:
  explicit ReplacementFolder(const std::filesystem::path& library);
  ~ReplacementFolder();
  ReplacementFolder(const ReplacementFolder&) = delete;
  ReplacementFolder& operator=(const ReplacementFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  bool made_here() const noexcept { return made_here_; }

  // Makes a program started with this environment use the library, and have `behind`, another
  // library, preloaded behind it. An empty path is none.
  void apply_to(Environment& environment, const std::filesystem::path& behind = {}) const;

  // Leaves the removal to the janitor, which waits until this process, by then running another
  // program, has ended. Call it before execute().
  void remove_after_this_process();

 private:
  std::filesystem::path path_;
  bool made_here_ = false;
};

}  // namespace vicino::cli
