#include "locality/core.hpp"

#include <algorithm>

namespace vicino::lab {

Core::Core(const Parameters& parameters)
    : window_(parameters.window),
      lat_atomic_(parameters.lat_atomic),
      misses_(parameters.mlp),
      prefetches_(parameters.mlp_stream) {}

Core::Time Core::Buffers::all_free() const {
  return count_ == 0 ? 0 : *std::max_element(free_.begin(), free_.begin() + count_);
}

Core::Time& Core::Buffers::first() {
  return *std::min_element(free_.begin(), free_.begin() + count_);
}

std::uint64_t Core::miss(Time now, std::uint64_t insns, const Miss& miss) {
  if (miss.locked) return locked_hit(now) + miss.latency;
  if (misses_.count() == 0 || miss.in_order) return miss.latency;
  const bool streams = in_stream(miss.line);
  Time& buffer = (streams ? prefetches_ : misses_).first();
  const Time free = std::max(buffer, now);
  const bool waits = miss.load && !streams;  // R11: the prefetcher asks before the load
  buffer = (waits ? std::max(answer_to(miss.address, now), free) : free) + miss.latency;
  if (waits) remember({buffer, insns, miss.value});
  return free - now;
}

// R13
std::uint64_t Core::locked_hit(Time now) const {
  return std::max(std::max(misses_.all_free(), prefetches_.all_free()), now) - now + lat_atomic_;
}

// R11
bool Core::in_stream(std::uint64_t line) {
  if (prefetches_.count() == 0) return false;
  Stream* oldest = &streams_[0];
  for (Stream& stream : streams_) {
    if (line == stream.line + 1 || line + 1 == stream.line) {
      stream.line = line;
      stream.used = ++uses_;
      return ++stream.length >= 2;
    }
    if (stream.used < oldest->used) oldest = &stream;
  }
  *oldest = {line, 0, ++uses_};
  return false;
}

// R12. When the last load that may bring the address has its answer; `now` if there is none.
Core::Time Core::answer_to(std::uint64_t address, Time now) const {
  constexpr std::uint64_t kBefore = 64, kBehind = 512;
  Time answer = now;
  for (std::size_t i = 0; i < loads_; ++i) {
    const Load& load = open_[(first_ + i) % kMost];
    if (address + kBefore - load.value < kBefore + kBehind) answer = std::max(answer, load.done);
  }
  return answer;
}

std::uint64_t Core::behind_window(Time now, std::uint64_t insns) {
  std::uint64_t stall = 0;
  for (; loads_ > 0; --loads_, first_ = (first_ + 1) % kMost) {
    const Load& load = open_[first_];
    if (load.done <= now + stall) continue;
    if (insns - load.insns <= window_) break;
    stall = load.done - now;
  }
  return stall;
}

// Each load that is remembered has a buffer until its answer, so the ring is never too small: the
// oldest one that would be overwritten has its answer.
void Core::remember(const Load& load) {
  if (loads_ == kMost) {
    first_ = (first_ + 1) % kMost;
    --loads_;
  }
  open_[(first_ + loads_) % kMost] = load;
  ++loads_;
}

}  // namespace vicino::lab
