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
  bool all = false;  // also loops that have a schedule clause
};

// Whether the loop is one that was asked for; any other loop stays without a message.
bool is_wanted(const Directive& loop, const Wish& wish);

// Why the directive's own words forbid the change.
std::optional<std::string> refusal(const View& view, const Directive& loop, const Wish& wish);
// Why the code in the loop, or around it, forbids the change.
std::optional<std::string> refusal_by_region(const View& view, const Directive& loop,
                                             const Node& node, const Wish& wish);

// The edits that change the directive.
std::vector<Edit> rewrite(std::string_view text, const Directive& loop, const Wish& wish);

}  // namespace vicino::convert
