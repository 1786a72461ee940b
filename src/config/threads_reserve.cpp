#include "config/threads_reserve.hpp"

#include <algorithm>
#include <utility>

#include "config/numbers.hpp"
#include "config/text.hpp"

namespace vicino::config {
namespace {

constexpr std::string_view kStructured = "structured", kFreeAgent = "free_agent";

// Where the number of threads of a type is kept; null if there is no such type.
int* of_type(ThreadsReserve& reserve, std::string_view type) {
  if (same_word(type, kStructured)) return &reserve.structured;
  if (same_word(type, kFreeAgent)) return &reserve.free_agents;
  return nullptr;
}

// The types that a list has named so far.
struct Named {
  bool structured = false, free_agents = false;
};

// type(number)
std::string read_reservation(std::string_view item, ThreadsReserve& reserve, Named& named) {
  const auto open = item.find('(');
  const std::string_view type = trim(item.substr(0, open));
  int* const number = of_type(reserve, type);
  if (number == nullptr)
    return "no kind of thread is called " + quoted(type) + "; there are structured and free_agent";
  if (open == item.npos || item.back() != ')')
    return "in a list each kind has a number of threads, as in " + std::string(type) + "(2)";
  const std::string_view text = item.substr(open + 1, item.size() - open - 2);
  const auto threads = Natural::parse(text);
  if (!threads) return quoted(text) + " is not " + std::string(Natural::kAccepted);
  bool& is_named = number == &reserve.structured ? named.structured : named.free_agents;
  if (std::exchange(is_named, true)) return std::string(type) + " is there twice";
  *number = *threads;
  return {};
}

}  // namespace

Result<ThreadsReserve> read_threads_reserve(std::string_view text) {
  ThreadsReserve reserve;
  if (const auto threads = Natural::parse(text)) {
    reserve.structured = *threads;
    return reserve;
  }
  if (int* const alone = of_type(reserve, trim(text))) {
    *alone = ThreadsReserve::kAll;
    return reserve;
  }
  std::string error;
  Named named;
  for_each_item(text, [&](std::string_view item) {
    error = read_reservation(item, reserve, named);
    return error.empty();
  });
  if (!error.empty()) return Error{error};
  return reserve;
}

ThreadLimits ThreadsReserve::limits(int thread_limit) const noexcept {
  const int teams = std::clamp(structured, 1, thread_limit);
  const int agents = std::min(free_agents, thread_limit - teams);
  return {thread_limit - agents, thread_limit - teams};
}

std::optional<ThreadsReserve> ThreadsReserveText::parse(std::string_view text) {
  const Result<ThreadsReserve> read = read_threads_reserve(text);
  if (!read) return std::nullopt;
  return *read;
}

std::string ThreadsReserveText::format(ThreadsReserve value) {
  if (value.structured == ThreadsReserve::kAll) return "STRUCTURED";
  if (value.free_agents == ThreadsReserve::kAll) return "FREE_AGENT";
  return "STRUCTURED(" + std::to_string(value.structured) + "),FREE_AGENT(" +
         std::to_string(value.free_agents) + ")";
}

}  // namespace vicino::config
