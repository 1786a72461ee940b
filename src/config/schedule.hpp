// schedule.hpp: OMP_SCHEDULE and VICINO_SCHEDULE as they are written.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "config/settings.hpp"
#include "loop/registry.hpp"

namespace vicino::config {

// [modifier:]kind[,chunk]. A chunk with auto is taken, for both peers do, and left out: it would be
// one of what auto comes to, static.
struct ScheduleText {
  static constexpr std::string_view kAccepted =
      "[monotonic:|nonmonotonic:]kind[,chunk] where kind is static, dynamic, guided, auto or "
      "trapezoid and chunk a positive integer; or what VICINO_SCHEDULE takes";
  static std::optional<Schedule> parse(std::string_view text);
  // What is wrong with what parse() does not take.
  static std::string explain(std::string_view text);
  // What means nothing in what it does take; empty if all means something.
  static std::string remark(std::string_view text);
  static std::string format(const Schedule& schedule);
};

namespace internal {

// "<before>a, b, c" of the schedulers of a registry, in static storage.
struct BeforeSchedules {
  static constexpr std::string_view kText = "name[,chunk][,parameter=value...] where name is ";
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

inline constexpr auto kSchedulers =
    list_names<BeforeSchedules>(static_cast<const loop::Schedulers*>(nullptr));
inline constexpr auto kTaskSchedulers =
    list_names<BeforeTaskSchedulers>(static_cast<const task::Schedulers*>(nullptr));

}  // namespace internal

// A schedule of the registry (selection.hpp).
struct SchedulerText {
  static constexpr std::string_view kAccepted{internal::kSchedulers.data(),
                                              internal::kSchedulers.size()};
  static std::optional<loop::Selection> parse(std::string_view text);
  // What is wrong with what parse() does not take.
  static std::string explain(std::string_view text);
  static std::string format(const loop::Selection& value);
};

// A task scheduler by its name.
struct TaskSchedulerText {
  static constexpr std::string_view kAccepted{internal::kTaskSchedulers.data(),
                                              internal::kTaskSchedulers.size()};
  static std::optional<int> parse(std::string_view text) noexcept;
  static std::string format(int scheduler) {
    return std::string(task::kRows[static_cast<size_t>(scheduler)].name);
  }
};

}  // namespace vicino::config
