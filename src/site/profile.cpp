#include "site/profile.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/say.hpp"
#include "config/selection.hpp"
#include "site/explain.hpp"
#include "site/graph_profile.hpp"
#include "site/kept_profile.hpp"
#include "site/metering.hpp"
#include "site/page_profile.hpp"
#include "site/tuned_site.hpp"
#include "topo/machine.hpp"
#include "tune/profile_file.hpp"

namespace vicino::site {
namespace {

using tune::Choice;
using tune::Estimate;
using tune::Measured;
using tune::Phase;
using tune::ProfileEntry;
using tune::SiteTuner;

// Indexed by SiteKey::Kind. Loops and taskloops on several nodes have other choices or are tuned in
// another way, so they have names of their own. The names of constructs in inner regions have a
// suffix.
constexpr const char* kKinds[] = {"loop", "static", "taskloop", "region", "combined"};
static_assert(std::size(kKinds) == static_cast<size_t>(SiteKey::Kind::kCombined) + 1);
std::string kind_of(const SiteKey& key) {
  std::string kind = kKinds[static_cast<size_t>(key.kind)];
  if (key.several_domains) kind += "_by_node";
  if (key.inner) kind += tune::kInner;
  return kind;
}

std::string name_of(const SiteKey& key, uint32_t candidate) {
  if (key.is_loop()) return config::format_selection(tuned_schedules(key.kind)[candidate]);
  if (key.is_region()) return std::string(tune::kNoCandidate);
  static constexpr const char* kPolicies[] = {"strict", "full", "strict_in_groups",
                                              "full_in_groups"};
  static_assert(std::size(kPolicies) == static_cast<size_t>(StealPolicy::kFullInGroups) + 1);
  return kPolicies[candidate];
}

// What a profile calls the first of a taskloop's near domains.
std::string_view first_domain() {
  const bool is_node = topo::Machine::here().near_level() == topo::Level::kNode;
  return is_node ? tune::kFirstNode : tune::kFirstGroup;
}

// The near domain that the words name; -1 if this machine has none of that number or sort.
int domain_of(std::string_view words) {
  if (!words.starts_with(first_domain())) return -1;
  const std::string_view number = words.substr(first_domain().size());
  int domain = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), domain);
  const bool is_one = error == std::errc() && end == number.data() + number.size() && domain >= 0 &&
                      domain < topo::Machine::here().near_count();
  return is_one ? domain : -1;
}

// SiteTuner::like() of the word; 0 if it is another.
int like_of(std::string_view word) noexcept {
  return word == tune::kLikeHalf ? -1 : word == tune::kLikeTwice ? 1 : 0;
}

// No choice if the configuration has something that this version of Vicino does not know, or that
// this team cannot do.
std::optional<Choice> take_over(Remembered& site, const SiteKey& key,
                                const tune::Configuration& with) {
  if (with.threads > key.members) return std::nullopt;
  for (const std::string_view more : with.more) {
    if (const int like = like_of(more); like != 0) {
      site.like = like;
      continue;
    }
    if (key.kind != SiteKey::Kind::kTaskloop) return std::nullopt;
    site.fastest_domain = domain_of(more);
    if (site.fastest_domain < 0) return std::nullopt;
  }
  for (uint32_t i = 0; i < TunedSite::candidates_of(key); ++i)
    if (name_of(key, i) == with.candidate) return Choice{i, static_cast<int>(with.threads)};
  return std::nullopt;
}

// Takes over all that was tried, or nothing. A site whose objective is not time is explored anew:
// the profile does not keep how long the tried executions took, and that limits the cost of
// exploring.
bool take_over_tried(Remembered& site, const SiteKey& key, const ProfileEntry& entry) {
  if (objective() != metric::Objective::kTime) return false;
  std::vector<SiteTuner::Tried> tried;
  for (const Measured& m : entry.tried) {
    const std::optional<Choice> choice = take_over(site, key, m.with);
    const Estimate estimate = restored(m);
    if (!choice || estimate.count() == 0) return false;
    tried.push_back({*choice, estimate});
  }
  site.tried = std::move(tried);
  return !site.tried.empty();
}

void look_up(Remembered& site, const SiteKey& key) {
  const ProfileEntry* const found = kept_profile()->find(site.key);
  if (found == nullptr) return;
  if (!found->at_rest()) {
    if (take_over_tried(site, key, *found)) site.entry = found;
  } else if (const auto choice = take_over(site, key, found->best.with)) {
    site.choice = *choice;
    site.entry = found;
  }
}

Measured measured(const TunedSite& site, Choice choice, const Estimate& estimate,
                  bool beaten = false) {
  const auto [low, high] = estimate.interval();
  Measured m{{name_of(site.key(), choice.candidate), static_cast<uint32_t>(choice.threads), {}},
             tune::rounded(estimate.value()),
             tune::rounded(low),
             tune::rounded(high),
             estimate.count(),
             beaten};
  // Only a taskloop that runs with fewer threads has a mask.
  if (site.fastest_domain() >= 0 && m.with.threads < site.key().members)
    m.with.more.push_back(std::string(first_domain()) + std::to_string(site.fastest_domain()));
  return m;
}

tune::Progress progress_of(Phase phase) noexcept {
  switch (phase) {
    case Phase::kWarmUp:
      return tune::Progress::kWarmUp;
    case Phase::kSchedules:
      return tune::Progress::kSchedules;
    case Phase::kLike:
    case Phase::kWidths:
      return tune::Progress::kWidths;
    case Phase::kSettled:
      return tune::Progress::kSettled;
    case Phase::kLeftAlone:
      break;
  }
  return tune::Progress::kLeftAlone;
}

std::vector<Measured> tried_at(const TunedSite& site, const SiteTuner& tuner) {
  std::vector<Measured> tried;
  for (const SiteTuner::Tried& t : tuner.tried())
    if (tried.size() < tune::kMostTried)
      tried.push_back(measured(site, t.choice, t.estimate, t.beaten));
  return tried;
}

void fill_in_knowledge(ProfileEntry& entry, const TunedSite& site, const SiteTuner& tuner) {
  entry.progress = progress_of(tuner.phase());
  entry.tried = tried_at(site, tuner);
  entry.by_default = measured(site, {0, static_cast<int>(site.key().members)}, tuner.of_default());
  entry.best = measured(site, tuner.best(), {});
  const auto with = std::ranges::find(entry.tried, entry.best.with, &Measured::with);
  if (with != entry.tried.end())
    entry.best = *with;
  else if (entry.best.with == entry.by_default.with)
    entry.best = entry.by_default;
  if (tuner.phase() == Phase::kSettled) entry.best.cost = tune::rounded(tuner.settled_cost());
  if (tuner.like() != 0)
    entry.best.with.more.emplace_back(tuner.like() < 0 ? tune::kLikeHalf : tune::kLikeTwice);
}

void fill_in_counts(ProfileEntry& entry, const SiteTuner& tuner) {
  entry.executions = tuner.executions();
  entry.iterations = whole(tuner.mean_trip() * static_cast<double>(tuner.executions()) + 0.5);
  entry.settled_iterations = whole(tuner.settled_iterations());
  entry.total_ns = whole(tuner.total_ns());
  entry.explored_ns = whole(tuner.explored_ns());
  entry.explored_again = tuner.explored_again();
}

std::optional<ProfileEntry> entry_to_keep(TunedSite& site) {
  std::optional<ProfileEntry> entry;
  site.look([&](const SiteTuner& tuner) { entry = entry_of(site, tuner); });
  if (!entry || entry->executions == 0) return std::nullopt;
  note_place_and_day(*entry, site.call());
  return entry;
}

}  // namespace

void read_profile() { kept_profile(); }

std::unique_ptr<Remembered> remembered(const CallSite& call, const SiteKey& key) {
  std::optional<PlaceInProfile> place = place_in_profile(call.address);
  if (!place) return nullptr;
  auto site = std::make_unique<Remembered>();
  site->key = std::move(place->key);
  site->key.kind = kind_of(key);
  site->key.team = key.members;
  site->key.trip_bits = static_cast<uint32_t>(key.trip_bits);
  site->key.objective = metric::name_of(objective());
  site->binary = std::move(place->binary);
  look_up(*site, key);
  return site;
}

void start_from(Remembered& remembered, SiteTuner& tuner) {
  if (remembered.entry == nullptr) return;
  const tune::ProfileEntry& entry = *remembered.entry;
  if (entry.progress == tune::Progress::kLeftAlone) return tuner.leave_alone();
  const auto executions = static_cast<double>(std::max<uint64_t>(entry.executions, 1));
  const double trip = static_cast<double>(entry.iterations) / executions;
  const bool by_time = remembered.key.objective == metric::name_of(metric::Objective::kTime);
  const double ns =
      by_time ? entry.best.cost * trip : static_cast<double>(entry.total_ns) / executions;
  if (entry.at_rest()) {
    tuner.settle_on(remembered.choice, entry.best.cost, ns);
    if (remembered.like != 0) tuner.settle_as_like(remembered.like);
  } else if (!tuner.go_on_from(remembered.tried, restored(entry.by_default), trip)) {
    remembered.entry = nullptr;
  }
  remembered.tried = {};
}

// A resumed site equals its profile entry until it has warmed up.
bool is_as_remembered(const TunedSite& site, const SiteTuner& tuner) noexcept {
  const Remembered* earlier = site.remembered();
  if (earlier == nullptr || earlier->entry == nullptr || tuner.explored_again() > 0) return false;
  return earlier->entry->at_rest() || tuner.phase() == Phase::kWarmUp;
}

ProfileEntry entry_of(const TunedSite& site, const SiteTuner& tuner) {
  ProfileEntry entry;
  const Remembered* earlier = site.remembered();
  if (is_as_remembered(site, tuner)) {
    entry = *earlier->entry;
  } else {
    fill_in_knowledge(entry, site, tuner);
    entry.round = tuner.explored_again();
    if (earlier != nullptr && earlier->entry != nullptr) entry.round += earlier->entry->round;
  }
  fill_in_counts(entry, tuner);
  if (earlier != nullptr) {
    entry.key = earlier->key;
    entry.binary = earlier->binary;
  } else {
    entry.key.kind = kind_of(site.key());
    entry.key.objective = metric::name_of(objective());
    entry.key.team = site.key().members;
    entry.key.trip_bits = static_cast<uint32_t>(site.key().trip_bits);
  }
  return entry;
}

void add_to_profile() {
  const std::string* const path = path_of_profile();
  if (path == nullptr) return;
  std::vector<ProfileEntry> entries = graph_entries();
  for (ProfileEntry& entry : page_entries()) entries.push_back(std::move(entry));
  std::string why;
  for (TunedSite* site : TunedSite::all()) {
    if (!site->is_of_this_process()) continue;
    if (site->remembered() == nullptr)
      why = "what was tuned is in files without a build-id";
    else if (auto entry = entry_to_keep(*site))
      entries.push_back(*std::move(entry));
    else if (why.empty())
      why = "nothing that was to be tuned came to its end";
  }
  if (entries.empty() && is_asked())
    say("VICINO_PROFILE: nothing is added to %s: %s", path->c_str(),
        why.empty() ? why_nothing_was_tuned().c_str() : why.c_str());
  if (entries.empty() || kept_profile()->refused) return;
  const tune::Profile learnt = tune::profile_of(std::move(entries));
  const Error error = tune::change_profile_file(
      *path, [&](tune::Profile& profile) { tune::merge(profile, learnt); });
  if (!error.text.empty())
    say("VICINO_PROFILE: %s; what was learnt is not kept", error.text.c_str());
}

}  // namespace vicino::site
