// options.hpp: the arguments of a kernel's program.
#pragma once
#include <string_view>

#include "../kernels/arguments.hpp"

namespace bench {

// The values that a kernel accepts for --size.
struct Sizes {
  long usual, small, least, most;
  bool power_of_two = false;

  bool take(long size) const {
    return size >= least && size <= most && !(power_of_two && (size & (size - 1)) != 0);
  }
  std::string text() const {
    return std::string(power_of_two ? "a power of two" : "a whole number") + " from " +
           std::to_string(least) + " to " + std::to_string(most);
  }
};

struct KernelOptions {
  std::string_view form = "taskloop";
  long size;
  long steps = 200;
  long repeat = 1;
  const char* runtime = nullptr;
};

inline long size_option(const char* value, const Sizes& sizes) {
  const std::string accepted = sizes.text();
  const long size = number("--size", value, 1L, sizes.most, accepted.c_str());
  if (!sizes.take(size)) reject("not a value for --size:", value, accepted);
  return size;
}

// Returns false if there is no such option.
inline bool set_value(KernelOptions& options, const Sizes& sizes, std::string_view name,
                      const char* value) {
  if (name == "--form")
    options.form = value;
  else if (name == "--runtime")
    options.runtime = value;
  else if (name == "--size")
    options.size = size_option(value, sizes);
  else if (name == "--steps")
    options.steps = number(name, value, 1L, 1'000'000L, "a whole number from 1 to 1000000");
  else if (name == "--repeat")
    options.repeat = number(name, value, 1L, 1'000'000L, "a whole number from 1 to 1000000");
  else
    return false;
  return true;
}

inline KernelOptions kernel_options(int argc, char** argv, const Sizes& sizes) {
  constexpr const char* kAccepted =
      "--form NAME, --size N, --steps N, --repeat N, --runtime FILE, each value after its name; "
      "--small";
  KernelOptions options{.size = sizes.usual};
  const auto set_small = [&](std::string_view name) {
    if (name == "--small") options.size = sizes.small;
    return name == "--small";
  };
  read_arguments(argc, argv, kAccepted, set_small, [&](std::string_view name, const char* value) {
    return set_value(options, sizes, name, value);
  });
  return options;
}

}  // namespace bench
