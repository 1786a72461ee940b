// grain.hpp: the coarse string "automatic": which coarsening a graph runs fastest with, found by
// running it.
//
// Why    What the best grain is depends on what the tasks cost, on what managing one costs, on the
//        number of threads and on the tasks' data. The first two can be measured, the last is seen
//        only in a run.
// Rule   The first run is by one thread, and tells what all tasks cost together. A run with an
//        empty body tells what managing costs. A few coarse strings follow from both: D with
//        aggregates that cost 20, 160 and 1280 times as much as their managing; F with one, four
//        and sixteen aggregates per thread; if C finds lines, C, and two to sixteen lines together;
//        B with two, four and sixteen blocks per thread in a plane, where these cost 20 times their
//        managing, and a plane is how far back edges reach;
//        if the elimination tree is broad, T with 8, 32 and 128 aggregates per thread.
//        Some are ruled out by a bound on their time, and the others take turns in the next runs
//        (tune/race.hpp) until one is the fastest. Other programs may have disturbed the race. So
//        after many runs with the winner the best few race again, and each time it takes longer
//        until they do.
//        The bound is the larger of two times: the work and the managing, shared by all threads;
//        and the longest chain of aggregates.
// Cost   the run with the empty body, once; each coarse string that is tried is made once, like
//        any; fifty to a hundred runs in all until the first race is over.
// Not    for graphs that run once or twice: give a coarse string.
// Source Taggre "doesn't fully automate seeking of an optimal grain size" (papers/taggre-nas,
//        section VII); this is ours.
//
// What is learned belongs to a body and a number of threads: factorising a matrix and solving by
// its factors are different tasks on the same graph. One run of a body is timed at a time. Others
// that come meanwhile use the fastest coarsening so far.
//
// Another process may know the same graph (site/graph_profile.hpp). Then the first run is by the
// coarse string that was fastest there, and nothing is tried until the best few race again. If the
// first race was not over there, it goes on after a run that warms up. What managing costs is not
// measured then: it is for naming coarse strings, and these have their names already.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/known.hpp"
#include "graph/passes.hpp"
#include "graph/plan.hpp"
#include "sync/lock.hpp"
#include "tune/estimate.hpp"
#include "tune/race.hpp"

namespace vicino::graph {

class Guard;

class Grain {
 public:
  // `base`: the aggregates that the passes begin with.
  explicit Grain(std::shared_ptr<Plan> base);
  ~Grain();
  Grain(const Grain&) = delete;

  // Called by the destructor, before anything is gone. It must not use `grain` later.
  using Farewell = void (*)(const Grain& grain) noexcept;
  void at_end(Farewell farewell);

  // Identifies the graph in any process on such a machine: a hash over all that coarsening goes by.
  uint64_t structure() const;
  uint32_t tasks() const noexcept { return base_->coarse().graph.size(); }

  // Whether no run of the body by so many threads has begun.
  bool is_new(const void* body, int threads) const;
  // Starts from what another process knows, if is_new(). False if that is not possible: a coarse
  // string has no meaning here, or there is no memory.
  bool start_from(const void* body, int threads, const Known& known);
  struct Findings {
    Known known;
    Seen seen;
  };
  // None before the first run has come to its end.
  std::optional<Findings> findings(const void* body, int threads) const;

  // A run that has begun: the plan, by how many threads, and whether to say how long it took.
  struct Begun {
    std::shared_ptr<Plan> plan;
    int threads;
    bool timed = false;
    size_t tuning = 0;
    uint32_t candidate = 0;
  };
  // `threads`: how many the region would have. Throws std::bad_alloc.
  Begun begin(const void* body, int threads);
  // `ns`: how long the run took; nothing if it ended early.
  void end(const Begun& begun, std::optional<uint64_t> ns);

  // Before begin(), for a number of threads with which no run has been: the plan of which one run
  // with an empty body is to be timed. Null if that is known.
  std::shared_ptr<Plan> wants_overhead(int threads);
  void set_overhead(int threads, uint64_t ns);

  std::string explain() const;

 private:
  static constexpr uint32_t kAlone = 0;  // the first candidate: all tasks by one thread

  struct Candidate {
    std::string text;            // its coarse string
    std::shared_ptr<Plan> plan;  // null: not made yet, or out of the race
    double bound = 0;            // on its time, as a part of the time of one thread; 0: not known
    std::string ruled_out = {};  // why it was not tried
    tune::Estimate before = {};  // of the races before this one
  };
  // What is known about one body on one number of threads.
  struct Tuning {
    const void* body;
    int threads;
    double alone_ns = 0;  // 0: it has not run
    bool being_timed = false;
    std::vector<Candidate> candidates = {};
    tune::Race race{1};
    uint64_t raced = 0;  // runs of this race
    uint64_t rests = 0;  // runs with its winner until the next race
    uint64_t race_count = 0;
    uint32_t fastest = kAlone;  // by the last race that is over; by the first one while that lasts
    bool warms_up = false;      // the next run is not timed
    // Known from another process, by start_from(): whether `alone_ns` is, and how many races are.
    bool alone_is_remembered = false;
    uint64_t remembered_races = 0;
    Seen seen = {};           // without races and lost_ns, which follow from the rest
    uint64_t timed_runs = 0;  // of seen.runs
    double timed_ns = 0;
  };
  struct Overhead {
    int threads;
    double ns;  // for each aggregate
  };

  std::optional<size_t> known_tuning(const void* body, int threads) const noexcept;
  size_t tuning_for(const void* body, int threads);
  std::vector<Candidate> candidates_of(const Known& known) const;
  double overhead(int threads) const noexcept;
  void name_candidates(Tuning& tuning, double alone_ns) const;
  void drop_plan(Candidate& candidate) const;
  void keep_plan(Tuning& tuning, uint32_t fastest) const;
  bool make_plan(Guard& guard, Tuning& tuning, Candidate& candidate);
  bool make_ready(Guard& guard, Tuning& tuning, Candidate& candidate);
  std::shared_ptr<Plan> plan_for(const std::string& text) const noexcept;
  double bound_of(const Tuning& tuning, const Graph& graph) const;
  std::optional<uint32_t> next_candidate(Guard& guard, Tuning& tuning);
  std::optional<uint32_t> next_in_race(Guard& guard, Tuning& tuning);
  static void race_again(Tuning& tuning);
  static void rest(Tuning& tuning);
  static bool is_racing(const Tuning& tuning) noexcept;
  static void count(Tuning& tuning, const Begun& begun, double ns) noexcept;
  static Known known_of(const Tuning& tuning);
  Begun begin_with(size_t tuning, uint32_t candidate, bool timed);
  std::string explain(const Tuning& tuning) const;

  const std::shared_ptr<Plan> base_;
  uint32_t lines_;           // how many aggregates the pass C makes
  mutable sync::Lock lock_;  // all below
  mutable std::optional<uint64_t> structure_;
  Farewell farewell_ = nullptr;
  std::deque<Tuning> tunings_;  // a reference stays good
  std::vector<Overhead> overheads_;
};

}  // namespace vicino::graph
