// environment.hpp: the environment that a program is started with, as a value.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vicino::cli {

// How the names of variables begin that OpenMP runtimes read. Vicino also reads hwloc's, which may name a recorded
// machine.
inline constexpr std::array<std::string_view, 8> kRuntimePrefixes = {
    "OMP_", "KMP_", "GOMP_", "LIBOMP_", "GOACC_", "ACC_", "VICINO_", "HWLOC_"};

class Environment {
 public:
  static Environment of_process();

  std::optional<std::string_view> get(std::string_view name) const;
  // Calls f(name, value) for each variable, in the environment's order.
  template <class F>
  void for_each(F f) const {
    for (const std::string_view entry : entries_)
      if (const size_t equals = entry.find('='); equals != entry.npos)
        f(entry.substr(0, equals), entry.substr(equals + 1));
  }
  void set(std::string_view name, std::string_view value);
  // Puts `entry` before the list that the variable holds. An empty variable becomes the entry
  // alone: in LD_LIBRARY_PATH an empty element would mean the working directory.
  void prepend(std::string_view name, std::string_view entry, char separator);
  // Removes all variables whose name begins so.
  void remove_all(std::string_view prefix);
  // Sets a variable from NAME=VALUE as a user writes it; false if the text has another form.
  bool assign(std::string_view assignment);

  // For execve: valid until the next change.
  std::vector<char*> pointers();

 private:
  std::vector<std::string> entries_;
};

}  // namespace vicino::cli
