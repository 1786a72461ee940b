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

// [modifier:]kind[,chunk]. A chunk with auto is allowed and means nothing, as in both peers.
struct ScheduleText {
  static constexpr std::string_view kAccepted =
      "[monotonic:|nonmonotonic:]kind[,chunk] where kind is static, dynamic, guided, auto or "
      "trapezoid and chunk a positive integer";
  static std::optional<Schedule> parse(std::string_view text) noexcept;
  static std::string format(const Schedule& schedule);
};

namespace internal {

// "<before>a, b, c" of the schedulers of the registry, in static storage.
inline constexpr std::string_view kBeforeNames = "name[,param=value...] where name is ";

template <class... Scheduler>
constexpr auto list_names(const std::tuple<Scheduler...>*) {
  std::array<char,
             kBeforeNames.size() + (Scheduler::kName.size() + ...) + 2 * (sizeof...(Scheduler) - 1)>
      text{};
  char* end = std::ranges::copy(kBeforeNames, text.begin()).out;
  const auto append = [&](std::string_view name) {
    if (end != text.begin() + kBeforeNames.size())
      end = std::ranges::copy(std::string_view(", "), end).out;
    end = std::ranges::copy(name, end).out;
  };
  (append(Scheduler::kName), ...);
  return text;
}

inline constexpr auto kSchedulers = list_names(static_cast<const loop::Schedulers*>(nullptr));

}  // namespace internal

// A scheduler by its name in the registry; what its parameters mean is the scheduler's to say.
struct SchedulerText {
  static constexpr std::string_view kAccepted{internal::kSchedulers.data(),
                                              internal::kSchedulers.size()};
  // The name as the registry spells it, then the parameters as written.
  static std::optional<std::string> parse(std::string_view text);
  static std::string format(const std::string& value) { return value; }
};

}  // namespace vicino::config
