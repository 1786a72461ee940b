// schedules: the schedules' own code on irregular loops, in virtual time.
//
// Why    A chunk's size trades balance for claims, and a clock that others disturb does not show two
//        per cent. Here nothing is measured: the threads of a loop are counters of virtual time, and
//        the thread whose counter is least calls next() of the schedule. So the figures are the same
//        on every machine, and any number of threads can be tried.
// Costs  A claim takes 20 ns, with two readings of the clock for ich and nich 60 ns, and from one
//        counter for all threads 120 ns; one of dynamic and steal takes 3 ns, since they take short
//        chunks in batches (bench/loops/performance.md measures 2.4 ns). A steal takes 100 ns more. Threads begin up to 2 us after the first. Caches,
//        memory and contention are left out: this is about balance alone.
// Loads  loads.hpp.
// Print  The time above the ideal time, in per cent: the mean over all loads, and the worst load.
//        The ideal time is the work over the threads' speeds, or that of the longest iteration.
//
//   schedules [--loads] [SCHEDULE...]     --loads: one line for each load
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "config/selection.hpp"
#include "loads.hpp"
#include "loop/registry.hpp"

namespace {

uint64_t virtual_now = 0, random_state = 1;  // of the seam: below

using vicino::loop::Selection;
using virtual_loops::Load;

double claim_ns(std::string_view schedule) {
  if (schedule == "dynamic" || schedule == "steal") return 3;
  if (schedule == "ich" || schedule == "nich") return 60;
  return schedule == "hierarchical" || schedule == "staggered" ? 20 : 120;
}

struct Outcome {
  double above = 0;  // the ideal time, as a part of it
  uint64_t chunks = 0, adapted = 0;
};

uint64_t steals_of(const vicino::loop::Tally& tally) {
  return std::accumulate(tally.stolen.begin(), tally.stolen.end(), uint64_t{0});
}

class Execution {
 public:
  Execution(const Selection& schedule, const Load& load, uint64_t seed)
      : row_(*schedule.row),
        load_(load),
        lanes_(load.slowness.size()),
        cursors_(load.slowness.size()),
        time_(load.slowness.size()) {
    random_state = seed;
    for (double& begin : time_) begin = 1000 + static_cast<double>(vicino::plat::rnd() % 2000);
    vicino::loop::Plan plan;
    plan.trip = load.ns.size();
    plan.chunk = schedule.chunk;
    plan.members = static_cast<uint32_t>(lanes_.size());
    plan.lanes = lanes_;
    plan.values = schedule.values;
    row_.start(shared_, plan);
    for (uint32_t t = 0; t < plan.members; ++t) {
      cursors_[t].member = t;
      row_.enter(shared_, plan, cursors_[t]);
    }
  }

  Outcome run() {
    const double start = *std::ranges::min_element(time_);
    Outcome outcome;
    double end = 0;
    for (size_t busy = time_.size(); busy > 0;) {
      const auto t = static_cast<size_t>(std::ranges::min_element(time_) - time_.begin());
      if (step(t)) {
        ++outcome.chunks;
        continue;
      }
      end = std::max(end, std::exchange(time_[t], HUGE_VAL));
      outcome.adapted += cursors_[t].tally.adapted;
      --busy;
    }
    if (iterations_ != load_.ns.size()) std::abort();
    outcome.above = (end - start) / load_.ideal() - 1;
    return outcome;
  }

 private:
  // False if the thread gets nothing more.
  bool step(size_t t) {
    virtual_now = static_cast<uint64_t>(time_[t]);
    const uint64_t stolen = steals_of(cursors_[t].tally);
    const vicino::loop::Range range = row_.next(shared_, cursors_[t]);
    const uint64_t steals = steals_of(cursors_[t].tally) - stolen;
    time_[t] += claim_ns(row_.name) + 100 * static_cast<double>(steals);
    for (uint64_t i = range.begin; i < range.end; ++i) time_[t] += load_.ns[i] * load_.slowness[t];
    iterations_ += range.size();
    return !range.empty();
  }

  const vicino::loop::Row& row_;
  const Load& load_;
  std::vector<vicino::loop::Lane> lanes_;
  std::vector<vicino::loop::Cursor> cursors_;
  std::vector<double> time_;
  uint64_t iterations_ = 0;
  alignas(vicino::kLinePair) std::byte shared_[vicino::loop::kSharedSize];
};

void print(const std::string& name, uint32_t threads, bool each) {
  constexpr uint64_t kSeeds = 20;
  const auto schedule = vicino::config::parse_selection(name);
  if (!schedule) {
    std::fprintf(stderr, "%s\n", schedule.error().c_str());
    std::exit(2);
  }
  Outcome sum, worst;
  size_t adapting = 0;
  const std::vector<Load> all = virtual_loops::loads(threads);
  for (const Load& load : all) {
    Outcome mean;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Outcome one = Execution(*schedule, load, seed).run();
      mean.above += one.above / kSeeds;
      sum.chunks += one.chunks;
      mean.adapted += one.adapted;
    }
    if (each)
      std::printf("| %u | %s | %s | %.1f |\n", threads, name.c_str(), load.name.c_str(),
                  mean.above * 100);
    sum.above += mean.above;
    worst.above = std::max(worst.above, mean.above);
    adapting += mean.adapted > 0;
  }
  if (!each)
    std::printf("| %u | `%s` | %.1f | %.0f | %zu | %zu of %zu |\n", threads, name.c_str(),
                sum.above / static_cast<double>(all.size()) * 100, worst.above * 100,
                static_cast<size_t>(sum.chunks / all.size() / kSeeds), adapting, all.size());
}

}  // namespace

namespace vicino::plat {
uint64_t now() noexcept { return virtual_now; }
uint64_t rnd() noexcept {
  return splitmix64(std::exchange(random_state, random_state + kSplitmixStep));
}
}  // namespace vicino::plat

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  const bool each = std::erase(names, "--loads") > 0;
  if (names.empty())
    names = {"ich", "ich,paper", "ich,d_min=1", "nich", "nich,paper", "guided", "dynamic", "steal"};
  std::puts(each ? "| threads | schedule | load | % above ideal |\n|--:|---|---|--:|"
                 : "| threads | schedule | mean | worst | chunks | adapts in |\n"
                   "|--:|---|--:|--:|--:|---|");
  for (const uint32_t threads : {2, 4, 8})
    for (const std::string& name : names) print(name, threads, each);
}
