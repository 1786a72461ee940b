// tuner_phase.hpp: what the phases of a call site's tuner have in common.
//
// A phase is a class with its own state: exploring.hpp has those that try something, resting.hpp
// those that do not. SiteTuner holds one of them, and changes it for the one that record() or
// next() returns. All share a SiteContext (site_knowledge.hpp). A phase provides
//  kPhase    its name for the tuner's users
//  choose()  what the execution that begins now uses
//  best()    what the site would use if nothing were to be tried
//  record()  learns from an execution that has ended; the next phase, if this one ends with it
//  next()    the next phase, if there is nothing left to try in this one
// and hides what of PhaseDefaults does not hold for it.
#pragma once

#include <optional>
#include <type_traits>
#include <variant>

#include "tune/site_knowledge.hpp"

namespace vicino::tune {

class WarmUp;
class Comparing;
class Widths;
class Schedules;
class Settled;
class LeftAlone;

using TunerPhase = std::variant<WarmUp, Comparing, Widths, Schedules, Settled, LeftAlone>;
using NextPhase = std::optional<TunerPhase>;

// What an execution has told at its end.
struct Sample {
  Choice choice;
  double ns;
  double trip;
  std::optional<double> amount;  // of the objective, if that is not time
  double idle;

  // Per iteration.
  double cost() const noexcept { return amount.value_or(ns) / trip; }
  double time() const noexcept { return ns / trip; }
};

struct PhaseDefaults {
  // Whether the phase tries something, sooner or later.
  static bool explores() noexcept { return false; }
  // Whether what is to be tried next is beyond the budget.
  static bool is_held_up(const SiteContext&) noexcept { return false; }
  // Whether the last execution was not what the phase rests on.
  static bool in_doubt() noexcept { return false; }
  // Found::bits of the site that the choice comes from; else 0.
  static int like() noexcept { return 0; }
};

}  // namespace vicino::tune
