// scheduler.hpp: what a task scheduler decides.
//
// Where a task waits that is ready to run, and whom a thread asks for one when it has none. The
// rest is the same for all: a thread's own tasks are taken youngest first, from others the oldest;
// what the task scheduling constraint forbids is not taken (team/tasks.cpp).
//
// To add one: a file with a class that satisfies this concept, a row in registry.hpp, a section in
// docs/tasks.md. Settings, --help, tests and benchmarks go through the registry.
#pragma once

#include <concepts>
#include <span>
#include <string_view>

#include "plat/plat.hpp"
#include "task/neighbours.hpp"

namespace vicino::task {

enum class Home : uint8_t {
  kDeque,  // with the thread that made it ready
  kTeam,   // in one queue of the team, first come, first served
  kNode,   // in a queue of a node: where its data are, or the next in turn
};

// Asks a thread for a task; true if it gave one.
template <class F>
concept Ask = std::predicate<F, int>;

template <class S>
concept TaskScheduler = requires(const Neighbours& near, bool (*ask)(int)) {
  { S::kName } -> std::convertible_to<std::string_view>;
  { S::kSummary } -> std::convertible_to<std::string_view>;
  { S::kHome } -> std::convertible_to<Home>;
  // Asks threads in the scheduler's order until one gives; false if none did.
  { S::search(near, ask) } -> std::same_as<bool>;
};

// Once around, from a random one on.
template <Ask F>
bool around(std::span<const int> threads, F ask) {
  const size_t n = threads.size();
  if (n == 0) return false;
  size_t at = n == 1 ? 0 : static_cast<size_t>(plat::rnd() % n);
  for (size_t i = 0; i < n; ++i, at = at + 1 == n ? 0 : at + 1)
    if (ask(threads[at])) return true;
  return false;
}

}  // namespace vicino::task
