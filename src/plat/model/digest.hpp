// digest.hpp: folds numbers into 64 bits that represent a state.
#pragma once

#include <cstdint>

#include "base/hash.hpp"

namespace vicino::model {

constexpr uint64_t fold(uint64_t digest, uint64_t value) noexcept {
  return splitmix64(digest ^ splitmix64(value));
}

}  // namespace vicino::model
