#include "loop/registry.hpp"

#include <array>
#include <new>

#include "loop/schedulers.hpp"

namespace vicino::loop {
namespace {

template <class S>
constexpr bool asks_near() {
  if constexpr (requires { S::kAsksNear; }) return S::kAsksNear;
  return false;
}

template <LoopScheduler S>
constexpr Row make_row() {
  return {
      S::kName,
      S::kSummary,
      S::kOrdered,
      S::kShared,
      asks_near<S>(),
      S::kParameters,
      presets_of<S>(),
      S::history_words,
      [](void* shared, const Plan& plan) noexcept { (new (shared) S)->start(plan); },
      [](void* shared, const Plan& plan, Cursor& cursor) noexcept {
        loop::enter(*static_cast<S*>(shared), plan, cursor);
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

// A list that only grows. It has no lock, since a child of fork() could find the lock taken for
// ever.
// Memory order: (K1) the release that puts a selection first comes after the selection is complete;
// it pairs with the acquire of a thread that walks the list.
const Selection* keep(const Selection& selection) {
  struct Kept {
    Selection selection;
    const Kept* next;
  };
  static constinit plat::atomic<const Kept*> first{nullptr};
  Kept* mine = nullptr;
  const Kept* seen = first.load(std::memory_order_acquire);  // K1
  const Kept* looked_at = nullptr;
  for (;;) {
    for (const Kept* kept = seen; kept != looked_at; kept = kept->next)
      if (kept->selection == selection) {
        delete mine;
        return &kept->selection;
      }
    looked_at = seen;
    if (mine == nullptr) mine = new Kept{selection, nullptr};
    mine->next = seen;
    if (first.compare_exchange_weak(seen, mine, std::memory_order_acq_rel,
                                    std::memory_order_acquire))  // K1
      return &mine->selection;
  }
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
