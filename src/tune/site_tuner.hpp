// site_tuner.hpp: what one call site runs with, from one execution to the next.
//
// Why    Nobody can say in advance which schedule and how many threads a loop wants, and its first
//        executions tell. A site goes through: warm up (once, not counted), widths (as it would run
//        without a tuner, on all threads and fewer; width_search.hpp), schedules (on as many
//        threads as won; race.hpp), settled. Widths come first since threads that hinder each other
//        cost more than the wrong schedule. A taskloop's schedules are its steal policies.
//        Widths are tried with the schedule that it had; but of a loop whose threads waited for
//        each other more than kUneven of the time, with the second one, which evens that out.
//        There, fewer threads are tried only once that is kBudget of what the widths before have
//        taken, the loop being as much slower as they are fewer: threads that wait hinder nobody,
//        and many loops end before.
// Cost   what is tried and is worse than the best. Its first round is the price of knowing
//        anything: three executions of a schedule or width, one or two of those far behind. What
//        comes after is counted, and pauses while it is more than kBudget of all the time that the
//        site has taken.
// Left alone  sites shorter than kShort: nothing gained there would be seen. But a taskloop or a
//        region that is short may be shortest on one thread; of those that is found out, unless
//        they are short for what counts: its steps would hide the difference.
// Like another  a site at the same place whose loops are half or twice as long may have found what
//        it wants. That is compared with the default (three executions of each; where both are one,
//        three), and if it is better the site settles on it; if not, it goes through all of the
//        above. Fewer threads than all go to shorter loops only: threads pay more as loops get
//        longer. What was taken over is not handed on, nor that a site was short: so not more than
//        every second length is believed without having been tried.
// Again  when a settled site's cost has been another kOff times running, or a short site long, it
//        starts afresh: the data are others, or the machine is. And one of kRecheck executions
//        has what came second: if that is better kLooks times running, something else was at work
//        when the two were compared.
//
// Costs are in nanoseconds for an iteration, so that a loop whose trip count changes stays
// comparable. Where something other than time is to be little they are in its unit; what is short
// and what trying may take go by time all the same. Not for use by two threads at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tune/race.hpp"
#include "tune/width_search.hpp"

namespace vicino::tune {

struct Choice {
  uint32_t candidate = 0;  // a schedule, by its place in the list that the site's owner has
  int threads = 0;
  bool operator==(const Choice&) const = default;
};

enum class Phase : uint8_t { kWarmUp, kLike, kWidths, kSchedules, kSettled, kLeftAlone };

// What a site that is short may choose from: nothing, or all threads and one.
enum class IfShort : uint8_t { kLeaveAlone, kTryOneThread };

class SiteTuner {
 public:
  static constexpr double kBudget = 0.025;
  static constexpr double kShort = 10'000;  // ns an execution
  // ns: an execution that something else hardly made hopeless, of all threads and of fewer.
  static constexpr double kLong = 10e6, kLongOfFewer = 1e6;
  static constexpr double kUneven = 0.2;
  static constexpr uint32_t kLooks = 3;  // executions before a site counts as short; of a width
  static constexpr uint32_t kOff = 8;
  static constexpr uint32_t kRecheck = 128;
  static constexpr uint32_t kMostMissed = 8;
  static constexpr double kUp = 1.5, kDown = 0.6;  // times the settled cost

  struct Width {
    int threads;
    Estimate estimate;
    double shortest = 0;  // execution, ns
  };

  // `grain`: by how many threads widths differ. `short_ns`: what counts as short.
  SiteTuner(uint32_t candidates, int most, int grain, IfShort if_short = IfShort::kLeaveAlone,
            double short_ns = kShort);

  // What the execution that begins now is to use.
  Choice choose() const;
  // One that took `ns` for `trip` > 0 iterations has ended; and `amount` of what is to be little,
  // if that is not time. `idle`: the part of the threads' time that they waited for each other
  // after their parts, if that is known.
  void record(Choice choice, double ns, uint64_t trip, std::optional<double> amount = {},
              double idle = 0);
  // One has ended that says nothing: it was cancelled, for instance. A site that is tried in vain
  // kMostMissed times running is left alone like one that is short: until kOff of them running are
  // recorded, and are long.
  void miss();

  // Known from an earlier run; with executions that took `ns`, if that is known, too.
  void settle_on(Choice choice, double cost, double ns = 0);
  // The same of a site that was short.
  void leave_alone();
  struct Tried {
    Choice choice;
    Estimate estimate;
    bool beaten = false;  // clearly worse than another
  };
  // In the order in which it was tried: the base on all threads is first, and all candidates but
  // the base are on race_threads().
  std::vector<Tried> tried() const;
  // Goes on from where an earlier run ended, after a warm-up of its own, which has the best so far.
  // `trip`: the mean. False, and nothing is changed, if tried() cannot have been like that.
  bool go_on_from(std::span<const Tried> tried, const Estimate& of_default, double trip);

  // What another site of about this length has found.
  struct Found {
    Choice choice;
    std::optional<Choice> second;
    int bits = 0;  // how much longer its loops are, in powers of two
  };
  // For one whose loops are `bits` powers of two shorter than these, or longer.
  std::optional<Found> found_for(int bits) const;
  // Instead of a first exploration.
  void begin_like(const Found& other);
  // After settle_on(): that choice had been taken over, so it is not handed on.
  void settle_as_like(int bits);
  // What the site's present choice comes from, if it is another site; else 0. Found::bits.
  int like() const noexcept { return like_ ? like_->bits : 0; }

  Phase phase() const noexcept { return phase_; }
  // Its executions are too short for more than all threads and one to be compared.
  bool is_short() const noexcept { return short_; }
  // Whether record() is to be told how long threads waited.
  bool asks_idle() const noexcept { return phase_ == Phase::kWarmUp || in_doubt(); }
  // Its last execution was not what its state rests on: more of them are to be seen.
  bool in_doubt() const noexcept { return off_ > 0; }
  // What it would use if nothing were to be tried.
  Choice best() const;
  const Race& race() const noexcept { return race_; }
  // With how many threads the race is run, or was.
  int race_threads() const noexcept { return race_threads_; }
  // Of base().
  const std::vector<Width>& widths() const noexcept { return widths_; }
  // The candidate that widths are tried with, or were.
  uint32_t base() const noexcept { return base_; }
  // What it would have without a tuner. Without samples if that is not known yet.
  Estimate of_default() const;
  double settled_cost() const noexcept { return settled_cost_; }

  uint64_t executions() const noexcept { return executions_; }
  uint64_t explored_again() const noexcept { return explored_again_; }
  double total_ns() const noexcept { return total_ns_; }
  // Lost to what was tried and is worse. By estimates, not by what single samples took: the rest is
  // noise, which the best would have had too.
  double explored_ns() const noexcept { return explored_ns_; }
  // The part that kBudget limits.
  double charged_ns() const noexcept { return charged_ns_; }
  double mean_trip() const noexcept {
    return executions_ > 0 ? trips_ / static_cast<double>(executions_) : 0;
  }
  double settled_iterations() const noexcept { return settled_trips_; }

 private:
  // The search for a width as far as it is known by now.
  WidthSearch search() const;
  bool is_known_enough(const Width& width, double best) const;
  // What is to be tried next.
  std::optional<Choice> to_try() const;
  std::optional<int> width_to_try() const;
  bool may_try(Choice choice) const;
  bool is_paid_for(int threads) const;
  bool within_budget() const noexcept { return charged_ns_ <= kBudget * total_ns_; }
  const Estimate* width(int threads) const;
  const Estimate* known(Choice choice) const;
  bool tries_one_thread() const noexcept {
    return if_short_ == IfShort::kTryOneThread && short_ns_ <= kShort;
  }
  bool is_first_round(Choice choice) const;
  bool is_of_phase(Choice choice) const;
  // What it would have without a tuner, which default_ is about.
  bool is_default(Choice choice) const { return base_ != 0 && choice == Choice{0, most_}; }
  void learn_time(Choice choice, double ns);
  const Estimate* known_time(Choice choice) const;
  double time_of(Choice choice) const;
  void charge(Choice choice, bool first_round, uint64_t trip);
  void learn(Choice choice, double cost, double ns);
  // The best width if that is worth leaving the widest for.
  int winning_width() const;
  void go_on();
  std::optional<Choice> to_compare() const;
  void end_comparison();
  void watch(bool off, double idle);
  uint32_t base_after(double idle) const noexcept;
  std::optional<Choice> second_best() const;
  void settle(Choice choice);
  void compare_again(double cost, double ns, uint64_t trip, bool is_timed_apart);
  void explore_again(uint32_t base);

  Race race_;
  uint32_t candidates_;
  int most_, grain_;
  int race_threads_;
  IfShort if_short_;
  uint32_t base_ = 0;
  std::vector<Width> widths_;
  Estimate default_;  // where base_ is another
  Phase phase_ = Phase::kWarmUp;
  std::optional<Phase> stopped_in_;  // by an earlier run; until it has warmed up
  std::optional<Found> like_;
  Choice settled_;
  double settled_cost_ = 0;
  std::optional<Choice> second_;  // the default, if that was left; else what came next
  uint64_t since_settled_ = 0;
  uint32_t off_ = 0, looks_ = 0, doubts_ = 0, missed_ = 0;
  uint64_t executions_ = 0, explored_again_ = 0;
  double total_ns_ = 0, explored_ns_ = 0, charged_ns_ = 0, trips_ = 0, settled_trips_ = 0;
  double shortest_ = 0;
  double short_ns_;
  bool short_ = false;
  // By choice, where costs are not times.
  struct Timed {
    Choice choice;
    Estimate ns;
  };
  std::vector<Timed> times_;
};

}  // namespace vicino::tune
