#include "abi/omp/target_memory.hpp"

#include <string.h>

namespace vicino::abi {
namespace {

// In one dimension of an array: where a part begins, and how far apart its slices are, in bytes. The
// innermost dimension comes last.
struct Stride {
  size_t begin = 0, step = 0;
};

// Sets `overflows` if the stride, or the part's extent, is no size_t.
Stride stride_of(const Rectangle& part, const Rectangle::Array& array, int at, bool& overflows) {
  Stride stride{0, part.element};
  size_t extent;
  for (int i = at + 1; i < part.dimensions; ++i)
    overflows |= __builtin_mul_overflow(stride.step, array.sizes[i], &stride.step);
  overflows |= __builtin_mul_overflow(stride.step, array.offsets[at], &stride.begin);
  overflows |= __builtin_mul_overflow(stride.step, part.volume[at], &extent);
  return stride;
}

void copy_from(const Rectangle& part, int at, char* to, const char* from) {
  bool overflows = false;  // no: fits()
  const Stride to_stride = stride_of(part, part.to, at, overflows);
  const Stride from_stride = stride_of(part, part.from, at, overflows);
  to += to_stride.begin;
  from += from_stride.begin;
  if (at == part.dimensions - 1) {
    memcpy(to, from, part.element * part.volume[at]);
    return;
  }
  for (size_t i = 0; i < part.volume[at]; ++i)
    copy_from(part, at + 1, to + i * to_stride.step, from + i * from_stride.step);
}

}  // namespace

bool Rectangle::fits() const noexcept {
  bool overflows = false;
  for (int at = 0; at < dimensions; ++at)
    for (const Array& array : {to, from}) stride_of(*this, array, at, overflows);
  return !overflows;
}

void Rectangle::copy(char* to_array, const char* from_array) const noexcept {
  copy_from(*this, 0, to_array, from_array);
}

}  // namespace vicino::abi
