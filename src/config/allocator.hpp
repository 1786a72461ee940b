// allocator.hpp: OMP_ALLOCATOR: a predefined allocator, or a memory space and traits for one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "memory/allocator.hpp"

namespace vicino::config {

struct ChosenAllocator {
  std::string text;  // as written; empty: not set
  memory::Handle predefined = memory::kDefaultHandle;
  std::optional<memory::Description> own;  // instead of a predefined one
  bool operator==(const ChosenAllocator&) const = default;
};

Result<ChosenAllocator> read_allocator(std::string_view text);

struct AllocatorText {
  static constexpr std::string_view kAccepted =
      "a predefined allocator, or a memory space and its traits, space[:trait=value,...]";
  static std::optional<ChosenAllocator> parse(std::string_view text);
  static std::string format(const ChosenAllocator& chosen) {
    return chosen.text.empty() ? "omp_default_mem_alloc" : chosen.text;
  }
  static std::string explain(std::string_view text) { return read_allocator(text).error(); }
};

}  // namespace vicino::config
