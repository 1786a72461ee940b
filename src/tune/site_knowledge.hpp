// site_knowledge.hpp: what the tuner of a call site has measured, and what that has cost.
//
// Why    The phases of a tuner (tuner_phase.hpp) follow one another, and each goes on from what the
//        ones before have measured. What only one phase needs is in that phase's class.
// Not    guarded: phases read and write the fields of a SiteContext directly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tune/choice.hpp"
#include "tune/estimate.hpp"
#include "tune/outside.hpp"
#include "tune/policy.hpp"
#include "tune/race.hpp"
#include "tune/width_search.hpp"

namespace vicino::tune {

struct Width {
  int threads;
  Estimate estimate;
  double shortest = 0;  // execution, ns
};

struct Tried {
  Choice choice;
  Estimate estimate;
  bool beaten = false;  // clearly worse than another
};

struct SiteKnowledge {
  // More are seldom tried. They are added by whichever thread ends a loop, and a thread's first
  // allocation takes as long as a short loop.
  static constexpr size_t kUsualWidths = 6;

  explicit SiteKnowledge(const Scope& its_scope)
      : scope(its_scope),
        race(its_scope.candidates, *its_scope.policy),
        race_threads(its_scope.most) {
    widths.reserve(kUsualWidths);
  }

  Scope scope;
  Race race;
  int race_threads;           // with how many threads the race is run, or was
  uint32_t base = 0;          // the candidate that widths are tried with, or were
  std::vector<Width> widths;  // tried with the base
  Estimate by_default;        // if the base is another candidate
  uint32_t looks = 0;         // executions of the base on all threads, up to kLooks
  double shortest = 0;        // of these
  double idle = 1;            // of the first of these
  bool has_raced = false;     // where schedules come first: whether they have been tried
  Outside outside;            // where that counts
  bool is_short = false;      // executions are too short to compare more than all threads and one

  // Null if so many threads were not tried.
  const Estimate* width(int threads) const noexcept;
  // The search for a width, as far as it is known by now. It says what to try next, and nothing
  // about which width is best: when two widths change order the search takes another way, and what
  // was tried on the first way is not in its table any more.
  WidthSearch search() const;
  // The fastest of all widths that were tried and may be chosen; all threads before any was tried.
  int best_width() const noexcept;
  // Whether a site like this may have so many threads.
  bool may_have(int threads) const noexcept {
    return !has_only_ends() || threads == 1 || threads == scope.most;
  }
  void learn_width(int threads, double cost, double ns);
  void forget_fewer_threads();
  // After a race on all threads.
  void begin_widths_with(uint32_t new_base);

  // Times by choice, where costs are not times; null if none is known.
  const Estimate* time(Choice choice) const noexcept;
  void learn_time(Choice choice, double ns_per_iteration);

  // Whether the estimate by_default is about this choice.
  bool is_default(Choice choice) const noexcept {
    return base != 0 && choice == scope.by_default();
  }
  // Without samples if it is not known yet. `any_base`: take the base for it.
  Estimate of_default(bool any_base) const;

  // Counts an execution; true if it is the one that proves the site to be short.
  bool proves_short(Choice choice, double ns) noexcept;
  // An execution takes `ns`; 0: not known.
  void learn_length(double ns) noexcept;

  // The second best of what was measured.
  std::optional<Choice> second_best(Choice best) const;
  // What was tried, in that order: the base on all threads is first, and all candidates but the
  // base are on race_threads.
  std::vector<Tried> tried() const;

  // Takes over what an earlier run tried: whether it had come as far as the race. No value, and
  // nothing is changed, if no tried() can have been like that. `trip`: the mean.
  std::optional<bool> restore(std::span<const Tried> tried, const Estimate& its_default,
                              double trip);
  // Forgets what was measured.
  void begin_again(uint32_t new_base);

 private:
  // The site chooses between all threads and one.
  bool has_only_ends() const noexcept {
    return is_short || scope.if_short == IfShort::kOrLongTryOneThread;
  }

  struct Timed {
    Choice choice;
    Estimate ns;
  };
  std::vector<Timed> times_;
};

// Costs here are nanoseconds, whatever the objective is.
struct SiteAccount {
  uint64_t executions = 0, explored_again = 0;
  double total_ns = 0, explored_ns = 0, charged_ns = 0;
  double lived_ns = 0;  // as total_ns, with an estimate of the executions that were not timed
  double trips = 0, settled_trips = 0;
  double budget;  // Policy::budget

  // `price`: of what is to be tried.
  bool within_budget(double price = 0) const noexcept {
    return charged_ns + price <= budget * lived_ns;
  }
  // An execution that was timed.
  void ended(double trip) noexcept {
    ++executions;
    trips += trip;
  }
  // `ns`: 0 for executions that were not timed. `lived`: with the executions that it stands for.
  void live(double ns, double lived) noexcept {
    total_ns += ns;
    lived_ns += lived;
  }
  double mean_trip() const noexcept {
    return executions > 0 ? trips / static_cast<double>(executions) : 0;
  }
  // `is_charged`: whether the budget limits it.
  void lose(double ns, bool is_charged) noexcept {
    explored_ns += ns;
    if (is_charged) charged_ns += ns;
  }
};

struct SiteContext {
  explicit SiteContext(const Scope& scope)
      : known(scope), account{.budget = scope.policy->budget} {}
  const Scope& scope() const noexcept { return known.scope; }
  const Policy& policy() const noexcept { return *known.scope.policy; }

  SiteKnowledge known;
  SiteAccount account;
  bool after_default = true;  // the execution before was one of the default

  void ran(Choice choice) noexcept { after_default = choice == scope().by_default(); }
};

}  // namespace vicino::tune
