// trace_summary.hpp: where the time of a program's threads went, by its trace.
//
// metric/efficiency.hpp says what the efficiencies are.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metric/efficiency.hpp"
#include "trace_events.hpp"

namespace vicino::cli {

// What a thread does at a moment. Scheduling: in a loop, between its chunks, or in a region, before its part.
enum class Doing : uint8_t { kNothing, kSerial, kUseful, kScheduling, kPolling, kAsleep, kLock };
inline constexpr size_t kDoings = 7;
inline constexpr std::array<std::string_view, kDoings> kDoingNames = {
    "idle", "serial", "working", "scheduling", "polling", "asleep", "waiting for a lock"};
using Doings = std::array<uint64_t, kDoings>;  // ns

using metric::Efficiency;
using metric::Lost;

struct TracedThread {
  uint64_t track = 0;
  std::string name, node, package;
  Doings ns{};
  uint64_t core_ns = 0, ran_ns = 0;  // it was ready and had no core; it ran
  uint64_t tasks = 0, chunks = 0;
};

// How long something took, of many times.
struct Lengths {
  uint64_t count = 0, sum = 0, least = UINT64_MAX, most = 0;
  std::array<uint64_t, 48> by_power{};  // [i]: less than 2^i ns and not less than half of that
  void add(uint64_t ns) noexcept;
  double mean() const noexcept {
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
  }
  // By halves of powers of two.
  double quantile(double share) const noexcept;
};

// A construct at a place of the program.
struct TracedConstruct {
  std::string kind, place;          // "region", "solve()+0x1c" or "solve.cpp:12"
  std::string code = {};            // "solve()+0x1c", if the place is a line
  uint64_t executions = 0;          // of a loop: by threads
  Lengths lengths;                  // of a region from fork to join; of others each thread's span
  Lengths pieces;                   // chunks of a loop
  std::vector<uint64_t> by_thread;  // ns of useful work, by index into Summary::threads
  uint64_t lock_ns = 0;             // waited for the lock that it takes
  // Of a region that is not inside of others: the least useful work of each thread in an execution, by index as above, and
  // how many executions that is of.
  std::vector<uint64_t> least_by_thread;
  uint64_t judged = 0;
  Lost lost;                   // regions
  uint64_t serial_before = 0;  // ns between them and the region before, in which one thread works
  int team = 0;                // the largest
};

struct TracedChoice {
  uint64_t ns;  // since the trace began
  std::string place, schedule;
  uint64_t threads;
};

// The program's own memory by node, where there are several.
struct TracedMemory {
  uint64_t ns = 0;                        // since the trace began
  std::map<std::string, uint64_t> bytes;  // by "node 0"
  uint64_t all() const noexcept;
};

// A row of pixels: for each part of the time, how many ns a thread did what.
struct TimelineRow {
  std::vector<Doings> parts;
};

struct Summary {
  TraceFile file;
  uint64_t begin = 0, end = 0;  // ns
  int cpus = 0;                 // that the process might use; 0: not known
  std::vector<TracedThread> threads;
  std::vector<TracedConstruct> constructs;  // the most time first
  Lost lost;
  uint64_t communication_ns = 0;  // in calls of MPI, outside of regions
  uint64_t core_ns = 0;  // that threads waited for a core, which they would not have done alone
  int team = 1;          // the largest
  uint64_t events = 0, dropped = 0;
  bool is_full = false;  // the program went on when the file had reached its largest size
  std::vector<TracedChoice> choices;
  std::vector<std::string> pages;
  TracedMemory memory;  // when it was largest; empty if that is not known
  std::map<std::pair<size_t, size_t>, uint64_t> steals;  // thief and victim, by index of threads
  std::map<std::string, uint64_t> steals_by_distance;
  std::vector<TimelineRow> timeline;  // by thread

  // All the time that the largest team's threads had, in ns.
  double thread_ns() const noexcept { return static_cast<double>(end - begin) * team; }
  double seconds() const noexcept { return static_cast<double>(end - begin) * 1e-9; }
};

inline constexpr size_t kTimelineParts = 1200;

// Throws Failure, as read_trace() does.
Summary summary_of(const std::string& path);

// Replaces places by lines of the source, where debug information tells them; `ran`: source_lines.hpp.
void name_lines(Summary& summary, std::optional<std::chrono::system_clock::time_point> ran);

}  // namespace vicino::cli
