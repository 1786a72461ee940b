// made_trace.hpp: traces of programs that never ran, so that what is found in them does not hang on the machine.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "packets.hpp"

namespace vicino::cli {

class MadeTrace {
 public:
  static constexpr uint64_t kStart = 1'000'000'000;

  explicit MadeTrace(int threads, int cpus = 0) {
    packets_.process_track(1, 4711, "made");
    packets_.track(2, 1, "package 0", 0);
    packets_.track(3, 2, "node 0", 0);
    for (int i = 0; i < threads; ++i) {
      const auto number = static_cast<uint32_t>(i) + 2;
      const uint64_t track = 10 + static_cast<uint64_t>(i);
      packets_.track(track, 3,
                     (i == 0 ? "thread " : "worker ") + std::to_string(i + 1) + " (1), CPU 0", i);
      threads_.push_back({std::make_unique<trace::Sequence>(number, track), 0});
    }
    if (cpus > 0) {
      on(0).argument("CPUs allowed", static_cast<uint64_t>(cpus));
      on(0).instant(packets_, kStart, "trace", "machine");
    }
  }

  // A span from `begin` on, in ns since the start, whose end the next call of end() gives. Threads may be written one
  // after the other.
  void begin(int thread, uint64_t ns, const std::string& category, const std::string& kind,
             const std::string& place = {},
             std::vector<std::pair<std::string, uint64_t>> numbers = {}) {
    if (!place.empty() && kind != "task") on(thread).argument("at", place);
    for (const auto& [name, value] : numbers) on(thread).argument(name, value);
    on(thread).begin(packets_, kStart + ns, category, place.empty() ? kind : kind + " " + place);
  }
  void end(int thread, uint64_t ns) { on(thread).end(packets_, kStart + ns); }
  void span(int thread, uint64_t from, uint64_t to, const std::string& category,
            const std::string& kind, const std::string& place = {},
            std::vector<std::pair<std::string, uint64_t>> numbers = {}) {
    begin(thread, from, category, kind, place, std::move(numbers));
    end(thread, to);
  }
  void instant(int thread, uint64_t ns, const std::string& category, const std::string& name,
               std::vector<std::pair<std::string, uint64_t>> numbers = {}) {
    for (const auto& [argument, value] : numbers) on(thread).argument(argument, value);
    on(thread).instant(packets_, kStart + ns, category, name);
  }
  trace::Sequence& on(int thread) { return *threads_[static_cast<size_t>(thread)].sequence; }
  trace::Packets& packets() { return packets_; }
  size_t threads() const { return threads_.size(); }

  // A region from fork to join, in which each thread does `work`, called with the thread and when its part begins; it returns
  // when the part ends.
  void region(uint64_t from, uint64_t to, const std::string& place,
              const std::function<uint64_t(int, uint64_t)>& work) {
    const auto team = static_cast<uint64_t>(threads_.size());
    begin(0, from, "region", "region", place, {{"asked", team}});
    for (int i = 0; i < static_cast<int>(team); ++i) {
      begin(i, from, "region", "part", place,
            {{"team", team}, {"number", static_cast<uint64_t>(i)}});
      const uint64_t done = work(i, from);
      end(i, done);
      if (i == 0) span(0, done, to, "wait", "join", place);
    }
    end(0, to);
  }

  // A file that is removed when this object ends.
  const std::string& file() {
    if (name_.empty()) {
      name_ = "/tmp/made-trace-XXXXXX";
      close(mkstemp(name_.data()));
    }
    std::ofstream(name_, std::ios::binary) << packets_.bytes();
    return name_;
  }
  ~MadeTrace() {
    if (!name_.empty()) unlink(name_.c_str());
  }
  MadeTrace(const MadeTrace&) = delete;

 private:
  struct One {
    std::unique_ptr<trace::Sequence> sequence;
    uint64_t ns;
  };
  trace::Packets packets_;
  std::vector<One> threads_;
  std::string name_;
};

}  // namespace vicino::cli
