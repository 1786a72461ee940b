// trace_events.hpp: reads the file that `vicino run --trace` has written (docs/reference/trace.md), event by event.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "source_lines.hpp"

namespace vicino::cli {

// A thread of the program, or a group of threads: a node or a package; or a counter.
struct TraceTrack {
  uint64_t id = 0, parent = 0;
  std::string name;
};

struct TraceArgument {
  std::string_view name;
  uint64_t number = 0;
  std::string_view text;  // empty for a number
};

struct TraceEvent {
  enum class Type : uint8_t { kBegin, kEnd, kInstant };
  Type type;
  uint64_t track;
  bool by_worker;                   // a thread that the runtime has made
  uint64_t ns;                      // since the system started
  std::string_view category, name;  // of an end: empty
  std::vector<TraceArgument> arguments;

  // "" and 0 if there is no such argument.
  std::string_view text(std::string_view argument) const noexcept;
  uint64_t number(std::string_view argument) const noexcept;
};

// What is said of the whole file.
struct TraceFile {
  std::vector<TraceTrack> tracks;
  std::string program;
  std::map<std::string, CodePlace, std::less<>>
      places;               // by their names, "solve()+0x1c", of those that have one meaning
  bool is_cut_off = false;  // the process died while it wrote
};

// Calls `see` for each event: those of a thread in order, those of different threads only nearly so. Texts are valid during
// the call. Throws Failure if the file cannot be read or is no trace of Vicino's.
TraceFile read_trace(const std::string& path, const std::function<void(const TraceEvent&)>& see);

}  // namespace vicino::cli
