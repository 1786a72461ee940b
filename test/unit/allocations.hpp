// Counts the bytes that operator new gives out.
#pragma once

#include <cstddef>

namespace vicino {

// What one thread asks for from the constructor on, freed or not. One at a time in a thread.
class Allocations {
 public:
  Allocations();
  ~Allocations();
  Allocations(const Allocations&) = delete;
  std::size_t bytes() const;
};

}  // namespace vicino
