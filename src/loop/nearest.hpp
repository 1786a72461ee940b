// nearest.hpp: the members of a team in the order in which a thief asks them.
#pragma once

#include <cstdint>

#include "loop/shape.hpp"
#include "plat/plat.hpp"

namespace vicino::loop {

// Whether a member at this distance is on another node. False where threads are not bound, since
// nobody knows.
constexpr bool is_abroad(topo::Distance distance) noexcept {
  return distance == topo::Distance::kPackage || distance == topo::Distance::kMachine;
}

// Calls ask(member, distance) until one call returns true: the nearest members first, `me` among
// them; equally near ones from a random one on. Without a shape all are equally near.
template <class Ask>
bool ask_nearest(const Shape* shape, uint32_t members, uint32_t me, Ask ask) {
  const Interval all{0, members};
  const auto rings = shape != nullptr ? shape->outward(shape->position(me)) : std::span(&all, 1);
  for (const Interval& ring : rings) {
    const auto first = static_cast<uint32_t>(plat::rnd() % ring.size());
    for (uint32_t i = 0; i < ring.size(); ++i) {
      const uint32_t position = ring.begin + (first + i) % ring.size();
      if (ask(shape != nullptr ? shape->member_at(position) : position, ring.distance)) return true;
    }
  }
  return false;
}

}  // namespace vicino::loop
