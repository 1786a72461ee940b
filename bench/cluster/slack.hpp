// slack.hpp: the one place where a call site's slack becomes a static fraction.
#pragma once

#include <algorithm>

namespace cluster {

// The paper's formula: f' = 1 - max(0, (1 - f) - S / ((p - 1) T_p)), never below f. S: how long the
// rank waited after the loop last time; T_p: how long the loop took; p: members. A rank that will
// wait anyway loses nothing when its last member is late by S: so much less has to be dynamic.
inline double with_slack(double f, double slack, double loop_time, unsigned members) {
  if (members < 2 || loop_time <= 0) return f;
  return std::max(f, 1 - std::max(0.0, (1 - f) - slack / ((members - 1) * loop_time)));
}

}  // namespace cluster
