#include "loop/registry.hpp"

#include <array>
#include <new>

namespace vicino::loop {
namespace {

template <LoopScheduler S>
constexpr Row make_row() {
  return {
      S::kName,
      S::kSummary,
      S::kOrdered,
      S::kShared,
      [](void* shared, const Plan& plan) noexcept { (new (shared) S)->start(plan); },
      [](void* shared, const Plan& plan, Cursor& cursor) noexcept {
        static_cast<S*>(shared)->enter(plan, cursor);
      },
      [](void* shared, Cursor& cursor) noexcept { return static_cast<S*>(shared)->next(cursor); }};
}

template <class... S>
constexpr auto make_rows(std::tuple<S...>*) {
  return std::array{make_row<S>()...};
}
constexpr auto kRows = make_rows(static_cast<Schedulers*>(nullptr));

template <LoopScheduler S>
const Row& row_of() noexcept {
  constexpr auto index = [] {
    size_t i = 0;
    while (kRows[i].name != S::kName) ++i;
    return i;
  }();
  return kRows[index];
}

}  // namespace

std::span<const Row> registry() noexcept { return kRows; }
const Row& whole_loop() noexcept { return row_of<StaticBlock>(); }

const Row* find(std::string_view name) noexcept {
  for (const Row& row : kRows)
    if (row.name == name) return &row;
  return nullptr;
}

const Row& choose(ScheduleKind kind, const Plan& plan, bool in_order) noexcept {
  switch (kind) {
    case ScheduleKind::kDynamic:
      return in_order || Dynamic::chunks(plan) > Dynamic::kMaxChunks ? row_of<DynamicShared>()
                                                                     : row_of<Dynamic>();
    case ScheduleKind::kGuided:
      return row_of<Guided>();
    case ScheduleKind::kTrapezoid:
      return row_of<Trapezoid>();
    case ScheduleKind::kStatic:
    case ScheduleKind::kAuto:
      break;
  }
  return plan.chunk == 0 ? row_of<StaticBlock>() : row_of<StaticChunked>();
}

}  // namespace vicino::loop
