// dynamic.hpp: OpenMP's schedule(dynamic, c) where its chunks may come in any order.
//
// Members take chunks of the user's size from private shares (shares.hpp). A member whose share is
// empty asks the nearest others first.
// Not    for more than 2^32 - 2 chunks: choose() sends such loops to dynamic_shared.
#pragma once

#include "loop/shares.hpp"

namespace vicino::loop {

class Dynamic : public Shares<true> {
 public:
  static constexpr std::string_view kName = "dynamic";
  static constexpr std::string_view kSummary = "fixed chunks from private shares, halves stolen";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;
  static constexpr uint64_t kMaxChunks = Units::kMost;

  static uint64_t chunks(const Plan& plan) noexcept {
    const uint64_t chunk = plan.chunk_or_one();
    return plan.trip / chunk + (plan.trip % chunk != 0);
  }

  void start(const Plan& plan) noexcept { Shares::start(plan, plan.chunk_or_one()); }
};
static_assert(LoopScheduler<Dynamic>);

}  // namespace vicino::loop
