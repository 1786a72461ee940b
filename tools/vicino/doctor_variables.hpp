// doctor_variables.hpp: which variable a misspelt name means.
#pragma once

#include <cstddef>
#include <string_view>

namespace vicino::cli {

// The variable of an OpenMP runtime that a name nobody reads is likely to mean; empty for a name that is read, and for
// one that resembles none.
std::string_view meant_by(std::string_view name);

// How many letters must be inserted, deleted, changed, or swapped with the next one.
std::size_t edits_between(std::string_view a, std::string_view b);

}  // namespace vicino::cli
