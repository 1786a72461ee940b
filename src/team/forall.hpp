// forall.hpp: loops of vicino/forall.h: a worksharing loop whose static fraction the program gives
// at each execution, and what it may ask about that.
//
// Which loop a question is about. In the f of a FORALL_BEGIN the thread has said where it is. Else
// it is the loop that the thread comes to next: it is noted where the question stands, for the
// next time that it is asked there.
//
// Memory order: what is noted are pointers to things that were complete before the program's code
// there could run, or were made by a release in Site::find() or loop::keep(): stored by release,
// loaded by acquire.
#pragma once

#include <cstdint>
#include <string>

#include "team/loops.hpp"

namespace vicino::team {

// As vicino_forall_site lies in the program.
struct ForallSite {
  const char* strategy;
  const char* source;
  plat::atomic<const loop::Selection*> schedule;
  plat::atomic<Site*> learned;  // of the last execution by a team
};

struct ForallPrediction {
  plat::atomic<ForallSite*> site;
};

struct Forall {
  int64_t lo, hi;
  double f;
};

// "solver.c:120"
std::string place_of(const ForallSite& site);

// The thread is about to evaluate the arguments of the loop.
void approach_forall(ForallSite& site) noexcept;

// Ends the program if the strategy is none, or f no fraction.
void begin_forall(Member& member, ForallSite& site, const Forall& forall);

double predict_static_fraction(ForallPrediction& asked) noexcept;

}  // namespace vicino::team
