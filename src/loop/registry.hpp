// registry.hpp: every loop schedule, one row each. Tests, benchmarks, settings and --help iterate
// over this; to add a schedule, write its file and its row, and its page in docs/design.
#pragma once

#include <span>
#include <string_view>
#include <tuple>

#include "loop/dynamic.hpp"
#include "loop/dynamic_shared.hpp"
#include "loop/factoring.hpp"
#include "loop/fixed_size.hpp"
#include "loop/guided.hpp"
#include "loop/hierarchical.hpp"
#include "loop/ich.hpp"
#include "loop/mixed.hpp"
#include "loop/mixed_variable.hpp"
#include "loop/nich.hpp"
#include "loop/plan.hpp"
#include "loop/schedule_kind.hpp"
#include "loop/staggered.hpp"
#include "loop/static_block.hpp"
#include "loop/static_chunked.hpp"
#include "loop/steal.hpp"
#include "loop/trapezoid.hpp"
#include "loop/vsched.hpp"
#include "loop/weighted.hpp"

namespace vicino::loop {

using Schedulers = std::tuple<StaticBlock, StaticChunked, Dynamic, DynamicShared, Guided, Trapezoid,
                              Factoring, FixedSize, Steal, Ich, Nich, Hierarchical, Mixed,
                              MixedVariable, Staggered, Vsched, Weighted>;

// A scheduler behind pointers: chosen once per loop, called once per chunk. `shared` points to
// kSharedSize bytes; for a schedule without shared state to anything at all.
struct Row {
  std::string_view name, summary;
  bool ordered;
  bool shared;
  std::span<const Parameter> parameters;
  std::size_t (*history_words)(uint32_t members) noexcept;
  void (*start)(void* shared, const Plan&) noexcept;
  void (*enter)(void* shared, const Plan&, Cursor&) noexcept;
  Range (*next)(void* shared, Cursor&) noexcept;
};

std::span<const Row> registry() noexcept;

// The row with this name, or null.
const Row* find(std::string_view name) noexcept;

// As the schedule has it by itself.
Selection by_default(const Row& row) noexcept;

// The same selection again, for as long as the process lives: equal ones at one address.
const Selection* keep(const Selection& selection);

// The row itself, or the one that stands in for it: for static loops with a chunk, and for loops of
// more chunks than it can count.
const Row& fitting(const Row& row, const Plan& plan) noexcept;

// For a team of one: everything as one chunk.
const Row& whole_loop() noexcept;

// What OpenMP's kinds mean here. `in_order`: the loop has an ordered clause or the monotonic
// modifier. kAuto is static where the tuner does not choose.
const Row& choose(ScheduleKind kind, const Plan& plan, bool in_order) noexcept;

}  // namespace vicino::loop
