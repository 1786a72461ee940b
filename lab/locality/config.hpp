// config.hpp: reads the configuration that the launcher writes, one JSON file:
//
//   {"cpus": [{"node": 0, "package": 0, "l3": 0}, …],
//    "nodes": [{"package": 0, "bytes": 268435456, "ram_block": "m0",
//               "distances": [10, 20]}, …],
//    "parameters": {NAME: NUMBER, … each of parameters.toml}, "clock": BOOL, "output": PATH}
//
// A node without memory has 0 bytes and null for a ram_block. Other keys are ignored, except in
// "parameters".
#pragma once

#include <string>

#include "locality/machine.hpp"
#include "locality/parameters.hpp"

namespace vicino::lab {

struct Config {
  Machine machine;
  Parameters parameters;
  bool clock;  // the model's time is the guest's
  std::string output;
};

// Throws a std::runtime_error that names the value and what is accepted.
Config parse_config(const std::string& text);

// The "output" of a configuration that may be wrong otherwise, so that the reason can be written to
// that file; empty if there is none.
std::string output_of(const std::string& text) noexcept;

}  // namespace vicino::lab
