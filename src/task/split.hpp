// split.hpp: a taskloop's iterations as tasks: how many tasks, and which iterations each one has.
//
// OpenMP 5.2, section 12.6. grainsize(g): at least min(g, trip) and fewer than 2g iterations each;
// strict: g each, except the last. num_tasks(n): min(n, trip) tasks. Where OpenMP leaves the
// choice, the split is even: no two tasks differ by more than one iteration, the longer ones come
// first.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "loop/range.hpp"

namespace vicino::task {

enum class Grain : uint8_t { kNone, kGrainsize, kNumTasks };

struct SplitRequest {
  Grain grain = Grain::kNone;
  uint64_t amount = 0;  // of the clause; without one, how many tasks there should be
  bool strict = false;
};

// The end of part `part`, counted from 1, of a row of tasks cut into `whole` equal parts; without
// overflow.
constexpr uint64_t end_of_part(uint64_t tasks, uint64_t part, uint64_t whole) noexcept {
  return tasks / whole * part + tasks % whole * part / whole;
}

class Split {
 public:
  constexpr Split(uint64_t trip, SplitRequest request) noexcept : trip_(trip) {
    const uint64_t amount = std::max<uint64_t>(request.amount, 1);
    if (trip == 0) return;
    if (request.grain == Grain::kGrainsize && request.strict) {
      least_ = amount;
      tasks_ = (trip - 1) / amount + 1;
      return;
    }
    tasks_ = request.grain == Grain::kGrainsize ? std::max<uint64_t>(trip / amount, 1)
                                                : std::min(amount, trip);
    least_ = trip / tasks_;
    longer_ = trip % tasks_;
  }

  constexpr uint64_t tasks() const noexcept { return tasks_; }
  constexpr uint64_t trip() const noexcept { return trip_; }

  constexpr loop::Range range(uint64_t task) const noexcept {
    const uint64_t begin = task * least_ + std::min(task, longer_);
    const uint64_t length = least_ + (task < longer_);
    return {begin, begin + std::min(length, trip_ - begin)};
  }

 private:
  uint64_t trip_;
  uint64_t tasks_ = 0;
  uint64_t least_ = 0;   // iterations of a task,
  uint64_t longer_ = 0;  // and one more for the first of them
};

// The trip count of a loop whose inclusive bound is `upper`. The distance counts modulo 2^N, so it
// is right for signed bounds too. With step 1 or -1 the result is 0 if `upper` lies one step before
// `lower`: the loop is empty, or it takes all 2^N values, whose count does not fit in N bits.
template <std::unsigned_integral U>
constexpr uint64_t trip_to(U lower, U upper, std::make_signed_t<U> step) noexcept {
  const U distance = static_cast<U>(step > 0 ? upper - lower : lower - upper);
  const U size = static_cast<U>(step > 0 ? step : -static_cast<U>(step));
  if (size == 1 && distance == static_cast<U>(-1)) return 0;
  return uint64_t{static_cast<U>(distance / size)} + 1;
}

}  // namespace vicino::task
