#include "config/schedule.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "config/selection.hpp"
#include "config/words.hpp"
#include "loop/registry.hpp"
#include "loop/schedulers.hpp"
#include "task/registry.hpp"

namespace vicino::config {
namespace {

// "<before>a, b, c" of the schedulers of a registry, in static storage.
struct BeforeSchedules {
  static constexpr std::string_view kText =
      "name[,preset][,chunk][,parameter=value...] where name is ";
};
struct BeforeTaskSchedulers {
  static constexpr std::string_view kText = "one of ";
};

template <class Before, class... Scheduler>
constexpr auto list_names(const std::tuple<Scheduler...>*) {
  constexpr std::string_view kBefore = Before::kText;
  std::array<char,
             kBefore.size() + (Scheduler::kName.size() + ...) + 2 * (sizeof...(Scheduler) - 1)>
      text{};
  char* end = std::ranges::copy(kBefore, text.begin()).out;
  const auto append = [&](std::string_view name) {
    if (end != text.begin() + kBefore.size())
      end = std::ranges::copy(std::string_view(", "), end).out;
    end = std::ranges::copy(name, end).out;
  };
  (append(Scheduler::kName), ...);
  return text;
}

constexpr auto kSchedulers =
    list_names<BeforeSchedules>(static_cast<const loop::Schedulers*>(nullptr));
constexpr auto kTaskSchedulers =
    list_names<BeforeTaskSchedulers>(static_cast<const task::Schedulers*>(nullptr));

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

std::string_view without_modifier(std::string_view text) noexcept {
  const Halves halves = split_first(text, ':');
  return halves.rest && Choice<ModifierWords>::parse(halves.head) ? *halves.rest : text;
}

std::optional<Schedule> parse_named(std::string_view text, Monotonicity mono) {
  const auto selection = parse_selection(text);
  if (!selection) return std::nullopt;
  return Schedule{ScheduleKind::kNamed, mono, static_cast<std::int64_t>(selection->chunk),
                  loop::keep(*selection)};
}

}  // namespace

constinit const std::string_view SchedulerText::kAccepted{kSchedulers.data(), kSchedulers.size()};
constinit const std::string_view TaskSchedulerText::kAccepted{kTaskSchedulers.data(),
                                                              kTaskSchedulers.size()};

std::string TaskSchedulerText::format(int scheduler) {
  return std::string(task::kRows[static_cast<size_t>(scheduler)].name);
}

std::optional<Schedule> ScheduleText::parse(std::string_view text) {
  Schedule schedule;
  if (const Halves halves = split_first(text, ':'); halves.rest) {
    const auto modifier = Choice<ModifierWords>::parse(halves.head);
    if (!modifier) return std::nullopt;
    schedule.mono = *modifier;
    text = *halves.rest;
  }
  const Halves halves = split_first(text, ',');
  const auto kind = Choice<KindWords>::parse(halves.head);
  if (!kind) return parse_named(text, schedule.mono);
  if (halves.rest && !parse_chunk(*halves.rest, schedule)) return std::nullopt;
  schedule.kind = *kind;
  if (*kind == ScheduleKind::kAuto) schedule.chunk = 0;
  return schedule;
}

std::string ScheduleText::remark(std::string_view text) {
  const auto schedule = parse(text);
  if (!schedule) return {};
  if (schedule->kind == ScheduleKind::kAuto && split_first(text, ',').rest)
    return "auto has no chunk, it is ignored";
  if (schedule->named != nullptr && schedule->mono == Monotonicity::kMonotonic &&
      !schedule->named->row->ordered)
    return std::string(schedule->named->row->name) +
           " gives no chunks in order, as monotonic asks; loops that have it are static";
  return {};
}

std::string ScheduleText::explain(std::string_view text) {
  text = without_modifier(text);
  const auto name = split_first(text, ',').head;
  if (name.empty() || Choice<KindWords>::parse(name)) return std::string("not ").append(kAccepted);
  return parse_selection(text).error();
}

std::string ScheduleText::format(const Schedule& schedule) {
  std::string text = Choice<ModifierWords>::format(schedule.mono);
  if (!text.empty()) text += ':';
  if (schedule.named != nullptr) return text + format_selection(*schedule.named);
  text += Choice<KindWords>::format(schedule.kind);
  if (schedule.chunk > 0) text += ',' + std::to_string(schedule.chunk);
  return text;
}

std::optional<loop::Selection> SchedulerText::parse(std::string_view text) {
  auto selection = parse_selection(text);
  if (!selection) return std::nullopt;
  return *std::move(selection);
}
std::string SchedulerText::explain(std::string_view text) { return parse_selection(text).error(); }
std::string SchedulerText::format(const loop::Selection& value) { return format_selection(value); }

std::optional<int> TaskSchedulerText::parse(std::string_view text) noexcept {
  for (size_t i = 0; i < task::kRows.size(); ++i)
    if (same_word(trim(text), task::kRows[i].name)) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace vicino::config
