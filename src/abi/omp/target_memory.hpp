// target_memory.hpp: what the routines on memory of devices share.
#pragma once

#include <cstddef>

#include "region/target.hpp"

namespace vicino::abi {

// The host's device number: the one after the last device of libomptarget, if that is loaded.
int initial_device() noexcept;
bool is_initial_device(int device) noexcept;

// A part of an array, which is copied to a part of another: `volume` elements of each dimension.
struct Rectangle {
  // Where the part begins in each dimension, and how many elements the array has there. The first
  // dimension's size means nothing for addresses.
  struct Array {
    const size_t* offsets;
    const size_t* sizes;
  };

  size_t element;  // bytes of an element
  int dimensions;  // at least one
  const size_t* volume;
  Array to, from;

  // Whether all sizes in bytes are a size_t.
  bool fits() const noexcept;
  // The caller has tested fits().
  void copy(char* to_array, const char* from_array) const noexcept;
};

}  // namespace vicino::abi
