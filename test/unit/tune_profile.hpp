// Profiles for the tests, with a value in every field.
#pragma once

#include <random>
#include <string>

#include "tune/profile.hpp"

namespace vicino::tune {

inline ProfileEntry some_entry(uint64_t offset = 0x11d9) {
  const Measured by_default{{"static", 2, {}}, 51.25, 50, 53.5, 3, true};
  const Measured best{{"mixed,f=0.75,chunk=8", 1, {"nodes=0,2", "steal=full"}}, 33.9, 33, 34.4, 8};
  ProfileEntry entry;
  entry.key = {"00ff5a", offset, "loop", 2, 11, "time", "0123456789abcdef"};
  entry.binary = "/opt/some where/solver";
  entry.where = "solver.c:120";
  entry.hardware = "1 package, 1 node";
  entry.progress = Progress::kSettled;
  entry.round = 1;
  entry.by_default = by_default;
  entry.best = best;
  entry.tried = {by_default, best};
  entry.executions = 400;
  entry.iterations = 400'000;
  entry.settled_iterations = 380'000;
  entry.total_ns = 3'200'000;
  entry.explored_ns = 329'000;
  entry.explored_again = 1;
  entry.used = 20'779;
  return entry;
}

inline void make_graph(ProfileEntry& entry, const char* structure = "8b52f0e6c1a9d347") {
  entry.key.kind = kGraph;
  entry.key.structure = structure;
}

// Uses few different keys, so that merges meet equal ones.
inline ProfileEntry random_entry(std::mt19937& random) {
  const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  const auto measured = [&] {
    Measured m;
    m.with = {below(2) == 0 ? "ich" : "nich,group=4", 1 + below(4), {}};
    if (below(4) == 0) m.with.more.push_back("nodes=" + std::to_string(below(8)));
    m.cost = below(1000) / 7.0;
    m.low = m.cost / 3;
    m.high = m.cost * 1e9;
    m.samples = below(9);
    m.beaten = below(2) == 0;
    return m;
  };
  ProfileEntry entry = some_entry(below(4));
  entry.key.team = 1 + below(2);
  entry.key.kind = below(2) == 0 ? "loop" : "taskloop";
  if (below(4) == 0) make_graph(entry, below(2) == 0 ? "0" : "12");
  if (below(3) == 0) entry.binary.clear();
  if (below(3) == 0) entry.where = "line " + std::to_string(below(3));
  entry.progress = static_cast<Progress>(below(5));
  entry.round = below(3);
  entry.by_default = measured();
  entry.best = measured();
  entry.tried.clear();
  for (auto left = below(4); left > 0; --left) entry.tried.push_back(measured());
  entry.executions = below(1000);
  entry.iterations = random();
  entry.settled_iterations = below(2) == 0 ? UINT64_MAX - below(3) : below(9);
  entry.total_ns = random();
  entry.explored_ns = below(100);
  entry.explored_again = below(3);
  entry.used = static_cast<Day>(below(30'000));
  return entry;
}

inline Profile random_profile(std::mt19937& random) {
  std::vector<ProfileEntry> entries;
  for (auto left = random() % 8; left > 0; --left) entries.push_back(random_entry(random));
  return profile_of(std::move(entries));
}

}  // namespace vicino::tune
