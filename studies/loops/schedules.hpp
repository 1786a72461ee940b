// schedules.hpp: what the study compares: Vicino's schedules as users name them, and libgomp's own.
//
// The paper's dynamic and guided are libgomp's. Vicino's differ: dynamic_shared claims short chunks in
// batches, and guided's chunks are half as long. So the rules of libgomp are here, as schedules.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "loop/registry.hpp"

namespace loops {

// One counter, and each claim takes one chunk of it.
class LibgompDynamic : public vicino::loop::NothingToSet {
 public:
  static constexpr std::string_view kName = "libgomp-dynamic";
  static constexpr std::string_view kSummary = "libgomp's schedule(dynamic)";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const vicino::loop::Plan&) noexcept { next_.store(0); }
  struct Local {
    uint64_t trip, chunk;
  };
  Local enter(const vicino::loop::Plan& plan, uint32_t) noexcept {
    return {plan.trip, plan.chunk_or_one()};
  }
  vicino::loop::Range next(vicino::loop::Cursor& cursor) noexcept {
    const Local& my = cursor.as<Local>();
    const uint64_t begin = next_.fetch_add(my.chunk);
    if (begin >= my.trip) return {};
    return {begin, begin + std::min(my.chunk, my.trip - begin)};
  }

 private:
  vicino::plat::atomic<uint64_t> next_{0};
};

// Each claim takes the n-th part of what is left, rounded up, by a compare-and-swap.
class LibgompGuided : public vicino::loop::NothingToSet {
 public:
  static constexpr std::string_view kName = "libgomp-guided";
  static constexpr std::string_view kSummary = "libgomp's schedule(guided)";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const vicino::loop::Plan&) noexcept { next_.store(0); }
  struct Local {
    uint64_t trip, least, members;
  };
  Local enter(const vicino::loop::Plan& plan, uint32_t) noexcept {
    return {plan.trip, plan.chunk_or_one(), plan.members};
  }
  vicino::loop::Range next(vicino::loop::Cursor& cursor) noexcept {
    const Local& my = cursor.as<Local>();
    uint64_t begin = next_.load();
    for (;;) {
      if (begin >= my.trip) return {};
      const uint64_t left = my.trip - begin;
      const uint64_t part = std::max((left + my.members - 1) / my.members, my.least);
      const uint64_t end = begin + std::min(part, left);
      if (next_.compare_exchange_strong(begin, end)) return {begin, end};
    }
  }

 private:
  vicino::plat::atomic<uint64_t> next_{0};
};

// A name as VICINO_SCHEDULE has it, or one of the two above with a chunk behind a comma.
vicino::Result<vicino::loop::Selection> schedule_of(std::string_view name);

// Whether all claims go through one counter, so that a part of a long loop shows the rest.
bool is_counter(const vicino::loop::Row& row);

}  // namespace loops
