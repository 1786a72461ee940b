// producer.hpp: one thread generates all tasks, each of the same length; the others only run them.
#pragma once
#include <memory>

#include "work.hpp"

namespace bench {

// How long the tasks are, in steps of work(), and how many are measured.
namespace grain {
struct Empty {
  static constexpr const char* kName = "producer_0";
  static constexpr long kSteps = 0, kLarge = 1'000'000;
};
struct HundredNs {
  static constexpr const char* kName = "producer_100ns";
  static constexpr long kSteps = 60, kLarge = 1'000'000;
};
struct Us {
  static constexpr const char* kName = "producer_1us";
  static constexpr long kSteps = 600, kLarge = 500'000;
};
struct TenUs {
  static constexpr const char* kName = "producer_10us";
  static constexpr long kSteps = 6'000, kLarge = 50'000;
};
struct HundredUs {
  static constexpr const char* kName = "producer_100us";
  static constexpr long kSteps = 60'000, kLarge = 5'000;
};
}  // namespace grain

template <class Grain>
struct Producer : Grain {
  static constexpr long kSmall = 1000, kMost = 1'000'000'000;

  explicit Producer(long size) : tasks_(size), done(new char[static_cast<size_t>(size)]) {}
  void prepare() {
    for (long i = 0; i < tasks_; ++i) done[i] = 0;
  }
  void run() {
    char* const places = done.get();
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < tasks_; ++i) {
#pragma omp task
      places[i] += static_cast<char>(work(Grain::kSteps));
    }
  }
  bool right() const {
    for (long i = 0; i < tasks_; ++i)
      if (done[i] != 1) return false;
    return true;
  }
  long tasks() const { return tasks_; }

  long tasks_;
  std::unique_ptr<char[]> done;
};

}  // namespace bench
