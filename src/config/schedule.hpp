// schedule.hpp: OMP_SCHEDULE and VICINO_SCHEDULE as they are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/settings.hpp"

namespace vicino::config {

// [modifier:]kind[,chunk]. A chunk with auto is accepted, since both peers accept it, and ignored:
// it would be a chunk of the schedule that auto comes to, static.
struct ScheduleText {
  static constexpr std::string_view kAccepted =
      "[monotonic:|nonmonotonic:]kind[,chunk] where kind is static, dynamic, guided, auto or "
      "trapezoid and chunk a positive integer; or what VICINO_SCHEDULE takes";
  static std::optional<Schedule> parse(std::string_view text);
  // What is wrong with a text that parse() does not accept.
  static std::string explain(std::string_view text);
  // What has no meaning in a text that parse() accepts; empty if all has.
  static std::string remark(std::string_view text);
  static std::string format(const Schedule& schedule);
};

// A schedule of the registry (selection.hpp).
struct SchedulerText {
  static const std::string_view kAccepted;
  static std::optional<loop::Selection> parse(std::string_view text);
  // What is wrong with a text that parse() does not accept.
  static std::string explain(std::string_view text);
  static std::string format(const loop::Selection& value);
};

// A task scheduler by its name.
struct TaskSchedulerText {
  static const std::string_view kAccepted;
  static std::optional<int> parse(std::string_view text) noexcept;
  static std::string format(int scheduler);
};

}  // namespace vicino::config
