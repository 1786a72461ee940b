#include "locality/parameters.hpp"

#include <bit>

namespace vicino::lab {
namespace {

constexpr std::uint64_t kMaxCost = 1'000'000;    // so that no sum of costs can wrap
constexpr std::uint64_t kMaxBytes = 1ull << 30;  // of a modelled cache

std::string cache_fault(const std::string& name, std::uint64_t bytes, std::uint64_t ways) {
  constexpr auto kLine = Parameters::kLineBytes;
  const bool sizes = ways >= 1 && ways <= 64 && bytes >= kLine * ways && bytes <= kMaxBytes;
  if (sizes && bytes % (kLine * ways) == 0 && std::has_single_bit(bytes / kLine / ways)) return {};
  return name + "_bytes is " + std::to_string(bytes) + " with " + name + "_ways " +
         std::to_string(ways) +
         "; accepted: 1 to 64 ways and a power of two of sets of 64-byte lines, up to 1 GiB";
}

// Costs, and what is 0 where there is none.
bool may_be_0(std::string_view name) {
  return name.starts_with("lat_") || name.starts_with("bw_") || name.starts_with("noise_") || name == "slow_percent";
}

}  // namespace

std::string Parameters::fault() const {
  if (auto fault = cache_fault("l2", l2_bytes, l2_ways); !fault.empty()) return fault;
  if (auto fault = cache_fault("l3", l3_bytes, l3_ways); !fault.empty()) return fault;
  for (const auto& [name, member] : kParameters) {
    const std::uint64_t value = this->*member;
    if (may_be_0(name) && value > kMaxCost)
      return std::string(name) + " is " + std::to_string(value) + "; accepted: 0 to " +
             std::to_string(kMaxCost);
    if (name.starts_with("mlp") && value > kMostBuffers)
      return std::string(name) + " is " + std::to_string(value) + "; accepted: 0 to " +
             std::to_string(kMostBuffers);
    if (name == "bw_loss" && value > 10'000)
      return "bw_loss is " + std::to_string(value) + "; accepted: 0 to 10000";
    if ((name == "mhz" || name == "boot_ns" || name == "cpi" || name == "bw_window" ||
         name.ends_with("quantum")) &&
        (value == 0 || value > kMaxCost))
      return std::string(name) + " is " + std::to_string(value) + "; accepted: 1 to " +
             std::to_string(kMaxCost);
  }
  return {};
}

}  // namespace vicino::lab
