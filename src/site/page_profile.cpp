#include "site/page_profile.hpp"

#include <unistd.h>

#include <algorithm>
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
  Outcome outcome;
  int members;
  std::optional<PlaceInProfile> place;  // asked for while the function is sure to be there
  uint64_t round;                       // how often it was tried anew, earlier runs included
  pid_t process;
};

// By the Cold lock. A thread that ends the process reads it while another one may add to it.
std::vector<Finding>& findings() {
  static auto& all = *new std::vector<Finding>;  // threads outlive main()
  return all;
}

std::vector<Finding> findings_of_this_process() {
  std::vector<Finding> found;
  const sync::Cold cold;
  for (const Finding& finding : findings())
    if (finding.process == getpid()) found.push_back(finding);
  return found;
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

const ProfileEntry* entry_of(const std::optional<PlaceInProfile>& place) {
  return place ? kept_profile()->find(place->key) : nullptr;
}

ProfileEntry entry_of(Finding finding) {
  const pages::Times::Gain& gain = finding.outcome.gain;
  ProfileEntry entry;
  entry.key = std::move(finding.place->key);
  entry.binary = std::move(finding.place->binary);
  entry.progress = tune::Progress::kSettled;
  entry.round = finding.round;
  entry.by_default =
      measured(kLeft, finding.members, gain.before_ns, std::max(1, gain.samples_before));
  const tune::Measured moved =
      measured(name_of(finding.outcome.placement), finding.members, gain.after_ns, gain.samples);
  entry.tried = {entry.by_default, moved};
  entry.best = finding.outcome.what == Outcome::kKept ? moved : entry.by_default;
  entry.executions = entry.iterations = uint64_t{entry.by_default.samples} + moved.samples;
  note_place_and_day(entry, {finding.outcome.function, nullptr});
  return entry;
}

}  // namespace

pages::Earlier earlier_pages(const void* function, int members) {
  const ProfileEntry* const found = entry_of(place_of(function, members));
  if (found == nullptr || !found->at_rest()) return {};
  const std::string& best = found->best.with.candidate;
  if (best == kLeft) return {true, std::nullopt};
  for (const auto placement : {pages::Placement::kBlocks, pages::Placement::kInterleaved})
    if (best == name_of(placement)) return {true, placement, found->by_default.samples > 1};
  return {};  // of another version of Vicino
}

void keep(const Outcome& outcome, int members) {
  Finding finding{outcome, members, place_of(outcome.function, members), 0, getpid()};
  if (const ProfileEntry* const earlier = entry_of(finding.place))
    finding.round = earlier->round + 1;
  const sync::Cold cold;
  findings().push_back(std::move(finding));
}

std::vector<std::string> placed_pages() {
  std::vector<std::string> sentences;
  for (const Finding& finding : findings_of_this_process())
    sentences.push_back(pages::in_words(finding.outcome));
  return sentences;
}

// What was forced says nothing, and what was remembered is in the profile.
std::vector<ProfileEntry> page_entries() {
  std::vector<ProfileEntry> entries;
  for (Finding& finding : findings_of_this_process()) {
    const Outcome& outcome = finding.outcome;
    if (outcome.what == Outcome::kForced || outcome.what == Outcome::kRemembered) continue;
    if (finding.place) entries.push_back(entry_of(std::move(finding)));
  }
  return entries;
}

}  // namespace vicino::site
