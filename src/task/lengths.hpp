// lengths.hpp: how long tasks take, by the code that they run and by their depth in the recursion, as
// one thread has seen it. What this depth is the caller decides (nesting.hpp).
//
// Why    A task that takes less time than it costs to give it away is better run as a call. Only its
//        length can tell, and recursive programs have long and short tasks of the same code: what
//        sets them apart is their depth.
// What   a task's length is the time from its beginning to its end, with the tasks that ran on top
//        of it meanwhile. It is estimated by the mean of samples, the newer ones of which weigh more.
//        Even at one depth most tasks of a recursion are far shorter than the mean; so the first
//        samples mislead. Therefore a length that seems short is sampled often at first, and often
//        again after a sample that surprises.
// Cost   are_tiny(): one multiplication and two loads.
// Not    shared: each thread learns by itself, so no line moves between threads. A thread knows a
//        length after kEnough samples; until then the task is of unknown length. It only asks
//        others about tasks that they have stolen: AskedLength.
//
// Invariants
//  I1 `calls` of a Length is not 0 only if the length is known and is at most kShortNs.
//  I2 a length is short for at most kMostCalls calls in a row without a sample, and for as many as
//     take about kMostUnseenNs by the estimate. A settled one is sampled as often as the caller of
//     are_tiny() decides.
//  I3 a site's bit is set only if the length at that depth is tiny and settled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/line.hpp"
#include "base/say.hpp"
#include "base/spread.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

// Tasks up to kShortNs are short: such a task may be a call. Tasks up to kTinyNs take no longer than
// it costs to give them away.
inline constexpr uint32_t kShortNs = 10'000, kTinyNs = 500;

class Length {
 public:
  static constexpr uint8_t kEnough = 4, kWindow = 32;  // samples
  static constexpr uint32_t kMostCalls = 1024, kMostUnseenNs = 12'800;
  static constexpr uint16_t kSoon = 8;
  static constexpr uint8_t kSettled = 6;  // samples in a row that did not surprise

  bool is_known() const noexcept { return samples_ >= kEnough; }
  bool is_short() const noexcept { return is_known() && ns_ <= kShortNs; }
  bool is_tiny() const noexcept { return is_known() && ns_ <= kTinyNs; }
  bool is_settled() const noexcept { return is_known() && doublings_ >= kSettled; }
  uint32_t ns() const noexcept { return ns_; }

  // Whether a task of this length may be a call and need not be timed; counts it if so. If not, the
  // caller asks further.
  bool takes_call() noexcept {
    if (calls_ == 0) return false;
    --calls_;
    return true;
  }
  // One of the next kSoon tasks is timed.
  void time_soon() noexcept { calls_ = std::min(calls_, kSoon); }

  void add(uint64_t sample) noexcept {
    const auto seen = static_cast<int32_t>(std::min<uint64_t>(sample, kMostNs));
    const bool surprises = seen > static_cast<int32_t>(4 * ns_ + kTinyNs);
    if (samples_ < kWindow) ++samples_;
    const auto now = static_cast<int32_t>(ns_);
    ns_ = static_cast<uint32_t>(now + (seen - now) / samples_);
    doublings_ = surprises ? uint8_t{0} : static_cast<uint8_t>(std::min(doublings_ + 1, 10));
    const uint32_t calls = std::min(1u << doublings_, kMostUnseenNs / (ns_ + 1) + 1);
    calls_ = is_short() ? static_cast<uint16_t>(calls) : uint16_t{0};  // I1, I2
  }

  void check() const noexcept { VICINO_CHECK(I1, calls_ == 0 || is_short()); }

 private:
  // A thread may have lost its core while it was timed.
  static constexpr uint32_t kMostNs = 100 * kShortNs;
  uint32_t ns_ = 0;
  uint16_t calls_ = 0;
  uint8_t doublings_ = 0;  // of the calls between two samples
  uint8_t samples_ = 0;
};
static_assert(sizeof(Length) == 8 && Length::kMostCalls == 1 << 10);

class Lengths {
 public:
  // The length of tasks at this depth that run this code. The reference is good until the next
  // call for other code.
  Length& find(const void* code, uint32_t depth) noexcept {
    Site& site = sites_[hash(code)];
    return (site.code == code ? site : find_site(code)).by_depth[class_of(depth)];
  }
  // Adds a sample to such a length.
  void add(const void* code, uint32_t depth, uint64_t sample) noexcept {
    Length& length = find(code, depth);
    length.add(sample);
    Site& site = sites_[hash(code)];
    if (site.code != code) return;
    const uint64_t bit = uint64_t{1} << class_of(depth);
    site.tiny = length.is_tiny() && length.is_settled() ? site.tiny | bit : site.tiny & ~bit;  // I3
  }
  // Whether such tasks are known to be tiny, and to stay so. False if the code does not have the
  // first of its places in the table.
  [[gnu::always_inline]] bool are_tiny(const void* code, uint32_t depth) const noexcept {
    const Site& site = sites_[hash(code)];
    return site.code == code && (site.tiny >> class_of(depth) & 1) != 0;
  }

 private:
  // Depths below kExact have classes of their own, further ones share a class up to the next power
  // of two.
  static constexpr uint32_t kExact = 56, kClasses = kExact + 6;
  static constexpr uint32_t kSiteBits = 5, kProbes = 4;

  struct Site {
    const void* code = nullptr;
    uint64_t tiny = 0;  // a bit for each depth
    std::array<Length, kClasses> by_depth;
  };
  static_assert(kClasses <= 64 && std::has_single_bit(sizeof(Site)));

  static uint32_t class_of(uint32_t depth) noexcept {
    if (depth < kExact) [[likely]]
      return depth;
    constexpr auto kFirst = static_cast<uint32_t>(std::bit_width(kExact));
    return std::min(kExact + static_cast<uint32_t>(std::bit_width(depth)) - kFirst, kClasses - 1);
  }
  static uint32_t hash(const void* code) noexcept {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(code)) * 0x9E3779B1u >>
           (32 - kSiteBits);
  }

  // Code whose places are all taken gets the first one; what was known there is forgotten.
  [[gnu::noinline]] Site& find_site(const void* code) noexcept {
    const uint32_t first = hash(code);
    Site* found = &sites_[first];
    for (uint32_t i = 0; i < kProbes; ++i) {
      Site& site = sites_[(first + i) % sites_.size()];
      if (site.code == code) return site;
      if (site.code == nullptr) {
        found = &site;
        break;
      }
    }
    *found = {};
    found->code = code;
    return *found;
  }

  std::array<Site, 1u << kSiteBits> sites_;
};

// A thread that makes tasks asks thieves how long they take. If thieves take all that it makes, it runs
// none of them, and would never learn that they are shorter than what it takes to queue one.
//
// The thread names the tasks that it wants to know about, by their code and depth. A thief that has
// run such a task writes the length. Later answers replace earlier ones that nobody has read. A thief
// reads a line that changes when the thread asks for others; the thread reads one that each answer
// moves, so it asks only when a task has been stolen.
// Memory order: each word stands for itself, so all accesses are relaxed. Names are hashes: tasks of
// one name may be taken for each other, and a length is an estimate anyway.
class AskedLength {
 public:
  // By the thread that makes the tasks: what a thief has answered since the last call, in ns, if
  // such tasks were asked for; from now on they are.
  std::optional<uint32_t> ask(const void* code, uint32_t depth) noexcept {
    const uint64_t name = name_of(code, depth);
    if (asked_.load(std::memory_order_relaxed) != name) {
      asked_.store(name, std::memory_order_relaxed);
      return {};
    }
    const uint64_t answer = answer_.load(std::memory_order_relaxed);
    if (answer >> 32 != name) return {};
    answer_.store(0, std::memory_order_relaxed);
    return static_cast<uint32_t>(answer);
  }
  // By any other thread.
  bool is_asked(const void* code, uint32_t depth) const noexcept {
    return asked_.load(std::memory_order_relaxed) == name_of(code, depth);
  }
  void answer(const void* code, uint32_t depth, uint64_t ns) noexcept {
    answer_.store(name_of(code, depth) << 32 | std::min<uint64_t>(ns, UINT32_MAX),
                  std::memory_order_relaxed);
  }

 private:
  // 32 bits, not 0.
  static uint64_t name_of(const void* code, uint32_t depth) noexcept {
    return spread(reinterpret_cast<uintptr_t>(code) ^ uint64_t{depth} << 48, 32) | 1;
  }

  alignas(kLine) plat::atomic<uint64_t> asked_{0};
  alignas(kLine) plat::atomic<uint64_t> answer_{0};
};

}  // namespace vicino::task
