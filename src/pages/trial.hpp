// trial.hpp: pages that one thread filled go to the nodes that use them, if the program gains by it.
//
// Why    A thread that reads a file or makes an array puts all of its pages on one node, and then all
//        threads wait for that node: triad of bench/pages takes four times as long.
// Notice The process touched much memory since the last look; then which of its large private
//        mappings lie on one node, by a sample of their pages.
// Decide What uses a mapping is not known. So a placement is tried like a schedule: the program's
//        stretches (times.hpp) are timed before and after, and it stays if the whole gains.
//        What a region captures tells where arrays begin (arrays.hpp): they are placed in blocks, as
//        a static loop touches them. Where nothing tells, mappings are interleaved. Nothing is moved
//        before a region has met its arrays a second time: a program that makes new arrays in each
//        step gains nothing. No policy is set, so no mapping is split. When some arrays were placed
//        and more of the memory lies on one node, regions that come later may tell of others.
// Pay    Looks and moves take a small part of the program's time so far (budget.hpp). If that is too
//        little for all pages, some parts of them (moves.hpp) are moved first. What they gained says
//        what the rest would gain; the rest follows at once if it is repaid in as much time as has
//        passed since the pages were noticed: a program is taken to go on for as long again.
//
// One thread calls all functions, between its outermost parallel regions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pages/arrays.hpp"
#include "pages/budget.hpp"
#include "pages/moves.hpp"
#include "pages/outcome.hpp"
#include "pages/times.hpp"

namespace vicino::pages {

// What an earlier run has found for the arrays of a region.
struct Earlier {
  bool is_known = false;
  std::optional<Placement> placement;  // none: the program gained by no placement
  // False: it was compared with first times alone, in which threads woke up and caches were cold. It is
  // tried again, and moved later, so that there are other times.
  bool is_sure = true;
};

class Trial {
 public:
  using Recall = Earlier(const void* function, int members);
  using IsStack = bool(const topo::Mapping& mapping);
  // `forced`: place at once and so, without a trial. `nodes`: on which threads may run; `started`: when
  // the process began, by the clock of the other times, in ns. `recall`: null if no earlier run is known.
  // `is_stack`: whether a mapping is a thread's stack, as far as known; null: none is known to be. A look at each stack of
  // a team takes as long as all else that is looked at.
  Trial(Kernel& kernel, std::optional<Placement> forced, int nodes, size_t page, uint64_t started,
        Recall* recall = nullptr, IsStack* is_stack = nullptr);

  struct Region {
    const void* function;
    std::span<const uintptr_t> words;  // what it captures
    std::span<const int> owners;  // the memory node of each member; empty: they are bound to none
  };
  // Whether begin() has something to do at this time.
  bool is_due(uint64_t now) const noexcept { return now >= due_; }
  // An outermost region begins. The caller moves the pages that this returns, and calls moved(). `now`:
  // when it is called.
  std::vector<topo::PageRun> begin(const Region& region, uint64_t now);
  // `error`: of the kernel, which then moves nothing; 0: none.
  void moved(uint64_t began, uint64_t ended, int error);
  // Whether end() is to be called when the region ends.
  bool is_watching() const noexcept { return state_ != kIdle && state_ != kOff; }
  void end() {
    if (counts_faults_) faults_at_end_ = kernel_.faults();
  }
  // Time that begin() took; to be told before moved().
  void spend(uint64_t ns) noexcept {
    budget_.looked(ns);
    stretch_began_ += ns;
  }
  // The thread that called so far calls no more; another one goes on. What is being tried is not
  // decided any more: pages stay where they are, and the next thread looks again.
  void leave(uint64_t now);
  // The kernel refuses: nothing is placed any more.
  bool is_off() const noexcept { return state_ == kOff; }

  std::span<const Outcome> outcomes() const noexcept { return outcomes_; }

 private:
  enum State : uint8_t { kIdle, kWatching, kTrying, kReturning, kOff };

  struct Site {
    const void* function;
    int met = 0;
    int quiet = 0;  // times in a row that it told no further array
    bool has_arrays = false;
    bool was_recalled = false;  // what an earlier run found was asked for
  };
  struct Sample {
    int present = 0, of = 0;
    int node = -1;     // on which most of them are
    double share = 0;  // of those that are present
  };

  // Arrays that are placed together: from when regions are asked for them until it is decided whether they
  // stay.
  struct Attempt {
    Placement placement = Placement::kBlocks;
    bool is_remembered = false;  // the placement is an earlier run's
    bool is_doubted = false;     // it is, and is to be tried again
    int regions = 0;             // since it began, or since the last move
    std::vector<Array> arrays;
    std::vector<int> from;           // the node on which each of them lay
    const void* function = nullptr;  // of the region before which pages were moved
    std::vector<int> owners;
    std::vector<topo::PageRun> runs;
    int parts = 0;                          // moved so far
    uint64_t move_ns = 0, moved_bytes = 0;  // of all moves; of the last one
    Times times;
  };

  bool has_grown(uint64_t now);
  void scan(uint64_t now);
  bool was_refilled(uint64_t now);
  bool may_tell(const void* function) const;
  void resume();
  Sample sample(uintptr_t begin, uintptr_t end);
  bool is_lopsided(const Sample& its) const noexcept;
  Site& meet(const Region& region);
  void explore(Site& site, const Region& region);
  bool take(const Array& array);
  void take_whole_mappings();
  bool is_settled_by_earlier(Site& site, const Region& region, uint64_t now);
  std::vector<topo::PageRun> watch(const Region& region, uint64_t now);
  std::vector<topo::PageRun> judge(uint64_t now);
  std::vector<topo::PageRun> move_to(int parts);
  std::vector<topo::PageRun> go_back(uint64_t now);
  int origin_of(const topo::PageRun& run) const noexcept;
  void conclude(Outcome::What what, uint64_t now);
  void rest(uint64_t now);
  void wait(uint64_t now);

  int parts_paid_for(uint64_t now) const noexcept;

  Kernel& kernel_;
  const std::optional<Placement> forced_;
  const int nodes_;
  const size_t page_;
  Recall* const recall_;
  IsStack* const is_stack_;

  State state_ = kIdle;
  uint64_t due_ = 0;
  uint64_t pause_;  // between two looks
  static constexpr uint64_t kUnknown = UINT64_MAX;
  uint64_t faults_ = kUnknown, resident_ = 0;  // at the last look
  bool has_grown_ = false;
  // While arrays are watched: at the end of the last region, if they were counted there.
  uint64_t faults_at_end_ = 0, counted_ = 0;
  bool counts_faults_ = false;
  Budget budget_;

  // Of what was noticed last.
  uint64_t noticed_ = 0;
  std::vector<topo::Mapping> all_, large_;
  std::vector<Site> sites_;
  std::vector<const void*> short_lived_;  // sites whose arrays were made anew after a move
  std::vector<Array> placed_;
  std::vector<Array> settled_;  // that gained nothing, and are left alone
  Attempt attempt_;
  const void* stretch_ = nullptr;  // its name, and when it began
  uint64_t stretch_began_ = 0;

  std::vector<Outcome> outcomes_;
};

}  // namespace vicino::pages
