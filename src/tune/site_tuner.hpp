// site_tuner.hpp: what one call site runs with, from one execution to the next.
//
// Why    Nobody can say in advance which schedule and how many threads a loop wants, but its first
//        executions tell. A site goes through these phases: warm up (once, not counted), widths (as
//        it would run without a tuner, on all threads and fewer; width_search.hpp), schedules (on
//        the number of threads that won; race.hpp), settled. Widths come first, since threads that
//        hinder each other cost more than the wrong schedule. A taskloop's schedules are its steal
//        policies.
//        Widths are tried with the schedule that the site had. But if a loop's threads waited for
//        each other more than kUneven of the time, widths are tried with the second schedule, which
//        evens that out. Then fewer threads are tried only once their price is within the budget
//        (policy.hpp) of what the widths before have taken, if the loop gets as much slower as its
//        threads get fewer: threads that wait hinder nobody, and many loops end before.
// Cost   what is tried and is worse than the best. The first round is the price of knowing
//        anything: three executions of a schedule or width, one or two of those far behind. What
//        comes after is counted, and trying pauses while the count is more than the budget of all
//        the time that the site has taken.
// Left alone  sites shorter than kShort: nothing gained there would be seen. But a short taskloop
//        or region may be shortest on one thread. The tuner finds that out, unless the objective's
//        meter makes longer times than kShort count as short: its steps would hide the difference.
// Like another  a site at the same place whose loops are half or twice as long may have found what
//        this site wants. Its choice is compared with the default (three executions of each; where
//        both are one, three). If it is better, the site settles on it; if not, the site goes
//        through all of the above. Fewer threads than all are handed on to shorter loops only:
//        threads pay more as loops get longer. What was taken over is not handed on, nor that a
//        site was short: so at most every second length is believed without having been tried.
// Again  when a settled site's cost was off kOff times in a row, or a short site was long as often,
//        it starts afresh: the data have changed, or the machine has. And one of kRecheck
//        executions uses what came second. If that is better kLooks times in a row, something else
//        disturbed the comparison of the two.
//
// On several nodes  a loop's choice also decides where the data lie that other loops want. So static
//        comes first and stays unless something else is proven better for the whole program:
//        sites take turns (turn.hpp), and what a choice costs the others counts as its own cost
//        (outside.hpp). Each try is dear there, so few are made, in another order, and all of them
//        are paid for: policy.hpp has all that differs. An execution of the default after another
//        choice is not counted, as the data lie elsewhere. Taskloops and regions are not concerned.
//
// Costs are in nanoseconds per iteration, so that a loop whose trip count changes stays comparable.
// If the objective is not time, they are in its unit; what is short and what trying may take are
// times all the same. Not for use by two threads at once.
//
// Each phase is a class (tuner_phase.hpp, exploring.hpp, resting.hpp); SiteTuner holds one of them
// and changes it for the next.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "tune/choice.hpp"
#include "tune/exploring.hpp"
#include "tune/resting.hpp"
#include "tune/site_knowledge.hpp"
#include "tune/tuner_phase.hpp"

namespace vicino::tune {

class SiteTuner : public TunerConstants {
 public:
  using Width = tune::Width;
  using Tried = tune::Tried;
  using Found = tune::Found;
  using OnNodes = tune::OnNodes;

  // `grain`: by how many threads widths differ. `short_ns`: what counts as short.
  SiteTuner(uint32_t candidates, int most, int grain, IfShort if_short = IfShort::kLeaveAlone,
            double short_ns = kShort, const Policy& policy = kUsualPolicy);

  // What the execution that begins now uses.
  Choice choose() const;
  // An execution has ended that took `ns` for `trip` > 0 iterations, and `amount` of the objective
  // if that is not time. `idle`: the part of the threads' time that they waited for each other
  // after their parts, if that is known.
  void record(Choice choice, double ns, uint64_t trip, std::optional<double> amount = {},
              double idle = 0, OnNodes on_nodes = {});
  // An execution has ended that is not to be learnt from, as another site was trying something. It
  // stands for `count` executions.
  void live(Choice choice, double ns, double count) noexcept;
  // An execution has ended that says nothing: it was cancelled, for instance. A site that is tried
  // in vain kMostMissed times in a row is left alone like a short one, until kOff executions in a
  // row are recorded and are long.
  void miss();

  // The choice is known from an earlier run, whose executions took `ns` (0: not known).
  void settle_on(Choice choice, double cost, double ns = 0);
  // The site was short in an earlier run.
  void leave_alone();
  // In the order in which they were tried: the base on all threads is first, and all candidates but
  // the base are on race_threads().
  std::vector<Tried> tried() const;
  // Goes on from where an earlier run ended, after a warm-up of its own, which runs the best so
  // far. `trip`: the mean. False, and nothing is changed, if no tried() can have been like that.
  bool go_on_from(std::span<const Tried> tried, const Estimate& of_default, double trip);

  // Executions with fewer threads than all run on other nodes from now on, so the site explores
  // afresh. False, and nothing is changed, while that is beyond the budget, or if the site is left
  // alone.
  bool forget_fewer_threads();

  // For a site whose loops are `bits` powers of two shorter than this one's, or -`bits` longer.
  std::optional<Found> found_for(int bits) const;
  // Takes the place of a first exploration.
  void begin_like(const Found& other);
  // After settle_on(): the choice had been taken over, so it is not handed on.
  void settle_as_like(int bits);
  // Found::bits, if the site's present choice comes from another site; else 0.
  int like() const noexcept;

  Phase phase() const noexcept;
  // The site's executions are too short to compare more than all threads and one.
  bool is_short() const noexcept { return site_.known.is_short; }
  // Whether record() wants to know how long threads waited.
  bool asks_idle() const noexcept {
    if (site_.policy().schedules_first) return phase() == Phase::kWidths && site_.known.looks == 0;
    return phase() == Phase::kWarmUp || in_doubt();
  }
  // Whether record() wants to know what passed until the site's next execution.
  bool asks_outside() const noexcept { return site_.policy().counts_outside && explores(); }
  // Whether the site has something to try now.
  bool wants_turn() const noexcept;
  // The last execution was not what the site's state rests on: more executions are to be seen.
  bool in_doubt() const noexcept;
  // What the site would use if nothing were to be tried.
  Choice best() const;
  const Race& race() const noexcept { return site_.known.race; }
  // With how many threads the race is run, or was.
  int race_threads() const noexcept { return site_.known.race_threads; }
  // The widths tried with base().
  const std::vector<Width>& widths() const noexcept { return site_.known.widths; }
  // The candidate that widths are tried with, or were.
  uint32_t base() const noexcept { return site_.known.base; }
  // The estimate of the default, what the site would have without a tuner. Without samples if it is
  // not known yet.
  Estimate of_default() const;
  // 0 unless the site is settled.
  double settled_cost() const noexcept;

  uint64_t executions() const noexcept { return site_.account.executions; }
  uint64_t explored_again() const noexcept { return site_.account.explored_again; }
  double total_ns() const noexcept { return site_.account.total_ns; }
  // The time lost to choices that were tried and are worse. It follows from estimates, not from
  // what single samples took: the rest is noise, which the best would have had too.
  double explored_ns() const noexcept { return site_.account.explored_ns; }
  // The part of it that the budget limits.
  double charged_ns() const noexcept { return site_.account.charged_ns; }
  double mean_trip() const noexcept { return site_.account.mean_trip(); }
  double settled_iterations() const noexcept { return site_.account.settled_trips; }

 private:
  bool explores() const noexcept;
  template <class P>
  bool is_in() const noexcept {
    return std::holds_alternative<P>(phase_);
  }
  bool charge_outside(Sample& sample, double outside);
  bool is_hopeless_by_itself(const Sample& sample) const;
  // To `next`, and on as long as a phase has nothing to try.
  void enter(NextPhase next);

  SiteContext site_;
  TunerPhase phase_;
  uint32_t missed_ = 0;  // executions in a row
};

}  // namespace vicino::tune
