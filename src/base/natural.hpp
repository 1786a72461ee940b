// natural.hpp: natural order for places of a program: "a.c:7" comes before "a.c:11".
#pragma once

#include <string_view>

namespace vicino {

// Whether `a` comes before `b`; adjacent digits count as one number.
bool comes_before(std::string_view a, std::string_view b) noexcept;

}  // namespace vicino
