#include "loop/registry.hpp"

#include <array>
#include <list>
#include <new>

#include "sync/lock.hpp"

namespace vicino::loop {
namespace {

template <LoopScheduler S>
constexpr Row make_row() {
  return {
      S::kName,
      S::kSummary,
      S::kOrdered,
      S::kShared,
      S::kParameters,
      S::history_words,
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

Selection by_default(const Row& row) noexcept { return {&row, 0, fallbacks(row.parameters)}; }

const Selection* keep(const Selection& selection) {
  static constinit sync::Lock lock;
  static auto& kept = *new std::list<Selection>;  // threads outlive main()
  lock.acquire({.ns = 10'000});
  auto known = std::ranges::find(kept, selection);
  if (known == kept.end()) known = kept.insert(kept.end(), selection);
  lock.release();
  return &*known;
}

const Row& fitting(const Row& row, const Plan& plan) noexcept {
  if (&row == &row_of<StaticBlock>() && plan.chunk > 0) return row_of<StaticChunked>();
  return &row == &row_of<Dynamic>() && Dynamic::chunks(plan) > Dynamic::kMaxChunks
             ? row_of<DynamicShared>()
             : row;
}

const Row& choose(ScheduleKind kind, const Plan& plan, bool in_order) noexcept {
  switch (kind) {
    case ScheduleKind::kDynamic:
      return in_order ? row_of<DynamicShared>() : fitting(row_of<Dynamic>(), plan);
    case ScheduleKind::kGuided:
      return row_of<Guided>();
    case ScheduleKind::kTrapezoid:
      return row_of<Trapezoid>();
    case ScheduleKind::kStatic:
    case ScheduleKind::kAuto:
    case ScheduleKind::kNamed:
      break;
  }
  return fitting(row_of<StaticBlock>(), plan);
}

}  // namespace vicino::loop
