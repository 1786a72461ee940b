#include "site/graph_profile.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/hash.hpp"
#include "config/settings.hpp"
#include "graph/grain.hpp"
#include "metric/objective.hpp"
#include "site/kept_profile.hpp"
#include "sync/cold.hpp"

namespace vicino::site {
namespace {

using graph::Grain;
using graph::Known;
using tune::Estimate;
using tune::Explained;
using tune::Measured;
using tune::ProfileEntry;
using tune::ProfileKey;

// A body that a living graph runs by some number of threads.
struct Running {
  const void* code;
  int threads;
  ProfileKey key;
  std::string binary;
  const ProfileEntry* earlier;  // what the graph started from, or null
  pid_t process;
};

// What is known of graphs that are gone, or all that is known at the end.
struct Finding {
  Explained found;
  const void* code;
  pid_t process;
};

using Findings = std::map<ProfileKey, Finding>;

// Both by the Cold lock.
struct Graphs {
  std::multimap<const Grain*, Running> living;
  Findings gone;
};

Graphs& graphs() {
  static auto& instance = *new Graphs;  // threads outlive main()
  return instance;
}

// The profile's name of a coarse string.
std::string candidate_of(const Known& known, size_t tried) {
  if (tried == 0) return std::string(tune::kAlone);
  const std::string& text = known.tried[tried].text;
  return text.empty() ? std::string(tune::kNoPass) : text;
}

Measured measured(const std::string& candidate, uint32_t threads, const Known::Tried& tried,
                  double tasks) {
  const auto [low, high] = tried.ns.interval();
  return {{candidate, candidate == tune::kAlone ? 1 : threads, {}},
          tune::rounded(tried.ns.value() / tasks),
          tune::rounded(low / tasks),
          tune::rounded(high / tasks),
          tried.ns.count(),
          tried.beaten};
}

// If one thread alone was not in the race, its first run is all that is known of it.
Known::Tried alone_of(const Known& known) {
  Known::Tried alone = known.tried[0];
  if (alone.ns.count() == 0) alone.ns.add(known.alone_ns);
  return alone;
}

void fill_in_knowledge(ProfileEntry& entry, const Known& known, uint32_t threads, double tasks) {
  entry.progress = known.settled ? tune::Progress::kSettled : tune::Progress::kSchedules;
  entry.round = known.races;
  entry.by_default = measured(std::string(tune::kAlone), 1, alone_of(known), tasks);
  for (size_t i = 0; i < known.tried.size() && entry.tried.size() < tune::kMostTried; ++i)
    entry.tried.push_back(measured(candidate_of(known, i), threads, known.tried[i], tasks));
  entry.best = known.best == 0 ? entry.by_default
                               : measured(candidate_of(known, known.best), threads,
                                          known.tried[known.best], tasks);
}

void fill_in_counts(ProfileEntry& entry, const graph::Seen& seen, double tasks) {
  entry.executions = seen.runs;
  entry.iterations = whole(static_cast<double>(seen.runs) * tasks);
  entry.settled_iterations = whole(static_cast<double>(seen.settled_runs) * tasks);
  entry.total_ns = whole(seen.total_ns);
  entry.explored_ns = whole(seen.lost_ns);
  entry.explored_again = seen.races;
}

std::optional<Explained> found_by(const Grain& grain, const Running& running) {
  const auto found = grain.findings(running.code, running.threads);
  if (!found || found->seen.runs == 0) return std::nullopt;
  const double tasks = grain.tasks();
  Explained told;
  told.remembered = found->seen.remembered && running.earlier != nullptr;
  ProfileEntry& entry = told.entry;
  if (told.remembered)
    entry = *running.earlier;
  else
    fill_in_knowledge(entry, found->known, running.key.team, tasks);
  fill_in_counts(entry, found->seen, tasks);
  entry.key = running.key;
  entry.binary = running.binary;
  return told;
}

// Entries of one graph become one; those of a parent process go.
void add(Findings& to, Explained found, const void* code) {
  const auto known = to.find(found.entry.key);
  if (known != to.end() && known->second.process == getpid()) {
    Explained& both = known->second.found;
    both.entry =
        std::move(tune::profile_of({std::move(both.entry), std::move(found.entry)}).front());
    both.remembered &= found.remembered;
    return;
  }
  if (known == to.end() && to.size() >= tune::kMostProfileEntries) return;
  ProfileKey key = found.entry.key;
  to.insert_or_assign(std::move(key), Finding{std::move(found), code, getpid()});
}

// No lock of a Grain that a parent process used is taken. Without memory, what was found is lost.
void say_farewell(const Grain& grain) noexcept {
  const sync::Cold cold;
  Graphs& all = graphs();
  const auto [first, last] = all.living.equal_range(&grain);
  for (auto it = first; it != last; ++it) {
    if (it->second.process != getpid()) continue;
    try {
      if (auto found = found_by(grain, it->second))
        add(all.gone, *std::move(found), it->second.code);
    } catch (const std::bad_alloc&) {
    }
  }
  all.living.erase(first, last);
}

// If several threads run the body for the first time, one of them is noted.
void note(Grain& grain, Running running) {
  grain.at_end(say_farewell);
  const sync::Cold cold;
  auto& living = graphs().living;
  auto [first, last] = living.equal_range(&grain);
  for (; first != last; ++first) {
    Running& other = first->second;
    if (other.code != running.code || other.threads != running.threads) continue;
    if (other.process != running.process) other = std::move(running);
    return;
  }
  living.emplace(&grain, std::move(running));
}

// None if it is not a coarse string that this version of Vicino knows, with this number of threads.
std::optional<std::string> text_of(const tune::Configuration& with, uint32_t threads) {
  if (!with.more.empty()) return std::nullopt;
  const bool is_alone = with.candidate == tune::kAlone;
  if (with.threads != (is_alone ? 1 : threads)) return std::nullopt;
  if (is_alone || with.candidate == tune::kNoPass) return is_alone ? with.candidate : "";
  const auto steps = graph::parse_coarse_string(with.candidate);
  if (!steps || graph::to_text(*steps) != with.candidate) return std::nullopt;
  return with.candidate;
}

// The place of the coarse string among those that were tried, where it is put if need be.
size_t place_of(Known& known, const std::string& text) {
  if (text == tune::kAlone) return 0;
  const auto found = std::find_if(known.tried.begin() + 1, known.tried.end(),
                                  [&](const Known::Tried& tried) { return tried.text == text; });
  const auto place = static_cast<size_t>(found - known.tried.begin());
  if (found == known.tried.end()) known.tried.push_back({text});
  return place;
}

// All that the entry knows, or nothing.
std::optional<Known> known_of(const ProfileEntry& entry, double tasks) {
  Known known;
  known.alone_ns = restored(entry.by_default, tasks).value();
  known.tried.push_back({std::string(tune::kAlone)});
  known.settled = entry.progress == tune::Progress::kSettled;
  known.races = known.settled ? entry.round : 0;
  const uint32_t threads = entry.key.team;
  for (const Measured& m : entry.tried) {
    const auto text = text_of(m.with, threads);
    const Estimate ns = restored(m, tasks);
    if (!text || (m.samples > 0 && ns.count() == 0)) return std::nullopt;
    known.tried[place_of(known, *text)].ns = ns;
  }
  const auto best = text_of(entry.best.with, threads);
  if (!best || known.alone_ns <= 0) return std::nullopt;
  known.best = static_cast<uint32_t>(place_of(known, *best));
  return known;
}

// For the explanation alone: no profile can have it.
PlaceInProfile place_by_address(const void* code) {
  PlaceInProfile place;
  place.key.offset = reinterpret_cast<uintptr_t>(code);
  return place;
}

}  // namespace

bool recall(Grain& grain, const void* code, int threads) {
  const config::Settings& settings = config::settings();
  if (!settings.explore || grain.tasks() == 0) return false;
  std::optional<PlaceInProfile> place = place_in_profile(code);
  if (!place && !settings.explain.empty()) place = place_by_address(code);
  if (!place) return false;
  Running running{code,    threads, std::move(place->key), std::move(place->binary),
                  nullptr, getpid()};
  running.key.kind = tune::kGraph;
  running.key.team = static_cast<uint32_t>(threads);
  running.key.trip_bits = static_cast<uint32_t>(std::bit_width(grain.tasks()));
  running.key.objective = metric::name_of(metric::Objective::kTime);
  running.key.structure = hexadecimal(grain.structure());
  const ProfileEntry* const entry =
      running.key.object.empty() ? nullptr : kept_profile()->find(running.key);
  const auto known = entry != nullptr ? known_of(*entry, grain.tasks()) : std::nullopt;
  const bool starts = known && grain.start_from(code, threads, *known);
  if (starts) running.earlier = entry;
  note(grain, std::move(running));
  return starts;
}

std::vector<Explained> graphs_explained() {
  Findings all;
  {
    const sync::Cold cold;
    for (const auto& [key, gone] : graphs().gone)
      if (gone.process == getpid()) add(all, gone.found, gone.code);
    for (const auto& [grain, running] : graphs().living)
      if (running.process == getpid())
        if (auto found = found_by(*grain, running)) add(all, *std::move(found), running.code);
  }
  std::vector<Explained> told;
  for (auto& [key, finding] : all) {
    note_place_and_day(finding.found.entry, {finding.code, nullptr});
    told.push_back(std::move(finding.found));
  }
  return told;
}

std::vector<ProfileEntry> graph_entries() {
  std::vector<ProfileEntry> entries;
  for (Explained& graph : graphs_explained())
    if (!graph.entry.key.object.empty()) entries.push_back(std::move(graph.entry));
  return entries;
}

}  // namespace vicino::site
