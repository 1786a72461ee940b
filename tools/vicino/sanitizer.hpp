// sanitizer.hpp: programs with AddressSanitizer, whose runtime refuses to start behind another preloaded library.
#pragma once

#include <filesystem>

#include "environment.hpp"

namespace vicino::cli {

// Turns that check off (ASAN_OPTIONS) if the program is linked with the runtime, or LD_PRELOAD names it. The runtime has to be
// before the C library, whose functions it replaces, and is: of these Vicino's library has none.
// Not    the runtime first in LD_PRELOAD: it would be in all programs that the program starts, and look for leaks of theirs.
void allow_sanitizer(const std::filesystem::path& program, Environment& environment);

}  // namespace vicino::cli
