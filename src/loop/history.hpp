// history.hpp: what a schedule remembers of one call site from one execution to the next.
//
// The words belong to the schedule and are zero at first. Executions of one loop may overlap
// (nowait, nested and concurrent teams), so a word may change at any time: a schedule takes what it
// reads as a hint, and which iterations run never depends on two reads giving the same value.
#pragma once

#include <cstdint>
#include <span>

#include "plat/plat.hpp"

namespace vicino::loop {

using History = std::span<plat::atomic<uint64_t>>;

}  // namespace vicino::loop
