// counters.hpp: the counters of each CPU in a region, each named once.
//
// The order of the table is the order of the output. A CPU's cycles are its instructions, the
// kernel's instructions and its stall cycles: they tell what it did, not how long the region took.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vicino::lab {

enum class Counter : std::size_t {
  kInsns,
  kKernelInsns,
  kLoads,
  kStores,
  kL2Misses,
  kL3Hits,
  kUpgrades,
  kTransfersSamePackage,
  kTransfersOtherPackage,
  kLocal,
  kSamePackage,
  kOtherPackage,
  kWritebacksLocal,
  kWritebacksRemote,
  kUnmapped,
  kStallCycles,
  kCycles,
  kCount
};

inline constexpr std::size_t kCounters = static_cast<std::size_t>(Counter::kCount);

inline constexpr std::array<std::string_view, kCounters> kCounterNames = {
    "insns",                    // user instructions, by whole blocks of QEMU
    "kernel_insns",             // likewise in the kernel, which has no modelled accesses
    "loads",                    // accesses of user code; one across two lines counts once
    "stores",                   //
    "l2_misses",                // lines that the private cache did not hold
    "l3_hits",                  //   of them: answered by the group's cache
    "upgrades",                 // stores that had to take a shared line away from other L3s
    "transfers_same_package",   // misses answered by another L3 that held the line modified
    "transfers_other_package",  //
    "local",                    // misses answered by memory, by its distance
    "same_package",             //
    "other_package",            //
    "writebacks_local",         // modified lines back to the memory of the L3's own node
    "writebacks_remote",        //   … of any other node
    "unmapped",                 // lines outside the nodes' memory: devices
    "stall_cycles",             // cycles besides those of the instructions
    "cycles",
};
static_assert(kCounterNames.back() == "cycles", "a name for each counter");

class Counters {
 public:
  std::uint64_t& operator[](Counter c) noexcept { return values_[static_cast<std::size_t>(c)]; }
  std::uint64_t operator[](Counter c) const noexcept {
    return values_[static_cast<std::size_t>(c)];
  }

  Counters& operator+=(const Counters& other) noexcept {
    for (std::size_t i = 0; i < kCounters; ++i) values_[i] += other.values_[i];
    return *this;
  }
  friend bool operator==(const Counters&, const Counters&) = default;

 private:
  std::array<std::uint64_t, kCounters> values_{};
};

}  // namespace vicino::lab
