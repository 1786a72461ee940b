// known_modules.hpp: whether the parallel regions of a library may have fewer threads than they ask for.
//
// Why    OpenMP allows a runtime to give fewer threads only with dyn-var (OMP_DYNAMIC), since a program may read
//        an entry for each thread that it asked for. A certain library may be known to give the same results whatever
//        the number: its regions may have fewer without dyn-var. Another may be known to go wrong with fewer: its
//        regions have all that they ask for, with dyn-var, too.
// Table  A row is here because a test runs the library with a number of threads that changes from region to
//        region (VICINO_KNOWN=random; test/clients, bench/programs). MKL, FINUFFT and NetworKit, which go wrong, were tried
//        by hand.
// See    docs/explain/crowds.md
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vicino::config {

// Whether a library's regions may have fewer threads than they ask for.
enum class FewerThreads : uint8_t { kUnknown, kAllowed, kForbidden };

// [[module]] of the file that VICINO_CONFIG names.
struct ModuleRule {
  std::string file;  // a pattern of fnmatch(): of the file's name, or of its path if it has a slash
  bool fewer = false;  // whether its regions may have fewer threads
  uint32_t written_at = 0;
};

// What is known of the library in the file of this path. The first of `rules` that speaks of it decides, then the table.
FewerThreads fewer_threads(std::string_view path, std::span<const ModuleRule> rules);

}  // namespace vicino::config
