// expect.hpp: what tests expect of a search.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "plat/model/explore.hpp"
#include "plat/model/plain.hpp"
#include "plat/plat.hpp"

namespace vicino::model {

// T1, post0 and so on. A sum of strings instead makes gcc 12 warn of overlaps that cannot happen.
inline std::string numbered(const char* what, int number) {
  std::string name = what;
  return name += std::to_string(number);
}

// The scenario holds in every execution within the bounds.
inline void expect_holds(const Result& r) {
  std::cout << "  " << r.executions << " executions, " << r.states << " states"
            << (r.unbounded ? ", without bounds" : "") << '\n';
  EXPECT_FALSE(r.failed) << r.trace;
  EXPECT_TRUE(r.failed || r.complete) << "gave up after " << r.executions << " executions";
}

// The search finds a failure that says `why`, and shows it in at most `steps` lines.
inline void expect_fails(const Result& r, std::string_view why, std::size_t steps) {
  ASSERT_TRUE(r.failed) << "not found in " << r.executions << " executions";
  EXPECT_NE(r.failure.find(why), std::string::npos) << r.trace;
  EXPECT_LE(r.steps, steps) << r.trace;
}

// A memory order that could be weaker, with the reason to keep it.
struct Spare {
  std::string_view function, change;
  std::string_view why;
  bool matches(const Mutant& mutant) const {
    return mutant.what.starts_with(function) && mutant.what.ends_with(change);
  }
};

// Joins the mutants of several scenarios: a mutant is caught if one of the scenarios notices it.
inline Mutants together(std::vector<Mutants> several) {
  Mutants all;
  for (Mutants& mutants : several) {
    expect_holds(mutants.sound);
    all.sound = mutants.sound;
    for (Mutant& mutant : mutants.all) {
      const auto same = [&mutant](const Mutant& other) { return other.what == mutant.what; };
      const auto known = std::find_if(all.all.begin(), all.all.end(), same);
      if (known == all.all.end())
        all.all.push_back(std::move(mutant));
      else if (!known->result.failed)
        known->result = std::move(mutant.result);
    }
  }
  return all;
}

// Every mutant is caught except the spare ones, and each spare one in the list exists.
inline void expect_caught(const Mutants& mutants, const std::vector<Spare>& spares = {}) {
  expect_holds(mutants.sound);
  EXPECT_FALSE(mutants.all.empty());
  std::vector<bool> used(spares.size());
  for (const Mutant& mutant : mutants.all) {
    if (mutant.result.failed) continue;
    EXPECT_TRUE(mutant.result.complete) << mutant.what << ": search gave up";
    bool spare = false;
    for (std::size_t i = 0; i < spares.size(); ++i)
      if (spares[i].matches(mutant)) used[i] = spare = true;
    EXPECT_TRUE(spare) << mutant.what << " is not caught";
  }
  for (std::size_t i = 0; i < spares.size(); ++i)
    EXPECT_TRUE(used[i]) << "no spare order in " << spares[i].function;
}

}  // namespace vicino::model
