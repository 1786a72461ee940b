#include "metric/objective.hpp"

#include <stdio.h>

#include <iterator>

namespace vicino::metric {
namespace {

struct Row {
  Objective objective;
  const char* noun;
  const char* unit;
  double units;     // in an amount of 1
  int least, most;  // exponents of the prefixes in use
};

constexpr Row kRows[] = {
    {Objective::kTime, "time", "s", 1e-9, -9, 0},
    {Objective::kCycles, "cycles", "cycles", 1, 0, 12},
    {Objective::kLlcMisses, "LLC misses", "misses", 1, 0, 12},
    {Objective::kNodeLoads, "node loads", "loads", 1, 0, 12},
    {Objective::kNodeMisses, "node misses", "misses", 1, 0, 12},
    {Objective::kEnergy, "energy", "J", 1, -6, 6},
};

const Row& row(Objective objective) noexcept {
  const Row* found = kRows;
  while (found->objective != objective) ++found;
  return *found;
}

struct Prefix {
  int exponent;
  double factor;
  const char* text;
};
constexpr Prefix kPrefixes[] = {{12, 1e12, "T"}, {9, 1e9, "G"},   {6, 1e6, "M"},   {3, 1e3, "k"},
                                {0, 1, ""},      {-3, 1e-3, "m"}, {-6, 1e-6, "u"}, {-9, 1e-9, "n"}};

}  // namespace

const char* noun(Objective objective) noexcept { return row(objective).noun; }

std::string in_words(Objective objective, double amount) {
  const Row& its = row(objective);
  const double value = amount * its.units;
  const Prefix* prefix = kPrefixes;
  while (prefix->exponent > its.most) ++prefix;
  while (prefix->exponent > its.least && value < prefix->factor) ++prefix;
  char text[64];
  snprintf(text, sizeof text, "%.3g %s%s", value / prefix->factor, prefix->text, its.unit);
  return text;
}

}  // namespace vicino::metric
