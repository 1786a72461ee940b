// profile_show.cpp: `vicino profile show`: a profile as a table, or as JSON.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "files.hpp"
#include "profiles.hpp"
#include "say.hpp"
#include "tune/explanation.hpp"

namespace vicino::cli {
namespace {

struct ShowOptions {
  Words files;
  bool json = false;
};

constexpr const char* kDescription =
    R"(Shows each call site of a profile: where it is, its team and mean number of
iterations, how often it was executed, how long one execution takes on average
with Vicino's choice and with the default, when it was last used, and what its
executions use. A * marks sites that were learnt on another machine. The site of
a task graph is the function that its tasks run, an iteration is a task, and the
default is one thread.
)";

using tune::Measured;
using tune::ProfileEntry;

constexpr std::string_view kProgress[] = {"warm_up", "schedules", "widths", "settled",
                                          "left_alone"};

std::string_view progress_of(const ProfileEntry& entry) {
  return kProgress[static_cast<size_t>(entry.progress)];
}

std::string place_of(const ProfileEntry& entry) {
  const std::string binary = std::filesystem::path(entry.binary).filename();
  const std::string where =
      entry.where.empty() ? fmt::format("{:#x}", entry.key.offset) : entry.where;
  return binary.empty() ? where : binary + ": " + where;
}

std::string uses(const ProfileEntry& entry) {
  if (entry.progress == tune::Progress::kLeftAlone) return "left alone";
  return (entry.at_rest() ? "" : "so far ") + in_words(entry.best.with);
}

uint64_t mean_trip(const ProfileEntry& entry) {
  return entry.executions == 0 ? 0 : entry.iterations / entry.executions;
}

using Row = std::array<std::string, 8>;

Row row_of(const ProfileEntry& entry, const std::string& machine) {
  const auto cost = [&](const Measured& m) {
    return m.samples == 0 && m.cost == 0 ? "-" : cost_of_execution(entry, m.cost);
  };
  return {(entry.key.machine == machine ? "" : "*") + place_of(entry),
          entry.key.kind,
          std::to_string(entry.key.team),
          std::to_string(mean_trip(entry)),
          std::to_string(entry.executions),
          cost(entry.best),
          cost(entry.by_default),
          uses(entry)};
}

// All columns but the first two and the last are numbers.
void print_row(const Row& row, const std::array<size_t, 8>& widths, const std::string& used) {
  fmt::print("{:<{}}  {:<{}}", row[0], widths[0], row[1], widths[1]);
  for (size_t i = 2; i < 7; ++i) fmt::print("  {:>{}}", row[i], widths[i]);
  fmt::print("  {:<10}  {}\n", used, row[7]);
}

void print_table(const tune::Profile& profile) {
  const std::string machine = this_machine();
  std::vector<Row> rows{{"site", "kind", "team", "trip", "executed", "time", "default", "uses"}};
  for (const ProfileEntry& entry : profile) rows.push_back(row_of(entry, machine));
  std::array<size_t, 8> widths{};
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  print_row(rows[0], widths, "last used");
  for (size_t i = 0; i < profile.size(); ++i)
    print_row(rows[i + 1], widths, tune::date_of(profile[i].used));
}

nlohmann::ordered_json json_of(const Measured& m) {
  return {{"candidate", m.with.candidate},
          {"threads", m.with.threads},
          {"more", m.with.more},
          {"cost", m.cost},
          {"low", m.low},
          {"high", m.high},
          {"samples", m.samples},
          {"beaten", m.beaten}};
}

nlohmann::ordered_json json_of(const ProfileEntry& entry, const std::string& machine) {
  nlohmann::ordered_json tried = nlohmann::ordered_json::array();
  for (const Measured& m : entry.tried) tried.push_back(json_of(m));
  return {{"object", entry.key.object},
          {"offset", entry.key.offset},
          {"kind", entry.key.kind},
          {"team", entry.key.team},
          {"trip_bits", entry.key.trip_bits},
          {"objective", entry.key.objective},
          {"machine", entry.key.machine},
          {"structure", entry.key.structure},
          {"of_this_machine", entry.key.machine == machine},
          {"binary", entry.binary},
          {"where", entry.where},
          {"hardware", entry.hardware},
          {"state", progress_of(entry)},
          {"round", entry.round},
          {"default", json_of(entry.by_default)},
          {"best", json_of(entry.best)},
          {"tried", tried},
          {"executions", entry.executions},
          {"iterations", entry.iterations},
          {"settled_iterations", entry.settled_iterations},
          {"total_ns", entry.total_ns},
          {"explored_ns", entry.explored_ns},
          {"explored_again", entry.explored_again},
          {"used", tune::date_of(entry.used)}};
}

int show(const ShowOptions& options) {
  tune::Profile profile = read_profile(the_file(options.files, "profile show"));
  if (!options.json) {
    name_lines(profile);
    print_table(profile);
    return kOk;
  }
  const std::string machine = this_machine();
  nlohmann::ordered_json sites = nlohmann::ordered_json::array();
  for (const ProfileEntry& entry : profile) sites.push_back(json_of(entry, machine));
  const nlohmann::ordered_json all{{"schema", "vicino-profile-1"}, {"sites", sites}};
  fmt::print("{}", json_text(all, 2));
  return kOk;
}

}  // namespace

Command add_profile_show(CLI::App& profile) {
  CLI::App* app = profile.add_subcommand("show", "Show the call sites of a profile");
  auto options = std::make_shared<ShowOptions>();
  app->add_flag("--json", options->json, "Print JSON, with everything that was tried");
  app->add_option("file", options->files)->group("");
  return {.app = app,
          .synopsis = "[--json] FILE",
          .sections = {{"Description", kDescription}},
          .action = [options](const Words&) { return show(*options); }};
}

}  // namespace vicino::cli
