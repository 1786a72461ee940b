// bind.hpp: how the threads of a team take their places, the values of OMP_PROC_BIND.
//
// kTrue leaves the choice to the runtime but forbids moving; kPrimary was once called `master`.
// kNear has no word: it stands where nobody has said how threads are bound (topo/near.hpp).
#pragma once

#include <cstdint>

namespace vicino::topo {

enum class Bind : std::uint8_t { kFalse, kNear, kTrue, kPrimary, kClose, kSpread };

// Whether threads are bound to places, so that the routines on places tell where they are.
constexpr bool to_places(Bind bind) noexcept { return bind > Bind::kNear; }

// Consecutive places.
struct Partition {
  int first = 0;
  int size = 0;
  bool contains(int place) const noexcept { return place >= first && place < first + size; }
  friend bool operator==(const Partition&, const Partition&) = default;
};

}  // namespace vicino::topo
