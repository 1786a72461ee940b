// rewrite.hpp: what becomes of one directive: its edits, or why it stays.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source.hpp"
#include "syntax.hpp"

namespace vicino::convert {

enum class Target { kRuntime, kTaskloop };

struct Wish {
  Target target = Target::kRuntime;
  bool all = false;  // also loops that say their schedule
};

// Whether such a loop is one that was asked for; otherwise it stays, and nothing is said of it.
bool is_wanted(const Directive& loop, const Wish& wish);

// Why the directive's own words do not allow it.
std::optional<std::string> refusal(const View& view, const Directive& loop, const Wish& wish);
// Why what is in the loop, or around it, does not.
std::optional<std::string> refusal_by_region(const View& view, const Directive& loop,
                                             const Node& node, const Wish& wish);

// The edits that make it so.
std::vector<Edit> rewrite(std::string_view text, const Directive& loop, const Wish& wish);

}  // namespace vicino::convert
