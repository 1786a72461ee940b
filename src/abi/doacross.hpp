// doacross.hpp: what a tool is told of doacross loops (OMPT), in both compilers' ABIs.
#pragma once

#include <span>
#include <vector>

#include "ompt/records.hpp"
#include "region/doacross.hpp"

namespace vicino::abi {

// An iteration outside of the nest is no dependence.
void tell_doacross(ompt::DependenceType type, const region::Doacross& nest,
                   std::span<const int64_t> values);
// The member is in an iteration of a doacross loop and posts it, or waits for another one: next()
// gives the values of the nest's loops, from the outermost on.
template <class Next>
[[gnu::cold]] void tell_doacross(ompt::DependenceType type, const team::Member& member, Next next) {
  const region::Doacross* const nest = member.loop.doacross;
  if (nest == nullptr) return;
  std::vector<int64_t> values;
  for (std::size_t i = 0; i < nest->loops(); ++i) values.push_back(static_cast<int64_t>(next()));
  tell_doacross(type, *nest, values);
}

}  // namespace vicino::abi
