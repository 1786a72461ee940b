#include "site/kinds.hpp"

#include <algorithm>
#include <cstdio>

#include "config/settings.hpp"
#include "loop/kind_cuts.hpp"
#include "site/loop_record.hpp"

namespace vicino::site {
namespace {

using config::StaticLoops;
using loop::KindCuts;

// Why loops are cut equally although cores differ; null: they are not.
const char* why_not(const topo::Machine& machine) noexcept {
  const config::Settings& settings = config::settings();
  switch (settings.static_loops) {
    case StaticLoops::kKinds:
      return nullptr;
    case StaticLoops::kAuto:
      return machine.count(topo::Level::kNode) > 1 ? "there are several NUMA nodes"
             : settings.deterministic_reduction    ? "reductions are to be deterministic"
                                                   : nullptr;
    default:
      return "VICINO_STATIC says otherwise";
  }
}

struct Speeds {
  int loops = 0;
  uint32_t least = KindCuts::kFull, most = 0;
};

std::string in_words(int kind, const Speeds& speeds) {
  char text[160];
  const auto part = [](uint32_t speed) { return static_cast<double>(speed) / KindCuts::kFull; };
  const int length = snprintf(text, sizeof text, "cores of kind %d were seen to have %.2f", kind,
                              part(speeds.least));
  if (speeds.least != speeds.most)
    snprintf(text + length, sizeof text - static_cast<size_t>(length), " to %.2f",
             part(speeds.most));
  return text;
}

}  // namespace

bool cuts_by_kinds(const topo::Machine& machine) noexcept {
  return machine.kinds() > 1 && why_not(machine) == nullptr;
}

std::string how_static_loops_are_cut(const topo::Machine& machine) {
  if (machine.kinds() == 1) return "";
  const char* const why = why_not(machine);
  if (why == nullptr)
    return "static loops of clang and flang are cut by the speeds that these kinds are seen to "
           "have";
  return std::string("static loops are cut without regard to these kinds, as ") + why;
}

std::vector<std::string> speeds_of_kinds() {
  std::vector<std::string> told;
  for (int kind = KindCuts::kKinds - 1; kind >= 0; --kind) {
    Speeds speeds;
    for (LoopRecord* record : LoopRecord::all()) {
      if (record->schedule() != loop::by_kinds().name) continue;
      if (!KindCuts::has_measured(record->history(), kind)) continue;
      const uint32_t speed = KindCuts::speed_in(record->history(), kind);
      speeds.least = std::min(speeds.least, speed);
      speeds.most = std::max(speeds.most, speed);
      ++speeds.loops;
    }
    if (speeds.loops > 0)
      told.push_back(
          in_words(kind, speeds) + " of the speed of the most powerful ones, and the blocks of " +
          std::to_string(speeds.loops) + (speeds.loops == 1 ? " static loop" : " static loops") +
          " were cut by that: VICINO_STATIC=equal cuts them equally");
  }
  return told;
}

}  // namespace vicino::site
