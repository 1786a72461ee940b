// bind.hpp: how the threads of a team take their places, the values of OMP_PROC_BIND.
//
// kTrue leaves the choice to the runtime but forbids moving; kPrimary was once called `master`.
#pragma once

#include <cstdint>

namespace vicino::topo {

enum class Bind : std::uint8_t { kFalse, kTrue, kPrimary, kClose, kSpread };

}  // namespace vicino::topo
