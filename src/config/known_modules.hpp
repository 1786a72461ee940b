// known_modules.hpp: libraries whose parallel regions give the same results whatever their number of threads, so
// that a region of theirs may have fewer than it asks for without dyn-var.
//
// Why    OpenMP allows a runtime to give fewer threads only with dyn-var (OMP_DYNAMIC), since a program may read
//        an entry for each thread that it asked for. Whether a certain library does so can be known.
// Table  A row is here because a test runs the library with a number of threads that changes from region to
//        region (VICINO_KNOWN=random; test/clients, bench/programs).
// See    docs/explain/crowds.md
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vicino::config {

// [[module]] of the file that VICINO_CONFIG names.
struct ModuleRule {
  std::string file;  // a pattern of fnmatch(): of the file's name, or of its path if it has a slash
  bool fewer = false;  // whether its regions may have fewer threads
  uint32_t written_at = 0;
};

// Whether the regions of the library in the file of this path may have fewer threads. The first of `rules` that
// speaks of it decides, then the table.
bool may_have_fewer(std::string_view path, std::span<const ModuleRule> rules);

}  // namespace vicino::config
