// mixed_variable.hpp: the first part of the loop static, the rest in chunks that shrink.
//
// Source Kale and others (static_fraction.hpp): mixed scheduling with variable-sized dynamic tasks.
//        The paper does not say how they shrink. Here they shrink as in factoring, so that a long
//        remainder needs few claims and its last chunks are short.
// Cost   as mixed.hpp, with fewer claims.
// See    docs/design/mixed.md
#pragma once

#include "loop/factoring.hpp"
#include "loop/mixed_parts.hpp"

namespace vicino::loop {

class MixedVariable : public MixedParts<Factoring, 0> {
 public:
  static constexpr std::string_view kName = "mixed_variable";
  static constexpr std::string_view kSummary = "a static part, then chunks that shrink";
};
static_assert(LoopScheduler<MixedVariable>);

}  // namespace vicino::loop
