#include "doctor_run.hpp"

#include <cxxabi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/elf.hpp"
#include "base/file.hpp"
#include "files.hpp"
#include "library.hpp"
#include "missing_functions.hpp"
#include "output.hpp"
#include "profiles.hpp"
#include "progress.hpp"
#include "refusal.hpp"
#include "sanitizer.hpp"
#include "say.hpp"
#include "tune/profile_file.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

std::string place_of(const std::string& file, const SymbolTable& symbols, uint64_t offset) {
  // A return address: the call is before it.
  const SymbolTable::Hit hit = symbols.at(offset == 0 ? 0 : offset - 1);
  const std::string where = fs::path(file).filename();
  if (hit.name.empty()) return fmt::format("{}+{:#x}", where, offset);
  int status = 0;
  char* const plain = abi::__cxa_demangle(std::string(hit.name).c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 && plain != nullptr ? plain : std::string(hit.name);
  free(plain);
  return fmt::format("{}+{:#x} in {}", name, hit.offset + 1, where);
}

// Sets where the meeting was: "solve(int)+0x3f in app". `function`: what a region runs that ends there; 0: not known.
void set_place(Meeting& meeting, const std::string& file, uint64_t offset, uint64_t function) {
  const SymbolTable symbols = SymbolTable::read(file);
  meeting.where = place_of(file, symbols, offset);
  // gcc gives the call that begins a region no line of its own, but its function has one.
  const bool is_gcc = symbols.at(function).name.find("._omp_fn.") != std::string_view::npos;
  meeting.code = {file, {}, function != 0 && is_gcc ? function : offset - 1};
}

std::vector<LoadedRuntime> runtimes_in(const nlohmann::json& report) {
  std::vector<LoadedRuntime> found;
  for (const auto& each : report.at("other_runtimes")) {
    LoadedRuntime runtime{.path = each.at("path"), .user = {}, .entry = {}};
    for (const auto& user : each.at("users"))
      if (user.at("forks")) {
        runtime.user = user.at("library");
        runtime.entry = user.at("entry");
      }
    found.push_back(runtime);
  }
  return found;
}

void name_meetings(std::vector<Meeting>& meetings) {
  std::vector<CodePlace> places;
  for (const Meeting& each : meetings) places.push_back(each.code);
  const std::vector<std::string> found = source_lines(places);
  for (size_t i = 0; i < meetings.size(); ++i)
    if (!found[i].empty()) meetings[i].where = found[i];
}

void read_files(const fs::path& folder, ProgramRun& run) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("report-")) {
      run.reported |= read_report(read_file(entry.path()), run);
    } else if (name.starts_with("meetings-")) {
      std::ifstream lines(entry.path());
      for (std::string line; std::getline(lines, line);)
        if (auto meeting = read_meeting(line)) run.meetings.push_back(*std::move(meeting));
    }
  }
  std::ranges::sort(run.meetings, std::ranges::greater(), &Meeting::work_ns);
  name_meetings(run.meetings);
  if (auto profile = tune::read_profile_file(folder / "profile", true)) {
    run.learnt = *std::move(profile);
    name_lines(run.learnt);
  }
}

// A process that has not used Vicino reports only if VICINO_PROCESS has its number: its libraries may all have kept
// runtimes of their own. The shell becomes the program, and so has its number.
Words that_reports(const Words& command) {
  constexpr const char* kShell = "/bin/sh";
  if (access(kShell, X_OK) != 0) return command;
  Words words = {kShell, "-c", R"(VICINO_PROCESS=$$; export VICINO_PROCESS; exec "$0" "$@")"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

// Runs a program that failed on Vicino once more, on its own runtime. If it fails there as well, Vicino is not to blame.
std::string how_without_vicino(const Words& command, const Environment& environment,
                               std::optional<Seconds> timeout) {
  StatusLine line;
  line.show(fmt::format("runs '{}' once more, without Vicino", command[0]));
  const Outcome outcome = run_together(command, environment, timeout, 1)[0];
  if (outcome.interrupted != 0) throw Interrupted{outcome.interrupted};
  return outcome.succeeded() ? "without Vicino it does not fail"
                             : "without Vicino it fails, too: " + how_it_ended(outcome);
}

// What the program wrote to standard error, without what Vicino says of the files that it writes for this command.
std::string err_of_program(const Outcome& outcome, const fs::path& folder) {
  std::istringstream lines(outcome.err);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find(folder.native()) == std::string::npos) kept += line + '\n';
  return kept;
}

ProgramRun run_once(const Words& command, Environment environment, std::optional<Seconds> timeout,
                    const fs::path& library, std::vector<std::string>& not_seen) {
  const TemporaryFolder folder("doctor");
  const ReplacementFolder replacement(library);
  const Environment without = environment;
  replacement.apply_to(environment);
  environment.set("VICINO_REPORT", (folder.path() / "report-%p").native());
  // A profile of the user's says more than one run, and stays as it is.
  if (!environment.get("VICINO_PROFILE"))
    environment.set("VICINO_PROFILE", (folder.path() / "profile").native());
  const fs::path tool = libexec_file("doctor/libwaits.so");
  std::error_code ignored;
  const bool has_tool = fs::is_regular_file(tool, ignored);
  if (has_tool) {
    environment.set("OMP_TOOL", "enabled");
    environment.prepend("OMP_TOOL_LIBRARIES", tool.native(), ':');
    environment.set("DOCTOR_FOLDER", folder.path().native());
  }
  StatusLine line;
  line.show(fmt::format("runs '{}', as long as that takes", command[0]));
  const Outcome outcome = run_together(that_reports(command), environment, timeout, 1)[0];
  if (outcome.interrupted != 0) throw Interrupted{outcome.interrupted};
  if (outcome.timed_out)
    throw Failure(kProgramFailed,
                  fmt::format("'{}' did not end within {:.3g} s", command[0], timeout->count()));
  if (!outcome.succeeded())
    throw Failure(kProgramFailed,
                  fmt::format("'{}' failed on Vicino: {} ({}){}", command[0], how_it_ended(outcome),
                              how_without_vicino(command, without, timeout),
                              last_lines(err_of_program(outcome, folder.path()))));
  ProgramRun run{.seconds = outcome.wall, .cpu_seconds = outcome.user + outcome.system};
  read_files(folder.path(), run);
  const bool elsewhere = std::ranges::any_of(
      run.runtimes, [](const LoadedRuntime& each) { return !each.user.empty(); });
  if (const std::string full = folder.why_full(); !full.empty())
    not_seen.push_back("all that the program did: its report may not fit into " + full);
  else if (!run.reported)
    not_seen.emplace_back(
        "what the program did: it ended without a report (by _exit(), or as another program)");
  else if (run.regions.empty() && !elsewhere)
    not_seen.emplace_back("parallel regions: the program had none");
  else if (!has_tool)
    not_seen.push_back(fmt::format("how evenly threads worked: '{}' is not there", tool.string()));
  else if (run.meetings.empty() && !run.regions.empty() &&
           std::ranges::any_of(run.regions,
                               [](const RegionKind& kind) { return kind.threads > 1; }))
    not_seen.emplace_back("how evenly threads worked: the program has a tool of its own");
  return run;
}

}  // namespace

bool read_report(const std::string& text, ProgramRun& run) {
  const auto report = nlohmann::json::parse(text, nullptr, false);
  if (report.is_discarded()) return false;
  try {
    for (LoadedRuntime& each : runtimes_in(report)) {
      const auto same = std::ranges::find(run.runtimes, each.path, &LoadedRuntime::path);
      if (same == run.runtimes.end())
        run.runtimes.push_back(std::move(each));
      else if (same->user.empty())
        *same = std::move(each);
    }
    for (const auto& kind : report.at("region_kinds"))
      run.regions.push_back({.threads = kind.at("threads"),
                             .asked = kind.at("asked"),
                             .by_clause = kind.at("by_clause"),
                             .inner = kind.at("inner"),
                             .alone = kind.at("alone"),
                             .regions = kind.at("regions"),
                             .ns = kind.at("ns")});
    run.cpus = std::max(run.cpus, report.at("cpus").get<int>());
    for (const auto& remark : report.at("remarks")) run.remarks.push_back(remark);
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  return true;
}

std::optional<Meeting> read_meeting(const std::string& line) {
  std::istringstream words(line);
  uint64_t offset = 0, function = 0;
  Meeting meeting;
  int kinds = 0;
  words >> std::hex >> offset >> function >> std::dec >> meeting.executions >> meeting.threads >>
      kinds >> meeting.work_ns >> meeting.longest_ns;
  constexpr int kMost = 1 << 16;
  if (!words || meeting.threads < 1 || meeting.threads > kMost) return std::nullopt;
  meeting.by_thread.resize(static_cast<size_t>(meeting.threads));
  for (uint64_t& each : meeting.by_thread) words >> each;
  std::string file;
  if (!std::getline(words >> std::ws, file)) return std::nullopt;
  meeting.is_single = (kinds & 1) != 0;
  meeting.has_blocks = (kinds & 2) != 0;
  meeting.has_chunks = (kinds & 4) != 0;
  if (file == "?")
    meeting.where = fmt::format("{:#x}", offset);
  else
    set_place(meeting, file, offset, function);
  return meeting;
}

Program examine(const Words& command, Environment environment, std::optional<Seconds> timeout,
                std::vector<std::string>& not_seen) {
  const fs::path path = find_program(command[0]);
  const fs::path library = find_library(kUsage);
  Program program{.command = quoted(command), .refusal = {}, .library = library.string()};
  program.linked = linked_runtimes(path, environment);
  const auto refusal = refusal_of(path, library);
  if (refusal && (refusal->is_harmed || !refusal->is_script)) {
    program.refusal = refusal->reason;
    return program;
  }
  if (const std::string missing = missing_for(path, environment, library); !missing.empty()) {
    program.refusal = missing;
    return program;
  }
  allow_sanitizer(path, environment);
  program.run = run_once(command, std::move(environment), timeout, library, not_seen);
  return program;
}

}  // namespace vicino::cli
