// bench_runtimes.hpp: the OpenMP runtimes on which `vicino bench` runs its programs.
//
// Which  Of libgomp, libomp and libiomp5 the one that a program would get here: of LD_LIBRARY_PATH, of the
//        environment of conda, of Python or of Intel's compilers that is active, of the loader's cache, of
//        the system's folders. Or those that the user names.
// Not    whatever has such a file name: conda has environments in which libgomp.so.1 is a link to libomp.so,
//        and Vicino may be installed under each of the names. The functions in a file say what it is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "environment.hpp"

namespace vicino::cli {

enum class Abi { kGcc, kClang };
std::string_view name_of(Abi abi);  // gcc, clang: as in the names of the kit's programs

struct OtherRuntime {
  std::string name;
  std::filesystem::path file;  // without links
  std::string found;           // where it was found
  bool runs_gcc = false;       // the programs of which compiler run on it
  bool runs_clang = false;

  bool runs(Abi abi) const { return abi == Abi::kGcc ? runs_gcc : runs_clang; }
};

// One of each name at most. Vicino is none of them.
std::vector<OtherRuntime> find_runtimes(const Environment& environment);

// What `[NAME=]FILE` names. Throws Failure if that is no OpenMP runtime.
OtherRuntime named_runtime(const std::string& text);

// The files of one name that the loader's cache has, in its order: `cache` is the text of /etc/ld.so.cache.
std::vector<std::string> files_in_cache(std::string_view cache, std::string_view name);

// The package that brought a file, as far as a package manager of this system knows; else "".
std::string package_of(const std::filesystem::path& file);

}  // namespace vicino::cli
