// kmp_affinity.hpp: KMP_AFFINITY, libomp's own way to say where threads are bound:
// [modifier,...]type[,permute][,offset].
//
// It gives a policy and places, so it is a source of two settings, and the modifier `reset` of a
// third. A type names both how threads take their places and, by the granularity, what a place is:
//   compact            close        scatter, balanced   spread
//   explicit           close, and the places of proclist=[...]
//   none, disabled     threads are not bound
// Without a type and a proclist it chooses nothing of these, as libomp without it, which binds no threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "topo/bind.hpp"

namespace vicino::config {

struct KmpAffinity {
  std::optional<topo::Bind> bind;  // none: as without KMP_AFFINITY
  std::string places;              // in OMP_PLACES' grammar; empty if none are chosen
  bool resets;                     // the primary thread is bound only in regions
};
Result<KmpAffinity> read_kmp_affinity(std::string_view text);

struct KmpAffinityBind {
  static constexpr std::string_view kAccepted =
      "none, disabled, compact, scatter, balanced, or explicit with proclist=[...]; before it "
      "granularity=thread, core, ll_cache, node or socket";
  static std::optional<std::vector<topo::Bind>> parse(std::string_view text);
  static std::string explain(std::string_view text) { return read_kmp_affinity(text).error(); }
  static std::string remark(std::string_view text);
};

// A text that cannot be read is accepted, because KmpAffinityBind tells of it already.
struct KmpAffinityPlaces {
  static constexpr std::string_view kAccepted = "as for OMP_PROC_BIND";
  static std::optional<std::string> parse(std::string_view text);
};
struct KmpAffinityReset {
  static constexpr std::string_view kAccepted = "reset or noreset, as a modifier";
  static std::optional<bool> parse(std::string_view text);
  static std::string format(bool resets) { return resets ? "reset" : "noreset"; }
};

}  // namespace vicino::config
