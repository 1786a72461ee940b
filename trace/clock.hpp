// clock.hpp: the time of a record: ticks, which are turned into nanoseconds when the record is written.
#pragma once

#include <cstdint>

#include "base/ticks.hpp"

namespace vicino::trace {

// Ticks to nanoseconds of CLOCK_BOOTTIME, which is the viewer's clock. Between two looks at both clocks time is
// interpolated, so that it goes on without a jump.
class Converter {
 public:
  // Looks at both clocks. Records that are older than the last look are converted by it.
  void look() noexcept;
  uint64_t ns(uint64_t ticks) const noexcept;

 private:
  struct Look {
    uint64_t ticks = 0, ns = 0;
  };
  Look before_, last_;
  double ns_per_tick_ = 1;
};

}  // namespace vicino::trace
