// counter.hpp: something that counts while a loop runs, and where counters come from.
//
// Why    A loop can be tuned for less than it takes of something other than time. Kernels count
//        that in several ways and grant it seldom; who measures a loop need not know which way.
// Not    inherited: what a thread starts, or another team does for it, is not in its count.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"

namespace vicino::metric {

// What a counter showed at one moment; its own business.
using Sample = std::vector<uint64_t>;

class Counter {
 public:
  virtual ~Counter() = default;
  // False if it cannot be read now.
  virtual bool read(Sample& into) noexcept = 0;
  // Counted from one sample to a later one; none if the two do not tell.
  virtual std::optional<double> between(const Sample& from, const Sample& to) const noexcept = 0;
};

class Source {
 public:
  virtual ~Source() = default;
  // Whether each thread has a counter of its own, which counts while that thread runs. Else there
  // is one, of the whole machine, that any thread may read; also a child of fork().
  virtual bool is_of_threads() const noexcept = 0;
  // What takes less time than this is lost in the counter's steps.
  virtual double shortest_ns() const noexcept { return 0; }
  // Of the calling thread, or of the machine.
  virtual Result<std::unique_ptr<Counter>> open() const = 0;
};

}  // namespace vicino::metric
