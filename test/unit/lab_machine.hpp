// The machine and the numbers of the memory model's tests, small enough for results by hand.
//
//   package          0         1
//   node           0    1    2    3      one page each: lines 64 n to 64 n + 63
//   L3 group       0    1    2    3
//   CPUs          0 1  2 3  4 5  6 7
//
// An L2 has 2 sets of 2 lines, an L3 2 sets of 4: even lines share one set, odd lines the other.
#pragma once

#include <string>

#include "locality/machine.hpp"
#include "locality/parameters.hpp"

namespace vicino::lab {

inline Machine small_machine() {
  Machine machine;
  for (int cpu = 0; cpu < 8; ++cpu) machine.cpus.push_back({cpu / 2, cpu / 4, cpu / 2});
  for (int node = 0; node < 4; ++node)
    machine.nodes.push_back({node / 2, kPageBytes, "m" + std::to_string(node), {20, 20, 20, 20}});
  for (int node = 0; node < 4; ++node) machine.nodes[node].distances[node] = 10;
  return machine;
}

inline Parameters small_parameters() {
  Parameters numbers{};
  numbers.l2_bytes = 256;
  numbers.l2_ways = 2;
  numbers.l3_bytes = 512;
  numbers.l3_ways = 4;
  numbers.lat_l3 = 7;
  numbers.lat_local = 100;
  numbers.lat_same_package = 130;
  numbers.lat_other_package = 310;
  numbers.lat_transfer_group = 9;
  numbers.lat_transfer_same = 50;
  numbers.lat_transfer_other = 220;
  numbers.lat_pause = 90;
  numbers.quantum = 100;
  numbers.cpi = 100;
  numbers.bw_window = 100;
  numbers.boot_quantum = 1000;
  numbers.mhz = 1000;
  numbers.boot_ns = 16;
  return numbers;
}

}  // namespace vicino::lab
