#include "site/page_profile.hpp"

#include <unistd.h>

#include <string>
#include <utility>

#include "metric/objective.hpp"
#include "site/kept_profile.hpp"
#include "sync/cold.hpp"

namespace vicino::site {
namespace {

using pages::Outcome;
using tune::ProfileEntry;

constexpr std::string_view kLeft = "left";

// In the order of pages::Placement.
constexpr std::string_view kNames[] = {"blocks", "interleaved"};
std::string_view name_of(pages::Placement placement) {
  return kNames[static_cast<size_t>(placement)];
}

struct Finding {
  ProfileEntry entry;
  const void* function;
  pid_t process;
};

// By the Cold lock.
std::vector<Finding>& findings() {
  static auto& all = *new std::vector<Finding>;  // threads outlive main()
  return all;
}

std::optional<PlaceInProfile> place_of(const void* function, int members) {
  std::optional<PlaceInProfile> place = place_in_profile(function);
  if (!place) return place;
  place->key.kind = tune::kPages;
  place->key.team = static_cast<uint32_t>(members);
  place->key.objective = metric::name_of(metric::Objective::kTime);
  return place;
}

tune::Measured measured(std::string_view candidate, int members, uint64_t ns, int samples) {
  const double cost = tune::rounded(static_cast<double>(ns));
  return {{std::string(candidate), static_cast<uint32_t>(members), {}},
          cost,
          cost,
          cost,
          static_cast<uint32_t>(samples),
          false};
}

}  // namespace

pages::Earlier earlier_pages(const void* function, int members) {
  const auto place = place_of(function, members);
  const ProfileEntry* const found = place ? kept_profile()->find(place->key) : nullptr;
  if (found == nullptr || !found->at_rest()) return {};
  const std::string& best = found->best.with.candidate;
  if (best == kLeft) return {true, std::nullopt};
  for (const auto placement : {pages::Placement::kBlocks, pages::Placement::kInterleaved})
    if (best == name_of(placement)) return {true, placement};
  return {};  // of another version of Vicino
}

// What was forced says nothing, and what was remembered is in the profile.
void keep(const Outcome& outcome, int members) {
  if (outcome.what == Outcome::kForced || outcome.what == Outcome::kRemembered) return;
  auto place = place_of(outcome.function, members);
  if (!place) return;
  ProfileEntry entry;
  entry.key = std::move(place->key);
  entry.binary = std::move(place->binary);
  entry.progress = tune::Progress::kSettled;
  const pages::Times::Gain& gain = outcome.gain;
  entry.by_default = measured(kLeft, members, gain.before_ns, 1);
  const tune::Measured moved =
      measured(name_of(outcome.placement), members, gain.after_ns, gain.samples);
  entry.tried = {entry.by_default, moved};
  entry.best = outcome.what == Outcome::kKept ? moved : entry.by_default;
  entry.executions = entry.iterations = static_cast<uint64_t>(gain.samples) + 1;
  const sync::Cold cold;
  findings().push_back({std::move(entry), outcome.function, getpid()});
}

std::vector<ProfileEntry> page_entries() {
  std::vector<Finding> all;
  {
    const sync::Cold cold;
    all = findings();
  }
  std::vector<ProfileEntry> entries;
  for (Finding& finding : all) {
    if (finding.process != getpid()) continue;
    note_place_and_day(finding.entry, {finding.function, nullptr});
    entries.push_back(std::move(finding.entry));
  }
  return entries;
}

}  // namespace vicino::site
