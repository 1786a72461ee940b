#include "config/schedule.hpp"

#include <algorithm>
#include <cstdint>

#include "config/words.hpp"

namespace vicino::config {
namespace {

struct KindWords {
  static constexpr std::array<Word<ScheduleKind>, 7> kWords{
      {{"static", ScheduleKind::kStatic},
       {"dynamic", ScheduleKind::kDynamic},
       {"guided", ScheduleKind::kGuided},
       {"auto", ScheduleKind::kAuto},
       {"trapezoid", ScheduleKind::kTrapezoid},
       // libomp's words.
       {"trapezoidal", ScheduleKind::kTrapezoid},
       {"static_steal", ScheduleKind::kDynamic}}};
};

struct ModifierWords {
  static constexpr std::array<Word<Monotonicity>, 2> kWords{
      {{"monotonic", Monotonicity::kMonotonic}, {"nonmonotonic", Monotonicity::kNonmonotonic}}};
};

bool parse_chunk(std::string_view text, Schedule& schedule) noexcept {
  const auto chunk = parse_digits(text);
  if (!chunk || *chunk == 0 || *chunk > INT64_MAX) return false;
  schedule.chunk = static_cast<std::int64_t>(*chunk);
  return true;
}

constexpr bool is_name_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool is_name(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_name_character);
}

bool is_parameter(std::string_view item) noexcept {
  const Halves parameter = split_first(item, '=');
  return is_name(parameter.head) && parameter.rest && !trim(*parameter.rest).empty();
}

}  // namespace

std::optional<Schedule> ScheduleText::parse(std::string_view text) noexcept {
  Schedule schedule;
  if (const Halves halves = split_first(text, ':'); halves.rest) {
    const auto modifier = Choice<ModifierWords>::parse(halves.head);
    if (!modifier) return std::nullopt;
    schedule.mono = *modifier;
    text = *halves.rest;
  }
  const Halves halves = split_first(text, ',');
  const auto kind = Choice<KindWords>::parse(halves.head);
  if (!kind || (halves.rest && !parse_chunk(*halves.rest, schedule))) return std::nullopt;
  schedule.kind = *kind;
  return schedule;
}

std::string ScheduleText::format(const Schedule& schedule) {
  std::string text = Choice<ModifierWords>::format(schedule.mono);
  if (!text.empty()) text += ':';
  text += Choice<KindWords>::format(schedule.kind);
  if (schedule.chunk > 0) text += ',' + std::to_string(schedule.chunk);
  return text;
}

std::optional<std::string> SchedulerText::parse(std::string_view text) {
  const Halves halves = split_first(text, ',');
  const auto known = std::ranges::find_if(
      loop::registry(), [&](const loop::Row& row) { return same_word(row.name, halves.head); });
  if (known == loop::registry().end()) return std::nullopt;
  if (!halves.rest) return std::string(known->name);
  if (!for_each_item(*halves.rest, is_parameter)) return std::nullopt;
  return std::string(known->name).append(",").append(trim(*halves.rest));
}

std::optional<int> TaskSchedulerText::parse(std::string_view text) noexcept {
  for (size_t i = 0; i < task::kRows.size(); ++i)
    if (same_word(trim(text), task::kRows[i].name)) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace vicino::config
