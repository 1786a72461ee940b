// counter.hpp: something that counts while a loop runs, and the source of such counters.
//
// Why    A loop can be tuned to use less of something other than time. Kernels count that in
//        several ways and seldom grant it; code that measures a loop need not know which way.
// Not    inherited: a thread's count does not include what a thread that it starts does, nor what
//        another team does for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"

namespace vicino::metric {

// What a counter showed at one moment; only the counter knows what the numbers mean.
using Sample = std::vector<uint64_t>;

class Counter {
 public:
  virtual ~Counter() = default;
  // False if the counter cannot be read now.
  virtual bool read(Sample& into) noexcept = 0;
  // What was counted from one sample to a later one; none if the two samples do not tell.
  virtual std::optional<double> between(const Sample& from, const Sample& to) const noexcept = 0;
};

class Source {
 public:
  virtual ~Source() = default;
  // True if each thread has a counter of its own, which counts while that thread runs. False if
  // there is one counter, of the whole machine, that any thread may read; also a child of fork().
  virtual bool is_of_threads() const noexcept = 0;
  // Anything that takes less time than this is lost in the counter's steps.
  virtual double shortest_ns() const noexcept { return 0; }
  // Opens the counter of the calling thread, or that of the machine.
  virtual Result<std::unique_ptr<Counter>> open() const = 0;
};

}  // namespace vicino::metric
