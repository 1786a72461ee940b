// distance.hpp: how far one thread is from another, in words.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace vicino::topo {

// What the two threads share: a cache group; a node but no cache group; and so on. kUnbound: the
// distance is not known.
enum class Distance : uint8_t { kCacheGroup, kNode, kPackage, kMachine, kUnbound };
inline constexpr std::array<std::string_view, 5> kDistanceNames = {"cache_group", "node", "package",
                                                                   "machine", "unbound"};

}  // namespace vicino::topo
