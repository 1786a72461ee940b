// resting.hpp: the phases of a tuner that try nothing new: settled, and left alone. They watch for
// a reason to explore again.
#pragma once

#include <cstdint>
#include <optional>

#include "tune/tuner_phase.hpp"

namespace vicino::tune {

// Counts executions in a row that were not what a phase rests on.
class Watch {
 public:
  // True if that is reason enough to explore again.
  bool record(bool off, const SiteAccount& account) noexcept {
    off_ = off ? off_ + 1 : 0;
    return off_ >= TunerConstants::kOff && account.within_budget();
  }
  bool in_doubt() const noexcept { return off_ > 0; }

 private:
  uint32_t off_ = 0;
};

class Settled : public PhaseDefaults {
 public:
  static constexpr Phase kPhase = Phase::kSettled;
  // `like`: Found::bits, if the choice comes from another site.
  Settled(const Scope& scope, Choice choice, double cost, int like) noexcept;

  Choice choose(const SiteContext& site) const noexcept;
  Choice best(const SiteContext&) const noexcept { return choice_; }
  NextPhase record(SiteContext& site, const Sample& sample);
  NextPhase next(SiteContext& site) const;
  bool in_doubt() const noexcept { return watch_.in_doubt(); }
  int like() const noexcept { return like_; }

  double cost() const noexcept { return cost_; }
  // The choice to look at now and then, if the site has settled on the default.
  void look_again_at(std::optional<Choice> second) noexcept {
    if (!second_) second_ = second;
  }
  void set_like(int bits) noexcept { like_ = bits; }
  // For a site whose loops are `bits` powers of two shorter than this one's, or -`bits` longer.
  std::optional<Found> found_for(const Scope& scope, int bits) const noexcept;
  void miss() noexcept { ++since_; }

 private:
  bool is_off(double cost) const noexcept;
  void charge_second(SiteContext& site, const Sample& sample) const;

  Choice choice_;
  double cost_;
  std::optional<Choice> second_;  // the default, if another was settled on; else what came next
  int like_;
  uint64_t since_ = 0;   // executions
  uint32_t doubts_ = 0;  // executions in a row of the second that were better
  Watch watch_;
};

// A site that is too short to gain anything, or that says nothing.
class LeftAlone : public PhaseDefaults {
 public:
  static constexpr Phase kPhase = Phase::kLeftAlone;

  Choice choose(const SiteContext& site) const noexcept { return best(site); }
  Choice best(const SiteContext& site) const noexcept { return site.scope().by_default(); }
  NextPhase record(SiteContext& site, const Sample& sample);
  NextPhase next(SiteContext& site) const;
  bool in_doubt() const noexcept { return watch_.in_doubt(); }

 private:
  Watch watch_;
};

}  // namespace vicino::tune
