// doctor_variables.cpp: conditions of environment variables: misspelt, not readable, of a bad file, contradicting each other.
#include "doctor_variables.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/file.hpp"
#include "config/launchers.hpp"
#include "config/rules.hpp"
#include "config/table.hpp"
#include "config/text.hpp"
#include "doctor_finding.hpp"
#include "program.hpp"
#include "topo/machine.hpp"
#include "tune/profile_file.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

using config::Row;
using config::Settings;
using config::Source;

// Read by the command line, by oneAPI's and GCC's OpenACC, or by debug builds of LLVM's runtime.
constexpr std::array<std::string_view, 8> kReadElsewhere = {
    "VICINO_LIBRARY", "ACC_DEVICE_TYPE", "ACC_DEVICE_NUM", "ACC_PROFLIB",
    "GOACC_PROFLIB",  "GOACC_DEBUG",     "KMP_STATS_FILE", "HWLOC_SYNTHETIC"};

std::vector<std::string_view> known_variables() {
  std::vector<std::string_view> known(kReadElsewhere.begin(), kReadElsewhere.end());
  for (const Row& row : config::rows())
    for (const Source& source : row.used()) known.push_back(source.variable);
  static const auto ignored = config::variables_without_effect();
  for (const auto& each : ignored) known.push_back(each.variable());
  return known;
}

// OpenMP 5.1's variables for other devices than the host, as in OMP_NUM_TEAMS_DEV_1.
std::string_view without_device(std::string_view name) {
  const size_t at = name.rfind("_DEV");
  if (at == name.npos || at == 0) return name;
  const std::string_view rest = name.substr(at + 4);
  const bool device = rest.empty() || (rest[0] == '_' && rest.size() > 1 &&
                                       rest.find_first_not_of("0123456789", 1) == rest.npos);
  return device ? name.substr(0, at) : name;
}

bool has_runtime_prefix(std::string_view name) {
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"OMP_", "KMP_", "GOMP_", "LIBOMP_", "VICINO_"},
      [=](std::string_view prefix) { return name.starts_with(prefix); });
}

Findings misspelt(const Surrounding& facts) {
  Findings found;
  for (const auto& [name, value] : facts.variables) {
    const std::string_view meant = meant_by(name);
    if (meant.empty()) continue;
    found.push_back(
        {.what = fmt::format("{} is no variable of any OpenMP runtime; {} is.", name, meant),
         .seen = {fmt::format("{}={}", name, value)},
         .cost = fmt::format("What it should change stays as without it.", name),
         .source = "docs/reference/settings.md",
         .mend = fmt::format("unset {}; export {}", name,
                             quoted({fmt::format("{}={}", meant, value)}))});
  }
  return found;
}

Findings not_readable(const Surrounding& facts) {
  Findings found;
  for (const std::string& warning : facts.warnings) {
    const size_t equals = warning.find('=');
    if (equals == warning.npos) continue;  // a misspelt name, which misspelt() tells
    const std::string name = warning.substr(0, equals);
    const size_t instead = warning.rfind("; using ");
    found.push_back({.what = fmt::format("The value of {} is not what it takes.", name),
                     .seen = {warning.substr(0, instead)},
                     .cost = instead == warning.npos ? "A part of it has no effect."
                                                     : fmt::format("It has no effect: {}.",
                                                                   warning.substr(instead + 2)),
                     .source = "docs/reference/settings.md",
                     .mend = fmt::format("unset {}", name)});
  }
  return found;
}

Settings alone(const Source& source, const std::string& value) {
  const std::string entry = fmt::format("{}={}", source.variable, value);
  const char* const entries[] = {entry.c_str()};
  std::vector<std::string> ignored;
  return config::parse(config::Environment(entries), ignored);
}

// Whether two values of a row are meant differently. OMP_NESTED knows no number of levels, and users give each runtime
// a time to spin in its own unit.
bool differ(const Row& row, const Settings& a, const Settings& b) {
  if (row.name == "OMP_MAX_ACTIVE_LEVELS")
    return (a.max_active_levels > 1) != (b.max_active_levels > 1);
  if (row.name == "KMP_BLOCKTIME")
    return (a.blocktime_ns == config::kForever) != (b.blocktime_ns == config::kForever);
  return row.show(a) != row.show(b);
}

// Variables of one row that say different things: one of them holds.
Findings overruled(const Surrounding& facts) {
  Findings found;
  for (const Row& row : config::rows()) {
    const std::pair<std::string, std::string>* holds = nullptr;
    Settings first;
    for (const Source& source : row.used()) {
      const auto its = std::ranges::find(facts.variables, source.variable,
                                         &std::pair<std::string, std::string>::first);
      if (its == facts.variables.end()) continue;
      Settings settings;
      if (!source.parse(its->second, settings)) continue;  // told as not readable
      settings = alone(source, its->second);
      if (holds == nullptr) {
        holds = &*its;
        first = settings;
      } else if (differ(row, first, settings)) {
        found.push_back(
            {.what = fmt::format("{} and {} contradict each other.", holds->first, its->first),
             .seen = {fmt::format("{}={}", holds->first, holds->second),
                      fmt::format("{}={}", its->first, its->second)},
             .cost = fmt::format("On Vicino {} holds; on other runtimes the other one may.",
                                 holds->first),
             .source = "docs/reference/settings.md",
             .mend = fmt::format("unset {}", its->first)});
      }
    }
  }
  return found;
}

// A pair of settings of which one takes the other's effect.
struct Pair {
  const char *holds, *idle;  // rows' names
  const char* why;           // a sentence
  bool (*is_met)(const Settings& settings);
};

bool polls(const Settings& s) { return s.blocktime_ns && *s.blocktime_ns == config::kForever; }

constexpr Pair kPairs[] = {
    {"OMP_PROC_BIND", "OMP_PLACES", "Threads are not bound, so there is no use for places.",
     [](const Settings& s) {
       return !s.places.empty() && !s.proc_bind.empty() && s.proc_bind[0] == topo::Bind::kFalse;
     }},
    {"KMP_BLOCKTIME", "OMP_WAIT_POLICY",
     "Waiting threads never sleep, though the policy is passive.",
     [](const Settings& s) { return polls(s) && s.wait_policy == config::WaitPolicy::kPassive; }},
    {"KMP_BLOCKTIME", "OMP_WAIT_POLICY",
     "Waiting threads sleep at once, though the policy is active.",
     [](const Settings& s) {
       return s.blocktime_ns && *s.blocktime_ns == 0 &&
              s.wait_policy == config::WaitPolicy::kActive;
     }},
    {"OMP_THREAD_LIMIT", "OMP_NUM_THREADS", "A team gets fewer threads than it is told to have.",
     [](const Settings& s) { return !s.num_threads.empty() && s.num_threads[0] > s.thread_limit; }},
    {"OMP_MAX_ACTIVE_LEVELS", "OMP_NUM_THREADS",
     "Inner regions have one thread, though the list has a number for them.",
     [](const Settings& s) {
       return s.num_threads.size() > 1 && s.max_active_levels == 1 && s.num_threads[1] > 1;
     }},
    {"VICINO_EXPLORE", "VICINO_STATIC", "Nothing is tried, so static loops stay as they are.",
     [](const Settings& s) { return !s.explore && s.static_loops == config::StaticLoops::kTuned; }},
    {"VICINO_EXPLORE", "VICINO_OBJECTIVE", "Nothing is tried, so nothing is minimised.",
     [](const Settings& s) { return !s.explore && s.objective != metric::Objective::kTime; }},
    {"VICINO_EXPLORE", "VICINO_MOLD", "Nothing is tried, so regions have all threads.",
     [](const Settings& s) { return !s.explore && s.mold == config::Mold::kRegions; }},
};

// The variables of a row that are set; the row's name if none is.
std::vector<std::pair<std::string, std::string>> set_of(const Surrounding& facts,
                                                        std::string_view name) {
  std::vector<std::pair<std::string, std::string>> set;
  const auto row = std::ranges::find(config::rows(), name, &Row::name);
  if (row == config::rows().end()) return set;
  for (const Source& source : row->used())
    for (const auto& variable : facts.variables)
      if (variable.first == source.variable) set.push_back(variable);
  return set;
}

Findings idle_settings(const Surrounding& facts) {
  Findings found;
  for (const Pair& pair : kPairs) {
    if (!pair.is_met(facts.settings)) continue;
    const auto holds = set_of(facts, pair.holds), idle = set_of(facts, pair.idle);
    if (holds.empty() || idle.empty()) continue;
    found.push_back(
        {.what = fmt::format("{} and {} contradict each other.", holds[0].first, idle[0].first),
         .seen = {fmt::format("{}={}", holds[0].first, holds[0].second),
                  fmt::format("{}={}", idle[0].first, idle[0].second)},
         .cost = pair.why,
         .source = "docs/reference/settings.md",
         .mend = fmt::format("unset {}", idle[0].first)});
  }
  return found;
}

Findings lends_nothing(const Surrounding& facts) {
  const Settings& s = facts.settings;
  if (!s.lend || (s.places.empty() && s.proc_bind.empty() && s.hw_subset.empty())) return {};
  Finding found{.what = "VICINO_LEND lends no cores, because threads are told where to run.",
                .seen = {},
                .cost = "Cores of ranks that wait stay idle.",
                .source = "docs/explain/mpi.md"};
  found.mend = "unset";
  for (const char* name : {"OMP_PLACES", "OMP_PROC_BIND", "KMP_HW_SUBSET"})
    for (const auto& [variable, value] : set_of(facts, name)) {
      const std::string one = fmt::format("{}={}", variable, value);
      if (std::ranges::count(found.seen, one) != 0) continue;
      found.seen.push_back(one);
      found.mend += " " + variable;
    }
  return {found};
}

// A file is judged as the library does it when a program runs.
template <class Read>
std::string error_of(const std::string& file, Read read) {
  if (file.empty()) return {};
  const auto result = read(file);
  return result ? std::string() : result.error();
}

std::string why_not_written(const std::string& file) {
  if (file.empty() || file == config::kToStderr) return {};
  const fs::path path = with_process_number(file);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return strerror(EISDIR);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  return access((fs::exists(path, ignored) ? path : folder).c_str(), W_OK) == 0 ? ""
                                                                                : strerror(errno);
}

// A tool without a folder in its name is looked for by the loader.
std::string why_no_tool(const Settings& s) {
  std::string_view rest = s.tool_libraries;
  while (!rest.empty()) {
    const std::string file(take_until(rest, ':'));
    if (file.find('/') != file.npos && access(file.c_str(), R_OK) != 0)
      return fmt::format("{}: {}", file, strerror(errno));
  }
  return {};
}

struct FileSetting {
  const char* row;
  bool is_written;
  std::string (*why_not)(const Settings& settings);  // empty if the file is good
};

constexpr FileSetting kFiles[] = {
    {"VICINO_CONFIG", false,
     [](const Settings& s) { return error_of(s.config_file, config::read_rules); }},
    {"VICINO_MACHINE", false,
     [](const Settings& s) { return error_of(s.machine_file, topo::Machine::from_xml); }},
    {"VICINO_PROFILE", false,
     [](const Settings& s) {
       return error_of(s.profile,
                       [](const auto& file) { return tune::read_profile_file(file, true); });
     }},
    {"OMP_TOOL_LIBRARIES", false, why_no_tool},
    {"VICINO_PROFILE", true, [](const Settings& s) { return why_not_written(s.profile); }},
    {"VICINO_STATS", true, [](const Settings& s) { return why_not_written(s.stats); }},
    {"VICINO_REPORT", true, [](const Settings& s) { return why_not_written(s.report); }},
    {"VICINO_JOB_REPORT", true, [](const Settings& s) { return why_not_written(s.job_report); }},
    {"VICINO_EXPLAIN", true, [](const Settings& s) { return why_not_written(s.explain); }},
    {"VICINO_TRACE", true, [](const Settings& s) { return why_not_written(s.trace); }},
};

Findings bad_files(const Surrounding& facts) {
  Findings found;
  for (const FileSetting& each : kFiles) {
    const std::string why = each.why_not(facts.settings);
    if (why.empty()) continue;
    for (const auto& [name, value] : set_of(facts, each.row))
      found.push_back(
          {.what = fmt::format("{} names a file that cannot be {}.", name,
                               each.is_written ? "written" : "read"),
           .seen = {fmt::format("{}={}", name, value), why},
           .cost = each.is_written ? "What should be in it is lost." : "It has no effect.",
           .source = "docs/reference/settings.md",
           .mend = fmt::format("unset {}", name)});
  }
  return found;
}

constexpr std::array<Condition, 6> kConditions = {{
    {"value", not_readable},
    {"file", bad_files},
    {"misspelt", misspelt},
    {"contradiction", overruled},
    {"contradiction", idle_settings},
    {"contradiction", lends_nothing},
}};

}  // namespace

size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

std::string_view meant_by(std::string_view name) {
  const std::vector<std::string_view> known = known_variables();
  if (std::ranges::count(known, without_device(name)) != 0) return {};
  const std::string upper = config::upper_case(name);
  const bool ours = has_runtime_prefix(upper);
  std::string_view nearest;
  // A name of another kind is rather one that differs in two letters than a slip: MPI_NUM_THREADS.
  size_t least = ours ? std::max<size_t>(2, name.size() / 4) : 1;
  for (const std::string_view each : known) {
    const size_t edits = edits_between(upper, each);
    if (edits > least || (edits == least && !nearest.empty())) continue;
    least = edits;
    nearest = each;
  }
  return nearest;
}

std::span<const Condition> conditions_of_variables() { return kConditions; }

}  // namespace vicino::cli
