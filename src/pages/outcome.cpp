#include "pages/outcome.hpp"

#include <stdio.h>

#include <span>
#include <utility>

#include "tune/explanation.hpp"

namespace vicino::pages {
namespace {

std::string amount(uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  char text[32];
  if (mib < 1024)
    snprintf(text, sizeof text, "%.1f MiB", mib);
  else
    snprintf(text, sizeof text, "%.1f GiB", mib / 1024);
  return text;
}

std::string nodes_in_words(std::span<const int> nodes) {
  std::string text = nodes.size() == 1 ? "node" : "nodes";
  const char* before = " ";
  for (const int node : nodes) text += std::exchange(before, ", ") + std::to_string(node);
  return text;
}

}  // namespace

std::string in_words(const Outcome& outcome) {
  const bool in_blocks = outcome.placement == Placement::kBlocks;
  std::string text = amount(outcome.bytes) + " that one thread filled lay on " +
                     nodes_in_words(outcome.from) + ": " +
                     (in_blocks ? "spread in blocks" : "interleaved") + " over " +
                     std::to_string(outcome.nodes) + " nodes in " +
                     tune::in_words(static_cast<double>(outcome.move_ns));
  if (outcome.what == Outcome::kForced) return text + ", as VICINO_PAGES says";
  if (outcome.what == Outcome::kRemembered) return text + ", as an earlier run found best";
  text += "; regions took " + tune::in_words(static_cast<double>(outcome.gain.before_ns)) +
          " before and " + tune::in_words(static_cast<double>(outcome.gain.after_ns)) + " after";
  if (outcome.what == Outcome::kTakenBack) text += ", so the pages were taken back";
  if (outcome.what == Outcome::kNoGain) text += ", no difference that shows";
  return text;
}

}  // namespace vicino::pages
