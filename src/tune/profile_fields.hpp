// profile_fields.hpp: the words of a profile's text, for what reads it and what writes it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tune/profile.hpp"

namespace vicino::tune::profile_text {

inline constexpr std::string_view kTitle = "vicino profile ";
// A profile without graphs has the first format, which older versions of Vicino read as well.
inline constexpr int kFormat = 1, kFormatOfGraphs = 2;
inline constexpr std::string_view kChecksum = "checksum ";
inline constexpr std::string_view kStructure = "structure";

// By Progress.
inline constexpr std::array<std::string_view, 5> kProgress{"warm_up", "schedules", "widths",
                                                           "settled", "left_alone"};

template <class Value>
struct Field {
  std::string_view name;
  Value ProfileEntry::* value;
};

// Each has a line, unless it is empty.
inline constexpr std::array<Field<std::string>, 3> kTexts{{{"binary", &ProfileEntry::binary},
                                                           {"where", &ProfileEntry::where},
                                                           {"hardware", &ProfileEntry::hardware}}};

// What was seen: all in one line, and added up by a merge.
inline constexpr std::array<Field<uint64_t>, 6> kCounts{
    {{"executions", &ProfileEntry::executions},
     {"iterations", &ProfileEntry::iterations},
     {"settled_iterations", &ProfileEntry::settled_iterations},
     {"total_ns", &ProfileEntry::total_ns},
     {"explored_ns", &ProfileEntry::explored_ns},
     {"explored_again", &ProfileEntry::explored_again}}};

}  // namespace vicino::tune::profile_text
