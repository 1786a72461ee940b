// report_timeline.hpp: what each thread did at each moment, as a picture, and as data that page.js can zoom.
//
// Why    A trace has millions of events and a screen some thousand columns. So both the picture and the data are of a
//        bounded size, whatever the trace: a column says what share of its time a thread did what.
#pragma once

#include <span>
#include <string>

#include "trace_summary.hpp"

namespace vicino::cli {

// Threads that are shown below a heading, by index into Summary::threads.
struct ThreadGroup {
  std::string package, node;  // empty: not known
  std::vector<size_t> threads;
};

// By package, node and number, where the trace has these.
std::vector<ThreadGroup> groups_of(const Summary& summary);
std::vector<size_t> in_order(std::span<const ThreadGroup> groups);

// "worker 3, CPU 1": without the kernel's number.
std::string short_name(const TracedThread& thread);

inline constexpr size_t kMostRows = 128;

// Of the first kMostRows threads.
std::string timeline(const Summary& summary, std::span<const ThreadGroup> groups);

}  // namespace vicino::cli
