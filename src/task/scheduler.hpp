// scheduler.hpp: what a task scheduler decides.
//
// It decides where a task that is ready to run waits, and which threads a thread without a task
// asks for one. The rest is the same for all schedulers: a thread takes its own tasks youngest
// first, and the oldest task of another thread; it does not take a task that the task scheduling
// constraint forbids (team/standing.hpp).
//
// To add one: a file with a class that satisfies this concept, a row in registry.hpp, a section in
// docs/reference/tasks.md. Settings, --help, tests and benchmarks go through the registry.
#pragma once

#include <concepts>
#include <span>
#include <string_view>

#include "plat/plat.hpp"
#include "task/neighbours.hpp"
#include "task/queue_kind.hpp"

namespace vicino::task {

// Asks a thread for a task; true if it gave one.
template <class F>
concept Ask = std::predicate<F, int>;

template <class S>
concept TaskScheduler = requires(const Neighbours& near, bool (*ask)(int)) {
  { S::kName } -> std::convertible_to<std::string_view>;
  { S::kSummary } -> std::convertible_to<std::string_view>;
  { S::kQueue } -> std::convertible_to<QueueKind>;
  // Whether the thread that has the searching thread's suspended parent is asked before search().
  { S::kParentFirst } -> std::convertible_to<bool>;
  // Asks threads in the scheduler's order until one gives; false if none did.
  { S::search(near, ask) } -> std::same_as<bool>;
};

// Asks each thread once, in turn, from a random one on.
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
