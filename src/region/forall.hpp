// forall.hpp: loops of vicino/forall.h: worksharing loops whose static fraction f the program gives
// at each execution, and the question of what f should be.
//
// Which loop a question is about. In the argument f of a FORALL_BEGIN the thread has said where it
// is. Elsewhere the question is about the loop that the thread comes to next: that loop is noted
// where the question stands, and answers it the next time.
//
// Memory order: threads note pointers for each other, each stored by a release and loaded by an
// acquire, so that a thread that finds a pointer sees what it points to.
//  M1 ForallSite::schedule: a selection that loop::keep() returned.
//  M2 ForallSite::learned: a record that LoopRecord::find() returned. The thread that notes it has noted or
//     found `schedule` before, so a thread that finds `learned` finds `schedule`, too.
//  M3 ForallPrediction::site: a ForallSite of the program, complete before the program's code there
//     could run.
//  The load that only compares `learned` is relaxed.
#pragma once

#include <cstdint>
#include <string>

#include "plat/plat.hpp"
#include "region/loops.hpp"

namespace vicino::site {
class LoopRecord;
}

namespace vicino::region {

// Lies in the program as vicino_forall_site.
struct ForallSite {
  const char* strategy;
  const char* source;
  plat::atomic<const loop::Selection*> schedule;
  plat::atomic<site::LoopRecord*> learned;  // by the last execution by a team
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

// Ends the program with a message if the strategy is unknown or f is not a fraction.
void begin_forall(Member& member, ForallSite& site, const Forall& forall);

double predict_static_fraction(ForallPrediction& asked) noexcept;

}  // namespace vicino::region
