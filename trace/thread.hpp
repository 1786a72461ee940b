// thread.hpp: what a thread records: its open spans, and its ring.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "clock.hpp"
#include "event_table.hpp"
#include "ring.hpp"

namespace vicino::trace {

// 4 MiB a thread, so that a burst of some 100,000 events fits; at 30 ns an event the writer is woken when the thread has
// two milliseconds left.
inline constexpr size_t kRecords = 1 << 17;

// Wakes the writer, if it sleeps.
void wake_writer() noexcept;
// The program has asked for a pause (omp_control_tool).
inline constinit plat::atomic<bool> is_paused{false};

// The top bit of the number of an explicit task; implicit ones have none.
inline constexpr uint64_t kExplicit = uint64_t{1} << 63;
// The number of an aggregate of a task graph, in this run of a graph of the process.
constexpr uint64_t aggregate_of(uint64_t run, uint32_t number) noexcept {
  constexpr uint64_t kRuns = uint64_t{1} << 30;
  return uint64_t{1} << 62 | run % kRuns << 32 | number;
}

class Thread {
 public:
  using ThreadRing = Ring<Record, kRecords, wake_writer>;

  Thread(uint32_t its_number, bool initial);
  Thread(const Thread&) = delete;

  // A span begins; it lies in those that are open. `id`: by which it is found again.
  void begin(What what, uint64_t id, uint64_t first = 0, uint64_t second = 0,
             uint32_t third = 0) noexcept {
    const bool is_put = !is_paused.load(std::memory_order_relaxed) &&
                        ring.put_begin({ticks(), first, second, third, what}, spare(what));
    open_.push_back({id, what, is_put});
  }
  void instant(What what, uint64_t first = 0, uint64_t second = 0, uint32_t third = 0) noexcept {
    if (!is_paused.load(std::memory_order_relaxed))
      ring.put_instant({ticks(), first, second, third, what}, spare(what));
  }
  // The innermost span of this kind ends, and those within it. Without one nothing happens.
  template <class Is>
  void end(Is&& is, uint32_t third = 0) noexcept {
    size_t at = open_.size();
    while (at > 0 && !is(open_[at - 1])) --at;
    if (at > 0) end_from(at - 1, third);
  }
  void end(What what, uint32_t third = 0) noexcept {
    end([what](const Open& one) { return one.what == what; }, third);
  }
  // The same, if nothing but spans of `within` lie in it.
  void end_chunk() noexcept {
    if (!open_.empty() &&
        (open_.back().what == What::kChunk || open_.back().what == What::kSection))
      end_from(open_.size() - 1, 0);
  }

  struct Open {
    uint64_t id;
    What what;
    bool is_put;
  };
  const std::vector<Open>& open() const noexcept { return open_; }
  void end_from(size_t first, uint32_t third) noexcept;

  uint64_t next_task() noexcept { return kExplicit | number_and(++tasks_); }
  uint64_t next_implicit() noexcept { return number_and(++tasks_); }

  const uint32_t number;  // from 1 on, in the order in which threads came
  const bool is_initial;
  const pid_t tid;
  ThreadRing ring;
  // Where it runs, as it saw itself in its first region. Relaxed: the writer draws its track there.
  plat::atomic<uint32_t> cpu{0}, node{0};
  // The thread has ended: a release, by which the writer, which acquires it, sees its last records.
  plat::atomic<bool> has_ended{false};
  void note_place() noexcept;

 private:
  static constexpr size_t spare(What what) noexcept { return is_fine(what) ? kRecords / 8 : 0; }
  uint64_t number_and(uint64_t count) const noexcept { return (uint64_t{number} << 40) | count; }

  uint64_t tasks_ = 0;
  bool knows_place_ = false;
  std::vector<Open> open_;
};

}  // namespace vicino::trace
