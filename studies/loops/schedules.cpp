#include "schedules.hpp"

#include <new>

#include "base/quote.hpp"
#include "config/selection.hpp"

namespace loops {
namespace {

using vicino::loop::Cursor;
using vicino::loop::Plan;
using vicino::loop::Row;

template <vicino::loop::LoopScheduler S>
const Row& row_of() {
  static const Row row = {
      S::kName,
      S::kSummary,
      S::kOrdered,
      S::kShared,
      false,
      S::kParameters,
      {},
      S::history_words,
      [](void* shared, const Plan& plan) noexcept { (new (shared) S)->start(plan); },
      [](void* shared, const Plan& plan, Cursor& cursor) noexcept {
        vicino::loop::enter(*static_cast<S*>(shared), plan, cursor);
      },
      [](void* shared, Cursor& cursor) noexcept { return static_cast<S*>(shared)->next(cursor); }};
  return row;
}

}  // namespace

vicino::Result<vicino::loop::Selection> schedule_of(std::string_view name) {
  for (const Row* row : {&row_of<LibgompDynamic>(), &row_of<LibgompGuided>()})
    if (name.starts_with(row->name)) {
      const std::string_view rest = name.substr(row->name.size());
      if (rest.empty()) return vicino::loop::Selection{row, 1, {}};
      if (rest.size() == 2 && rest[0] == ',' && rest[1] >= '1' && rest[1] <= '9')
        return vicino::loop::Selection{row, static_cast<uint64_t>(rest[1] - '0'), {}};
      return vicino::Error{std::string(row->name) + " takes a chunk from 1 to 9, as in " +
                           std::string(row->name) + ",3, not " + vicino::quoted(name)};
    }
  return vicino::config::parse_selection(name);
}

bool is_counter(const Row& row) { return &row == &row_of<LibgompDynamic>(); }

}  // namespace loops
