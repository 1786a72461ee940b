// parameters.hpp: the model's numbers as the launcher hands them over.
//
// Only parameters.toml has the defaults, units and meanings; here are only the names. The launcher
// hands over every number, and a number that is missing or unknown is refused, so that launcher and
// plugin always agree.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vicino::lab {

struct Parameters {
  std::uint64_t l2_bytes, l2_ways, l3_bytes, l3_ways;
  std::uint64_t lat_l3, lat_local, lat_same_package, lat_other_package;
  std::uint64_t lat_hop, lat_transfer_group, lat_transfer_same, lat_transfer_other;
  std::uint64_t lat_atomic, lat_pause;
  std::uint64_t cpi, mlp, mlp_stream, window;
  std::uint64_t bw_mc, bw_link, bw_group, bw_loss, bw_window;
  std::uint64_t mhz, quantum, boot_quantum, boot_ns;
  std::uint64_t noise_every, noise_length, slow_percent;

  std::uint64_t cycles(std::uint64_t microseconds) const { return microseconds * mhz; }
  std::uint64_t l2_sets() const { return l2_bytes / kLineBytes / l2_ways; }
  std::uint64_t l3_sets() const { return l3_bytes / kLineBytes / l3_ways; }

  // What is wrong with a number, with its name and what is accepted; empty if nothing is.
  std::string fault() const;

  static constexpr std::uint64_t kLineBytes = 64;
  static constexpr std::uint64_t kMostBuffers = 64;  // of a core
};

struct ParameterName {
  std::string_view name;
  std::uint64_t Parameters::* member;
};

inline constexpr std::array<ParameterName, 30> kParameters = {{
    {"l2_bytes", &Parameters::l2_bytes},
    {"l2_ways", &Parameters::l2_ways},
    {"l3_bytes", &Parameters::l3_bytes},
    {"l3_ways", &Parameters::l3_ways},
    {"lat_l3", &Parameters::lat_l3},
    {"lat_local", &Parameters::lat_local},
    {"lat_same_package", &Parameters::lat_same_package},
    {"lat_other_package", &Parameters::lat_other_package},
    {"lat_hop", &Parameters::lat_hop},
    {"lat_transfer_group", &Parameters::lat_transfer_group},
    {"lat_transfer_same", &Parameters::lat_transfer_same},
    {"lat_transfer_other", &Parameters::lat_transfer_other},
    {"lat_atomic", &Parameters::lat_atomic},
    {"lat_pause", &Parameters::lat_pause},
    {"cpi", &Parameters::cpi},
    {"mlp", &Parameters::mlp},
    {"mlp_stream", &Parameters::mlp_stream},
    {"window", &Parameters::window},
    {"bw_mc", &Parameters::bw_mc},
    {"bw_link", &Parameters::bw_link},
    {"bw_group", &Parameters::bw_group},
    {"bw_loss", &Parameters::bw_loss},
    {"bw_window", &Parameters::bw_window},
    {"mhz", &Parameters::mhz},
    {"quantum", &Parameters::quantum},
    {"boot_quantum", &Parameters::boot_quantum},
    {"boot_ns", &Parameters::boot_ns},
    {"noise_every", &Parameters::noise_every},
    {"noise_length", &Parameters::noise_length},
    {"slow_percent", &Parameters::slow_percent},
}};

}  // namespace vicino::lab
