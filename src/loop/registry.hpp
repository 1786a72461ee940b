// registry.hpp: every loop schedule, one row each. Tests, benchmarks, settings and --help iterate
// over the rows. To add a schedule: schedulers.hpp.
#pragma once

#include <span>
#include <string_view>

#include "loop/plan.hpp"
#include "loop/schedule_kind.hpp"

namespace vicino::loop {

// A scheduler behind pointers, chosen once per loop and called once per chunk. `shared` points to
// kSharedSize bytes; for a schedule without shared state it may be any pointer.
struct Row {
  std::string_view name, summary;
  bool ordered;
  bool shared;
  bool asks_near;  // whether it needs Plan::shape even where no setting names it
  std::span<const Parameter> parameters;
  std::span<const Preset> presets;
  std::size_t (*history_words)(uint32_t members) noexcept;
  void (*start)(void* shared, const Plan&) noexcept;
  void (*enter)(void* shared, const Plan&, Cursor&) noexcept;
  Range (*next)(void* shared, Cursor&) noexcept;
};

std::span<const Row> registry() noexcept;

// Whether the schedule has a static fraction (static_fraction.hpp), which is its first parameter
// then.
inline bool has_fraction(const Row& row) noexcept {
  return !row.parameters.empty() && row.parameters[0].name == "f";
}

// The row with this name, or null.
const Row* find(std::string_view name) noexcept;

// The schedule with its own fallbacks.
Selection by_default(const Row& row) noexcept;

// A copy that lives as long as the process; equal selections have one address.
const Selection* keep(const Selection& selection);

// The row itself, or the one that replaces it: for static loops with a chunk, and for loops of more
// chunks than the row can count.
const Row& fitting(const Row& row, const Plan& plan) noexcept;

// For a team of one: everything as one chunk.
const Row& whole_loop() noexcept;

// The schedule for one of OpenMP's kinds. `in_order`: the loop has an ordered clause or the
// monotonic modifier. kAuto is static where the tuner does not choose.
const Row& choose(ScheduleKind kind, const Plan& plan, bool in_order) noexcept;

}  // namespace vicino::loop
