// plan.hpp: what a region of the stress program does, drawn from a seed.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

// A hash of two words: any thread computes the same draw without shared state.
inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15u + b + 0x632BE59BD9B4E019u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

enum class Kind {
  kLoop,
  kOrdered,
  kReduction,
  kSingle,
  kCopyprivate,
  kSections,
  kInner,
  kBarrier,
  kCritical,
  kMasked
};

inline bool has_iterations(Kind kind) {
  return kind == Kind::kLoop || kind == Kind::kOrdered || kind == Kind::kReduction;
}

struct Step {
  Kind kind;
  int schedule, chunk, trip;
  bool nowait;
};

// A sequence of draws.
class Draw {
 public:
  explicit Draw(uint64_t seed) : seed_(seed) {}
  int below(int n) { return int(mix(seed_, ++drawn_) % uint64_t(n)); }

 private:
  uint64_t seed_, drawn_ = 0;
};

struct Plan {
  Plan(uint64_t seed, int most) {
    Draw draw(seed);
    // Teams are small often and large now and then, so that sizes go up and down between regions.
    threads = 1 + (draw.below(3) ? draw.below(std::min(most, 5)) : draw.below(most));
    runtime_kind = omp_sched_t(1 + draw.below(4));
    runtime_chunk = draw.below(5);
    const int n = draw.below(3) ? draw.below(12) : draw.below(60);
    for (int s = 0; s < n; ++s) steps.push_back(step(draw));
  }

  static Step step(Draw& draw) {
    // Loops are a third of all steps, so that runs of nowait loops longer than the ring appear.
    const int k = draw.below(14);
    const Kind kind = k < 10 ? Kind(k) : Kind::kLoop;
    const int trip = draw.below(4) ? draw.below(30) : draw.below(600);
    return {kind, draw.below(7), 1 + draw.below(kind == Kind::kInner ? 3 : 9), trip,
            draw.below(3) != 0};
  }

  long count(Kind kind) const {
    return std::count_if(steps.begin(), steps.end(), [=](Step s) { return s.kind == kind; });
  }

  int threads;
  omp_sched_t runtime_kind;
  int runtime_chunk;
  std::vector<Step> steps;
};
