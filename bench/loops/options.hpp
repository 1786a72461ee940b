// options.hpp: the arguments of a loop kernel's program.
#pragma once
#include <cstdint>
#include <string_view>

#include "../kernels/arguments.hpp"

namespace bench {

struct LoopOptions {
  const char* input = nullptr;  // null: all inputs of the kernel
  double scale = 1;
  long repeat = 2;
  const char* runtime = nullptr;
  long rival = 0;
  long owners = 0;
  bool distribution = false;
  bool list = false;
  bool yardstick = true;
};

inline bool set_flag(LoopOptions& options, std::string_view name) {
  if (name == "--list") return options.list = true;
  if (name == "--distribution") return options.distribution = true;
  if (name == "--no-yardstick") return options.yardstick = false, true;
  return false;
}

// Returns false if there is no such option.
inline bool set_value(LoopOptions& options, std::string_view name, const char* value) {
  if (name == "--input")
    options.input = value;
  else if (name == "--runtime")
    options.runtime = value;
  else if (name == "--scale")
    options.scale = number(name, value, 0.001, 1000.0, "a number from 0.001 to 1000");
  else if (name == "--repeat")
    options.repeat = number(name, value, 1L, 1'000'000L, "a whole number from 1 to 1000000");
  else if (name == "--owners")
    options.owners = number(name, value, 1L, 100'000L, "a whole number from 1 to 100000");
  else if (name == "--rival")
    options.rival = number(name, value, 1L, long{INT32_MAX}, "the number of a process");
  else
    return false;
  return true;
}

inline LoopOptions loop_options(int argc, char** argv) {
  constexpr const char* kAccepted =
      "--input NAME, --scale X, --repeat N, --runtime FILE, --rival PID, --distribution, --list, "
      "--no-yardstick, --owners N, each value after its name";
  LoopOptions options;
  read_arguments(
      argc, argv, kAccepted, [&](std::string_view name) { return set_flag(options, name); },
      [&](std::string_view name, const char* value) { return set_value(options, name, value); });
  return options;
}

}  // namespace bench
