// exploring.hpp: the phases of a tuner that try something: another site's choice, then widths, then
// schedules; and the warm-up before them.
//
// Invariant
//  E1 while a phase lasts, its to_try() has a value: next() is asked after each execution from
//     which the phase has learned.
#pragma once

#include "tune/tuner_phase.hpp"

namespace vicino::tune {

// The steps that these phases share. `P` provides, besides what tuner_phase.hpp lists,
//  has()     whether a choice belongs to the phase: an execution may have begun before it did
//  known()   the estimate that the phase has of such a choice; null if it has none
//  to_try()  what is to be tried next
//  learn()   adds an execution to the estimates
template <class P>
class Exploring : public PhaseDefaults {
 public:
  Choice choose(const SiteContext& site) const;
  NextPhase record(SiteContext& site, const Sample& sample) const;
  static bool explores() noexcept { return true; }
  bool is_held_up(const SiteContext& site) const {
    const auto choice = self().to_try(site);
    return choice && !may_try(site, *choice);
  }

 protected:
  double time_of(const SiteContext& site, Choice choice) const;
  Settled settle(const SiteContext& site, Choice choice) const;

  // Whether a first execution of the choice may be made now.
  static bool is_paid_for(const SiteContext&, Choice) noexcept { return true; }
  // The site has just been found to be short.
  static void became_short(SiteContext&) noexcept {}

 private:
  const P& self() const noexcept { return static_cast<const P&>(*this); }
  bool is_first_round(const SiteContext& site, Choice choice) const;
  bool may_try(const SiteContext& site, Choice choice) const;
  void charge(SiteContext& site, const Sample& sample, bool first_round) const;
};

// Compares the choice of a site of another length with the default.
class Comparing : public Exploring<Comparing> {
 public:
  static constexpr Phase kPhase = Phase::kLike;
  explicit Comparing(const Found& other) noexcept : other_(other) {}

  Choice best(const SiteContext&) const noexcept { return other_.choice; }
  NextPhase next(SiteContext& site) const;
  int like() const noexcept { return other_.bits; }
  // What a search for widths can begin with.
  static std::vector<Tried> tried(const SiteContext& site);

  bool has(const SiteContext& site, Choice choice) const noexcept;
  const Estimate* known(const SiteContext& site, Choice choice) const noexcept;
  std::optional<Choice> to_try(const SiteContext& site) const;
  void learn(SiteContext& site, const Sample& sample) const;

 private:
  Found other_;
};

// Tries numbers of threads, with the base. On several nodes: looks at the default; then goes to the
// schedules, if threads wait for each other; then tries fewer threads, if they are paid for.
class Widths : public Exploring<Widths> {
 public:
  static constexpr Phase kPhase = Phase::kWidths;

  Choice best(const SiteContext& site) const;
  NextPhase next(SiteContext& site) const;

  bool has(const SiteContext& site, Choice choice) const;
  const Estimate* known(const SiteContext& site, Choice choice) const noexcept;
  std::optional<Choice> to_try(const SiteContext& site) const;
  void learn(SiteContext& site, const Sample& sample) const;
  static bool is_paid_for(const SiteContext& site, Choice choice) noexcept;
  static void became_short(SiteContext& site) { site.known.forget_fewer_threads(); }
};

// Tries the other candidates, on the number of threads that won. On several nodes they are tried on
// all threads, and widths come afterwards.
class Schedules : public Exploring<Schedules> {
 public:
  static constexpr Phase kPhase = Phase::kSchedules;

  Choice best(const SiteContext& site) const noexcept;
  NextPhase next(SiteContext& site) const;

  bool has(const SiteContext& site, Choice choice) const noexcept;
  const Estimate* known(const SiteContext& site, Choice choice) const noexcept;
  std::optional<Choice> to_try(const SiteContext& site) const noexcept;
  void learn(SiteContext& site, const Sample& sample) const;
  static bool is_paid_for(const SiteContext& site, Choice choice) noexcept;
};

// One execution that is not counted.
class WarmUp : public PhaseDefaults {
 public:
  static constexpr Phase kPhase = Phase::kWarmUp;
  using Then = std::variant<Comparing, Widths, Schedules>;

  // Before a first exploration: the execution decides with which base it begins.
  explicit WarmUp(Choice choice) noexcept : choice_(choice) {}
  WarmUp(Choice choice, Then then) noexcept : choice_(choice), then_(then) {}

  Choice choose(const SiteContext&) const noexcept { return choice_; }
  Choice best(const SiteContext&) const noexcept { return choice_; }
  NextPhase record(SiteContext& site, const Sample& sample) const;
  NextPhase next(SiteContext& site) const;
  int like() const noexcept;

 private:
  Choice choice_;
  std::optional<Then> then_;
};

}  // namespace vicino::tune
