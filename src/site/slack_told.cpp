#include "site/slack_told.hpp"

#include <cstdio>

#include "loop/static_fraction.hpp"
#include "site/code.hpp"
#include "site/loop_record.hpp"
#include "topo/rank_share.hpp"
#include "tune/explanation.hpp"

namespace vicino::site {
namespace {

using loop::StaticFraction;

std::string percent(double part) {
  char text[16];
  snprintf(text, sizeof text, "%.0f %%", 100 * part);
  return text;
}

std::string sentence(const LoopRecord& record, const StaticFraction::Told& told) {
  const topo::Ranks* const ranks = topo::ranks();
  return (ranks != nullptr ? "rank " + std::to_string(ranks->rank) + " here: " : std::string()) +
         percent(told.f) + " of " + describe(record.call()) + " was static at last (" +
         std::string(record.schedule()) + ",f=slack): " + percent(told.learned) + " by what its " +
         std::to_string(record.members()) + " threads allow, the rest because the process waited " +
         tune::in_words(static_cast<double>(told.slack_ns)) + " after an execution of " +
         tune::in_words(static_cast<double>(told.ideal_ns));
}

}  // namespace

std::vector<std::string> slack_told() {
  std::vector<std::string> sentences;
  for (LoopRecord* record : LoopRecord::all()) {
    const loop::Row* const row = loop::find(record->schedule());
    if (row == nullptr || !loop::has_fraction(*row)) continue;
    const StaticFraction::Told told = StaticFraction::told(record->history());
    if (told.ideal_ns != 0) sentences.push_back(sentence(*record, told));
  }
  return sentences;
}

}  // namespace vicino::site
