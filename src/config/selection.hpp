// selection.hpp: a schedule of the registry with its parameters, as users write it.
//
//   ich    nich,group=4,epsilon=0.2    mixed,f=0.75,chunk=8    staggered,f=model    fixed_size,64
//
//   ich,paper    ich,paper,epsilon=0.2
//
// A number alone is the chunk, a word alone one of the schedule's presets; parameters behind a
// preset change it. Names and words may be in any letter case.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/registry.hpp"

namespace vicino::config {

// If there is no selection, the reason names what is wrong and what is accepted; after an unknown
// name, the names that look most like it come first.
Result<loop::Selection> parse_selection(std::string_view text);

// What a parameter accepts, to be read after "not "; and a value of it as users write it.
std::string accepted(const loop::Parameter& parameter);
std::string show(const loop::Parameter& parameter, double value);

// All parameters of a preset, as users write them.
std::string settings_of(const loop::Row& row, const loop::Preset& preset);

// A text that parse_selection() accepts, with those parameters that differ from their fallbacks, or
// from those of a preset if that text is shorter.
std::string format_selection(const loop::Selection& selection);

}  // namespace vicino::config
