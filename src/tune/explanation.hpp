// explanation.hpp: what was tried at call sites, what was chosen and why, as text: for a process
// that ends (VICINO_EXPLAIN) and for a profile (`vicino explain`).
#pragma once

#include <span>
#include <string>

#include "tune/profile.hpp"

namespace vicino::tune {

struct Explained {
  ProfileEntry entry;
  bool remembered = false;  // what is known of the site comes from a profile
};

// Sites in the order of an explanation: the most time first, then by place.
bool is_told_before(const Explained& a, const Explained& b) noexcept;

// A paragraph for each site, in this order, and a line with the sums over all of them.
std::string explanation(std::span<const Explained> sites);

// "67.8 us"
std::string in_words(double ns);
// "guided on 2 threads"
std::string in_words(const Configuration& configuration);
// The cost of the site's mean execution, from the cost of an iteration.
std::string cost_of_execution(const ProfileEntry& entry, double cost);
// Why the site runs as it does: a sentence without a full stop.
std::string reason(const Explained& site);
// How much more the executions since the site settled would have cost with the default, in the
// objective's unit.
double gain_of(const ProfileEntry& entry) noexcept;

}  // namespace vicino::tune
