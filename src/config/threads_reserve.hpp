// threads_reserve.hpp: OMP_THREADS_RESERVE: how many threads of a contention group are kept for
// teams, and how many for free agents (OpenMP 6.0, section 4.3.10).
#pragma once

#include <climits>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace vicino::config {

// At most so many threads of a contention group may be in teams, and so many may be free agents.
struct ThreadLimits {
  int structured, free_agents;
  bool operator==(const ThreadLimits&) const = default;
};

struct ThreadsReserve {
  static constexpr int kAll = INT_MAX;  // all that there are; for free agents all but one
  int structured = 1;
  int free_agents = 0;
  bool operator==(const ThreadsReserve&) const = default;

  // Follow from the reservations and a limit of all threads of the group. Where the limit is too
  // low for both, which the standard leaves open, teams come first.
  ThreadLimits limits(int thread_limit) const noexcept;
};

Result<ThreadsReserve> read_threads_reserve(std::string_view text);

struct ThreadsReserveText {
  static constexpr std::string_view kAccepted =
      "a non-negative integer, structured or free_agent alone, or a list of them with numbers, as "
      "in structured(2),free_agent(2)";
  static std::optional<ThreadsReserve> parse(std::string_view text);
  static std::string format(ThreadsReserve value);
  static std::string explain(std::string_view text) { return read_threads_reserve(text).error(); }
};

}  // namespace vicino::config
