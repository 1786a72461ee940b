// selection.hpp: a schedule of the registry with its parameters, as users write it.
//
//   ich    nich,group=4,epsilon=0.2    mixed,f=0.75,chunk=8    staggered,f=model    fixed_size,64
//
// A number alone is the chunk. Names and words in any letter case.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/registry.hpp"

namespace vicino::config {

// The reason, when there is none, names what is wrong and what is accepted; after an unknown name,
// the names that look most like it first.
Result<loop::Selection> parse_selection(std::string_view text);

// What a parameter takes, as "not <this>" ends; and a value of it as it is written.
std::string accepted(const loop::Parameter& parameter);
std::string show(const loop::Parameter& parameter, double value);

// What parse_selection() takes back: parameters that are not as the schedule has them by itself.
std::string format_selection(const loop::Selection& selection);

}  // namespace vicino::config
