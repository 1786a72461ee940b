// affinity.hpp: where threads may sit, as OMP_PROC_BIND and GOMP_CPU_AFFINITY write it.
//
// Not    OMP_PLACES: its meaning depends on the machine, so topo parses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topo/bind.hpp"

namespace vicino::config {

// true, false, or one policy per nesting level; `master` is the old name of `primary`.
struct BindList {
  static constexpr std::string_view kAccepted =
      "true, false, or a comma-separated list of primary, close and spread";
  static std::optional<std::vector<topo::Bind>> parse(std::string_view text);
  static std::string format(const std::vector<topo::Bind>& binds);
};

// CPU numbers, ranges and ranges with a stride, as in "0 3 4-15:2", one place for each CPU. The
// result is in OMP_PLACES' grammar, so that nothing else needs to know this grammar.
struct CpuAffinity {
  static constexpr std::string_view kAccepted = "a list of CPUs and ranges, as in 0 3 4-15:2";
  static std::optional<std::string> parse(std::string_view text);
};

}  // namespace vicino::config
