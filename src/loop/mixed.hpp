// mixed.hpp: the first part of the loop static, the rest in chunks from one queue: uSched.
//
// Why    Static keeps data where it was and costs nothing; dynamic makes up for threads that are
//        late. Most loops need only as much of the dynamic part as their threads differ in time.
// Source Kale and others (static_fraction.hpp): the basic strategy. Thread t first runs its share
//        of the first f n iterations; the other (1 - f) n are a shared queue of chunks of c. The
//        paper leaves c open; here it gives 16 chunks per thread at most, unless set.
// Cost   one call of next(), then those of dynamic_shared.hpp.
// See    docs/design/mixed.md
#pragma once

#include "loop/dynamic_shared.hpp"
#include "loop/mixed_parts.hpp"

namespace vicino::loop {

class Mixed : public MixedParts<DynamicShared, 16> {
 public:
  static constexpr std::string_view kName = "mixed";
  static constexpr std::string_view kSummary = "a static part, then chunks from one shared queue";
};
static_assert(LoopScheduler<Mixed>);

}  // namespace vicino::loop
