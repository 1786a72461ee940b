// target_memcpy.cpp: copies between devices, and memory of devices that is filled, as tasks.
//
// The dependences are gcc's depend objects, so these routines serve its programs. Those of LLVM's
// compilers get libomptarget's.
#include <errno.h>
#include <string.h>

#include <climits>
#include <cstddef>
#include <vector>

#include "abi/api.hpp"
#include "abi/gomp/task.hpp"
#include "abi/omp/offload.hpp"
#include "abi/omp/target_memory.hpp"

using namespace vicino;
using abi::Offloaded;
using abi::Rectangle;
using gomp::Function;
using region::is_host;

namespace {

using DependWords = uintptr_t[2];  // an omp_depend_t

// Generates a task that gets a copy of the data, and has the objects' dependences.
void generate(Function function, void* data, size_t bytes, int count, DependWords* objects) {
  // The long form of gcc's list: 0, the number of all, those that are no objects: none.
  std::vector<void*> list{nullptr, reinterpret_cast<void*>(static_cast<uintptr_t>(count)), nullptr,
                          nullptr, nullptr};
  for (int i = 0; i < count; ++i) list.push_back(objects[i]);
  GOMP_task(function, data, nullptr, static_cast<long>(bytes), alignof(max_align_t), true,
            count > 0 ? gomp::kDepend : 0u, list.data(), 0, nullptr);
}

struct Bytes {
  char* to;
  const char* from;
  size_t count;
};
void copy_bytes(void* data) {
  const auto& bytes = *static_cast<Bytes*>(data);
  memcpy(bytes.to, bytes.from, bytes.count);
}

struct Filled {
  void* memory;
  int value;
  size_t bytes;
};
void fill(void* data) {
  const auto& filled = *static_cast<Filled*>(data);
  memset(filled.memory, filled.value, filled.bytes);
}

// The caller may change the arrays of a rectangle before the task runs. So copies of them follow,
// in the order of `Arrays`.
struct Part {
  char* to;
  const char* from;
  size_t element;
  int dimensions;
};
enum Arrays : int { kVolume, kToOffsets, kFromOffsets, kToSizes, kFromSizes, kArrays };

Rectangle rectangle_of(const Part& part) {
  const auto array = [&part](Arrays which) {
    return reinterpret_cast<const size_t*>(&part + 1) + which * part.dimensions;
  };
  return {part.element,
          part.dimensions,
          array(kVolume),
          {array(kToOffsets), array(kToSizes)},
          {array(kFromOffsets), array(kFromSizes)}};
}
void copy_part(void* data) {
  const auto& part = *static_cast<Part*>(data);
  rectangle_of(part).copy(part.to, part.from);
}

}  // namespace

VICINO_API int omp_target_memcpy_async(void* to, const void* from, size_t bytes, size_t to_offset,
                                       size_t from_offset, int to_device, int from_device,
                                       int count, DependWords* objects) {
  static constinit Offloaded<decltype(omp_target_memcpy_async)> other("omp_target_memcpy_async");
  if (other)
    return other(to, from, bytes, to_offset, from_offset, to_device, from_device, count, objects);
  if (!is_host(to_device) || !is_host(from_device)) return EINVAL;
  return abi::answer([&] {
    Bytes copied{static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset,
                 bytes};
    generate(copy_bytes, &copied, sizeof copied, count, objects);
    return 0;
  });
}

// The memory, or null if it is another device's or there is no memory for the task.
VICINO_API void* omp_target_memset_async(void* memory, int value, size_t bytes, int device,
                                         int count, DependWords* objects) {
  static constinit Offloaded<decltype(omp_target_memset_async)> other("omp_target_memset_async");
  if (other) return other(memory, value, bytes, device, count, objects);
  if (!is_host(device)) return nullptr;
  const int failed = abi::answer([&] {
    Filled filled{memory, value, bytes};
    generate(fill, &filled, sizeof filled, count, objects);
    return 0;
  });
  return failed == 0 ? memory : nullptr;
}

VICINO_API int omp_target_memcpy_rect_async(void* to, const void* from, size_t element,
                                            int dimensions, const size_t* volume,
                                            const size_t* to_offsets, const size_t* from_offsets,
                                            const size_t* to_sizes, const size_t* from_sizes,
                                            int to_device, int from_device, int count,
                                            DependWords* objects) {
  static constinit Offloaded<decltype(omp_target_memcpy_rect_async)> other(
      "omp_target_memcpy_rect_async");
  if (other)
    return other(to, from, element, dimensions, volume, to_offsets, from_offsets, to_sizes,
                 from_sizes, to_device, from_device, count, objects);
  if (to == nullptr && from == nullptr) return INT_MAX;  // how many dimensions are supported
  if (dimensions < 1 || !is_host(to_device) || !is_host(from_device)) return EINVAL;
  const Rectangle asked{
      element, dimensions, volume, {to_offsets, to_sizes}, {from_offsets, from_sizes}};
  if (!asked.fits()) return EINVAL;
  return abi::answer([&] {
    const auto n = static_cast<size_t>(dimensions);
    std::vector<char> data(sizeof(Part) + kArrays * n * sizeof(size_t));
    char* end = data.data();
    const auto add = [&end](const void* what, size_t size) {
      memcpy(end, what, size);
      end += size;
    };
    const Part part{static_cast<char*>(to), static_cast<const char*>(from), element, dimensions};
    add(&part, sizeof part);
    for (const size_t* array : {volume, to_offsets, from_offsets, to_sizes, from_sizes})
      add(array, n * sizeof(size_t));
    generate(copy_part, data.data(), data.size(), count, objects);
    return 0;
  });
}
