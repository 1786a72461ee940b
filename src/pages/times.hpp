// times.hpp: how long a program's stretches take, before pages were moved and after.
//
// A stretch is a parallel region with what follows it, up to the next region; it has a name, the
// region's function. So all of the program's time is counted, also that of serial code whose pages
// have gone elsewhere. Each name is compared with itself, and counts as often as it ran after the
// move. The first time of a name is left out where there is another: then caches were cold and pages
// were touched first. The longest eighth is left out, too: something else took that time. Of the rest
// it is the mean and not the median, because a function may be called for several arrays in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vicino::pages {

class Times {
 public:
  // Beyond kMostNames a new name is left out.
  void note(const void* name, uint64_t ns);
  // What is noted from now on is after the move.
  void begin_after();

  struct Gain {
    double share = 0;     // of the time before; below 0: slower
    double variance = 0;  // of the share, by how much the times differ among themselves
    int samples_before = 0, samples = 0;   // the most that a name has before the move, and after
    uint64_t before_ns = 0, after_ns = 0;  // of all names once
  };
  // Of the names that are known before and after, if these have most of the time before; else it has
  // no samples.
  Gain gain() const;

 private:
  static constexpr int kKept = 32;  // the last ones, for programs change
  static constexpr size_t kMostNames = 64;
  struct Half {
    uint64_t count = 0;
    uint64_t first = 0;
    uint64_t kept[kKept];

    void note(uint64_t ns) noexcept;
    int size() const noexcept;
    struct Mean {
      double ns, variance;  // `variance`: of the mean
    };
    Mean mean() const;  // without the longest eighth
  };
  struct Row {
    const void* name;
    Half before, after;
  };
  std::vector<Row> rows_;
  bool is_after_ = false;
};

}  // namespace vicino::pages
