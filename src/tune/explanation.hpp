// explanation.hpp: what was tried at call sites, what was chosen and why, as text: for a process
// that ends (VICINO_EXPLAIN) and for a profile (`vicino explain`).
#pragma once

#include <span>
#include <string>

#include "tune/profile.hpp"

namespace vicino::tune {

struct Explained {
  ProfileEntry entry;
  bool remembered = false;  // what is known of it comes from a profile
};

// What took the most time first, then by place.
bool is_told_before(const Explained& a, const Explained& b) noexcept;

// A paragraph for each, in this order, and a line of what all of them took.
std::string explanation(std::span<const Explained> sites);

// "67.8 us"
std::string in_words(double ns);
// "guided on 2 threads"
std::string in_words(const Configuration& configuration);
// Of the site's mean execution, by what an iteration costs.
std::string cost_of_execution(const ProfileEntry& entry, double cost);
// Why the site runs as it does: a sentence without a full stop.
std::string reason(const Explained& site);
// What the executions since it settled would have cost more, in the objective's unit.
double gain_of(const ProfileEntry& entry) noexcept;

}  // namespace vicino::tune
