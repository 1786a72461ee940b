// natural.hpp: the order in which people look for places: "a.c:7" before "a.c:11".
#pragma once

#include <string_view>

namespace vicino {

// Whether `a` comes before `b`, digits that follow each other being one number.
bool comes_before(std::string_view a, std::string_view b) noexcept;

}  // namespace vicino
