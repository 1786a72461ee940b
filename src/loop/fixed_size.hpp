// fixed_size.hpp: fixed-size chunking: the one chunk size that balances claims against lateness.
//
// Source Kruskal and Weiss, 1985: for n independent iterations of standard deviation sigma, p
//        threads and a claim that costs h, chunks of (sqrt(2) n h / (sigma p sqrt(ln p)))^(2/3).
// How    A chunk size that the user gives is taken as it is. Otherwise sigma is what the parameter
//        says, or is measured: the chunks of a call site's first kMeasured invocations are timed,
//        and the variance of chunks of c iterations is c sigma^2. Before anything is known there
//        are 16 chunks per thread.
// Cost   one fetch_add per claim; two readings of the clock per chunk while it measures.
// Memory order: relaxed, as in dynamic_shared.hpp.
#pragma once

#include "base/arithmetic.hpp"
#include "loop/plan.hpp"

namespace vicino::loop {

class FixedSize {
 public:
  static constexpr std::string_view kName = "fixed_size";
  static constexpr std::string_view kSummary = "chunks of the one best size (Kruskal and Weiss)";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  struct Set {
    double overhead, sigma;
  };
  static constexpr std::array kParameters = {
      Parameter{"overhead", "nanoseconds that a claim costs", 100, 1, 1e9},
      Parameter{"sigma",
                "nanoseconds by which iterations deviate",
                Parameter::word(0),
                0,
                1e12,
                false,
                {"measured"}}};
  static constexpr std::size_t history_words(uint32_t) noexcept { return kWords; }

  void start(const Plan& plan) noexcept {
    taken_.store(0, std::memory_order_relaxed);
    history_ = {};
    chunk_ = plan.chunk;
    if (chunk_ > 0) return;
    Set set = set_of<Set>(plan.values);
    if (set.sigma < 0) {
      if (!plan.history.empty()) measure(plan.history);
      set.sigma = deviation(plan.history);
    }
    chunk_ = best(plan, set);
  }

  struct Local {
    uint64_t trip, chunk;
    uint64_t began = 0;  // when the current chunk did; 0: it is not timed
  };

  Local enter(const Plan& plan, uint32_t) noexcept { return {plan.trip, chunk_}; }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (!history_.empty()) time(my);
    const uint64_t number = taken_.fetch_add(1, std::memory_order_relaxed);
    uint64_t begin;
    if (__builtin_mul_overflow(number, my.chunk, &begin) || begin >= my.trip) return {};
    return {begin, begin + std::min(my.chunk, my.trip - begin)};
  }

 private:
  enum Word : std::size_t { kInvocations, kChunk, kChunks, kSum, kSquares, kWords };
  static constexpr uint64_t kMeasured = 4;
  // Times are kept in ticks and are at most 8 s, so that the sum of 2^18 squares fits in a word.
  static constexpr uint64_t kTick = 1024, kLongest = 8'000'000'000;

  static uint64_t load(History history, Word word) noexcept {
    return history[word].load(std::memory_order_relaxed);
  }

  // Makes this invocation time its chunks; the chunk size follows from the invocation before.
  void measure(History history) noexcept {
    if (load(history, kInvocations) < kMeasured) history_ = history;
  }

  // x to the power of 2/3.
  static double two_thirds_of(double x) noexcept { return cube_root(x * x); }

  // As it was measured; -1 before anything is known.
  static double deviation(History history) noexcept {
    if (history.empty()) return -1;
    const auto n = static_cast<double>(load(history, kChunks));
    if (n < 2) return -1;
    const double mean = static_cast<double>(load(history, kSum)) / n;
    const double variance = static_cast<double>(load(history, kSquares)) / n - mean * mean;
    return kTick *
           square_root(std::max(variance, 0.0) / static_cast<double>(load(history, kChunk)));
  }

  uint64_t best(const Plan& plan, Set set) noexcept {
    const auto n = static_cast<double>(plan.trip);
    const double p = std::max(plan.members, 2u);
    const uint64_t share = plan.trip / plan.members + (plan.trip % plan.members != 0);
    const double size = set.sigma < 0 ? n / (16 * p)
                        : set.sigma == 0
                            ? n
                            : two_thirds_of(square_root(2.0) * n * set.overhead /
                                            (set.sigma * p * square_root(natural_logarithm(p))));
    // At most the equal share: a larger chunk helps no thread.
    const uint64_t chunk = size < static_cast<double>(share) ? static_cast<uint64_t>(size) : share;
    const uint64_t result = std::max<uint64_t>(chunk, 1);
    if (!history_.empty()) {
      history_[kInvocations].fetch_add(1, std::memory_order_relaxed);
      history_[kChunk].store(result, std::memory_order_relaxed);
      for (const Word word : {kChunks, kSum, kSquares})
        history_[word].store(0, std::memory_order_relaxed);
    }
    return result;
  }

  void time(Local& my) noexcept {
    const uint64_t now = plat::now();
    if (my.began != 0) {
      const uint64_t took = std::min<uint64_t>(now - my.began, kLongest) / kTick;
      history_[kChunks].fetch_add(1, std::memory_order_relaxed);
      history_[kSum].fetch_add(took, std::memory_order_relaxed);
      history_[kSquares].fetch_add(took * took, std::memory_order_relaxed);
    }
    my.began = now;
  }

  plat::atomic<uint64_t> taken_{0};
  uint64_t chunk_ = 0;
  History history_;
};
static_assert(LoopScheduler<FixedSize>);

}  // namespace vicino::loop
