// selftest.cpp: `vicino selftest`: whether Vicino works on this machine, tried with programs that were
// built elsewhere.
#include <stdlib.h>
#include <unistd.h>

#include <set>

#include "command.hpp"
#include "config/settings.hpp"
#include "duration.hpp"
#include "files.hpp"
#include "library.hpp"
#include "loop/registry.hpp"
#include "machine_facts.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "selftest_run.hpp"
#include "task/registry.hpp"
#include "topo/allowance.hpp"
#include "topo/machine.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

using json = nlohmann::ordered_json;
using topo::Level;

constexpr const char* kDefaultTime = "20s";

struct SelftestOptions {
  std::string timeout = kDefaultTime;
  bool json = false;
};

constexpr const char* kDescription =
    R"(Runs small programs that came with Vicino, built by gcc and by clang, as vicino
run would, and checks their results: regions, loops under every schedule,
reductions, locks, tasks under every task scheduler, dependences, cancellation,
threadprivate data, nested regions, target regions, allocators. It checks which
library the calls reached and that no other OpenMP runtime was loaded; how many
threads a team has, with all CPUs, with one and with half of them; and that
threads run where places tell them to. No compiler is needed.

What it saw of the system and the machine comes first, then a line for each
compiler's programs with all that failed, then one verdict. Settings in the
environment (OMP_*, KMP_*, GOMP_*, VICINO_*, HWLOC_*) are left out.
)";

constexpr const char* kExitStatus =
    R"(0
    All is well.
2
    Bad usage, or nothing could be tried: the library or the programs are not
    there, or the library does not suit this system.
3
    A program failed, did not end in time, or had a wrong result.
6
    A program ran on another OpenMP runtime, or another one was loaded too.
128 plus a signal's number
    The signal stopped vicino.
)";

constexpr const char* kVariables =
    R"(VICINO_LIBRARY names the library to test in place of the installed one.
)";

constexpr const char* kExamples =
    R"(  vicino selftest
  vicino selftest --json > selftest.json
  docker run --cpus 1.5 image vicino selftest
)";

// The programs of one compiler.
struct Side {
  std::string name;  // "gcc"
  std::vector<Result> results{};
  int left_out = 0;  // runs for which there was no time

  std::string compiler() const {
    for (const Result& result : results)
      if (!result.compiler.empty()) return result.compiler;
    return name;
  }
};

struct Report {
  fs::path library;
  std::vector<Side> sides;
  double seconds = 0;

  template <class F>
  void each(F&& visit) const {
    for (const Side& side : sides)
      for (const Result& result : side.results) visit(result);
  }
  int count(bool (*wanted)(const Result&)) const {
    int all = 0;
    each([&](const Result& result) { all += wanted(result) ? 1 : 0; });
    return all;
  }
  int checks() const {
    size_t all = 0;
    each([&](const Result& result) { all += result.checks.size(); });
    return static_cast<int>(all);
  }
  int failed() const {
    return count([](const Result& result) { return !result.good(); });
  }
  int elsewhere() const {
    return count([](const Result& result) { return result.on_other_runtime; });
  }
  int left_out() const {
    int all = 0;
    for (const Side& side : sides) all += side.left_out;
    return all;
  }
  std::string version() const {
    std::string found;
    each([&](const Result& result) {
      if (found.empty()) found = result.version;
    });
    return found;
  }
  int status() const {
    return elsewhere() > 0 ? kNotOnVicino : failed() + left_out() > 0 ? kProgramFailed : kOk;
  }
};

fs::path program_of(const std::string& compiler) {
  return libexec_file("selftest/selftest-" + compiler);
}

// The machine is judged as it is, and each program gets the settings of its case alone.
void forget_settings() {
  std::vector<std::string> ours;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    for (const std::string_view prefix : kRuntimePrefixes)
      if (variable.starts_with(prefix)) ours.emplace_back(variable.substr(0, variable.find('=')));
  }
  for (const std::string& name : ours) unsetenv(name.c_str());
}

CpuSet first_of(const CpuSet& cpus, int count) {
  CpuSet some;
  for (int cpu = cpus.first(); cpu >= 0 && count > 0; cpu = cpus.next(cpu), --count) some.set(cpu);
  return some;
}

Case team_on(const CpuSet& cpus) {
  const int count = cpus.count();
  const int team = topo::default_team_size(count, topo::allowance().quota_cpus);
  return {.part = "team",
          .cpus = cpus,
          .facts = {{"threads", std::to_string(team)}, {"procs", std::to_string(count)}}};
}

void add_teams(std::vector<Case>& cases) {
  const topo::Allowance& allowed = topo::allowance();
  const int cpus = allowed.cpus.count();
  cases.push_back({.part = "team",
                   .facts = {{"threads", std::to_string(allowed.default_team_size())},
                             {"procs", std::to_string(cpus)}}});
  cases.push_back(
      {.part = "team", .settings = {{"OMP_NUM_THREADS", "5"}}, .facts = {{"threads", "5"}}});
  // A rank's share depends on whether the launcher has bound it, which a mask would look like.
  if (!allowed.is_share)
    for (const int some : std::set{1, cpus / 2})
      if (some >= 1 && some < cpus) cases.push_back(team_on(first_of(allowed.cpus, some)));
  const topo::Machine& machine = topo::Machine::here();
  for (const auto& [kind, level] : {std::pair{"threads", Level::kThread},
                                    {"cores", Level::kCore},
                                    {"numa_domains", Level::kNode}}) {
    cases.push_back(
        {.part = "places", .settings = {{"OMP_PLACES", kind}, {"OMP_PROC_BIND", "close"}}});
    // A rank whose threads the user binds takes no share.
    if (!allowed.is_share) cases.back().facts = {{"places", std::to_string(machine.count(level))}};
  }
}

std::vector<Case> cases_for(const std::string& compiler) {
  std::vector<Case> cases;
  add_teams(cases);
  for (const char* part : {"loops", "reductions", "constructs", "locks", "tasks", "taskloops",
                           "depend", "nested", "target", "memory"})
    cases.push_back({.part = part});
  cases.push_back({.part = "cancel", .settings = {{"OMP_CANCELLATION", "true"}}});
  if (compiler == "gcc") cases.push_back({.part = "openacc"});
  // More threads than CPUs wait for each other, and do not poll.
  const CpuSet one = first_of(topo::allowance().cpus, 1);
  for (const char* part : {"constructs", "locks", "depend"})
    cases.push_back({.part = part, .settings = {{"OMP_WAIT_POLICY", "passive"}}, .cpus = one});
  for (const loop::Row& row : loop::registry())
    cases.push_back({.part = "loops", .settings = {{"VICINO_SCHEDULE", std::string(row.name)}}});
  for (const task::Row& row : task::kRows)
    for (const char* part : {"tasks", "taskloops", "depend"})
      cases.push_back({.part = part, .settings = {{"VICINO_TASKS", std::string(row.name)}}});
  return cases;
}

std::vector<Side> find_programs() {
  std::vector<Side> sides;
  std::error_code ignored;
  for (const char* compiler : {"gcc", "clang"})
    if (fs::is_regular_file(program_of(compiler), ignored)) sides.push_back({compiler});
  if (sides.empty())
    throw Failure(kUsage, fmt::format("selftest: its programs are not in '{}': this Vicino was "
                                      "built without gcc and clang",
                                      program_of("").parent_path().string()));
  return sides;
}

// No program gets more than a part of the time, so that one that hangs does not hide the others.
Report run_all(const fs::path& library, std::vector<Side> sides, Seconds budget) {
  using Clock = std::chrono::steady_clock;
  Report report{.library = library, .sides = std::move(sides)};
  const ReplacementFolder replacement(library);
  Environment environment = Environment::of_process();
  replacement.apply_to(environment);
  const HeldSignals held;
  const auto start = Clock::now();
  StatusLine line;
  size_t all = 0, done = 0;
  for (const Side& side : report.sides) all += cases_for(side.name).size();
  for (Side& side : report.sides)
    for (const Case& which : cases_for(side.name)) {
      const Seconds left = budget - (Clock::now() - start);
      line.show(fmt::format(
          "{} of {}: {}, {}{}", done + 1, all, side.name, which.name(),
          time_left(budget - left, static_cast<double>(done) / static_cast<double>(all))));
      ++done;
      if (left.count() <= 0) {
        ++side.left_out;
        continue;
      }
      Result result =
          run_case(program_of(side.name), which, environment, library, std::min(left, budget / 4));
      if (result.interrupted != 0) throw Interrupted{result.interrupted};
      if (result.timed_out && left < budget / 4)
        ++side.left_out;  // it did not have its time
      else
        side.results.push_back(std::move(result));
    }
  report.seconds = Seconds(Clock::now() - start).count();
  return report;
}

void print_facts(const Report& report, const Facts& facts) {
  size_t width = 0;
  for (const auto& [name, text] : facts) width = std::max(width, name.size());
  fmt::print("{:{}}  {} ({})\n", "library", width, report.library.string(), report.version());
  for (const auto& [name, text] : facts) fmt::print("{:{}}  {}\n", name, width, text);
  fmt::print("\n");
}

void print_side(const Side& side, const Style& style) {
  size_t checks = 0;
  int failed = 0;
  for (const Result& result : side.results) {
    checks += result.checks.size();
    failed += result.good() ? 0 : 1;
  }
  const std::string name = side.name == "gcc" ? "gcc " : "";  // clang's version has its name
  fmt::print("{}{}: {}, {}: {}\n", name, side.compiler(),
             several(static_cast<int>(side.results.size()), "run"),
             several(static_cast<int>(checks), "check"),
             failed == 0
                 ? "good"
                 : fmt::format("{}{} failed{}", style.bad, several(failed, "run"), style.plain));
  for (const Result& result : side.results)
    for (const Check& check : result.checks)
      if (!check.good) fmt::print("  {}: {}: {}\n", result.name, check.name, check.seen);
  if (side.left_out > 0)
    fmt::print("  {} left out: the time was over\n", several(side.left_out, "run"));
}

std::string verdict(const Report& report) {
  const int runs = report.count([](const Result&) { return true; });
  std::string without;
  if (report.sides.size() == 1)
    without = fmt::format("; programs of {} were not built, and so not tried",
                          report.sides[0].name == "gcc" ? "clang" : "gcc");
  switch (report.status()) {
    case kOk:
      return fmt::format("All is well: {} in {:.1f} s{}.", several(report.checks(), "check"),
                         report.seconds, without);
    case kNotOnVicino:
      return fmt::format("Vicino is not reached: {} of {} had another OpenMP runtime{}.",
                         report.elsewhere(), several(runs, "run"), without);
    default:
      if (report.failed() == 0)
        return fmt::format("The time was over: {} of {} left out, the others are good{}.",
                           report.left_out(), several(runs + report.left_out(), "run"), without);
      return fmt::format("Vicino does not work here: {} of {} failed, {} left out{}.",
                         report.failed(), several(runs, "run"), report.left_out(), without);
  }
}

void print_text(const Report& report, const Facts& facts) {
  const Style style = style_of(stdout);
  print_facts(report, facts);
  for (const Side& side : report.sides) print_side(side, style);
  fmt::print("\n{}{}{}\n", report.status() == kOk ? style.good : style.bad, verdict(report),
             style.plain);
}

json as_json(const Result& result) {
  json all = {{"name", result.name},
              {"good", result.good()},
              {"seconds", result.seconds},
              {"checks", result.checks.size()}};
  for (const Check& check : result.checks)
    if (!check.good) all["failed"].push_back({{"check", check.name}, {"seen", check.seen}});
  return all;
}

void print_json(const Report& report, const Facts& facts) {
  json all = {{"schema", "vicino-selftest-1"},
              {"verdict", verdict(report)},
              {"status", report.status()},
              {"seconds", report.seconds},
              {"version", VICINO_VERSION},
              {"library", {{"file", report.library.string()}, {"version", report.version()}}},
              {"machine", facts_json(facts)}};
  for (const Side& side : report.sides) {
    json one = {{"name", side.name}, {"compiler", side.compiler()}, {"left_out", side.left_out}};
    for (const Result& result : side.results) one["runs"].push_back(as_json(result));
    all["programs"].push_back(one);
  }
  fmt::print("{}", json_text(all, 2));
}

int selftest(const SelftestOptions& options) {
  const fs::path library = find_library(kUsage);
  forget_settings();
  config::settings();  // tells the machine of the ranks of an MPI program
  try {
    const Report report = run_all(library, find_programs(), *parse_duration(options.timeout));
    const Facts facts = machine_facts(Environment::of_process());
    options.json ? print_json(report, facts) : print_text(report, facts);
    return report.status();
  } catch (const Interrupted& interrupted) {
    return kSignal + interrupted.signal;
  }
}

}  // namespace

Command add_selftest(CLI::App& root) {
  CLI::App* app = root.add_subcommand("selftest", "Try whether Vicino works on this machine");
  auto options = std::make_shared<SelftestOptions>();
  app->add_option("--timeout", options->timeout, "Fail if it takes longer (20s)")
      ->type_name("TIME")
      ->check(duration());
  app->add_flag("--json", options->json, "Print JSON");
  return {.app = app,
          .synopsis = "[options]",
          .sections = {{"Description", kDescription},
                       {"Exit status", kExitStatus},
                       {"Environment", kVariables},
                       {"Examples", kExamples}},
          .action = [options](const Words&) { return selftest(*options); }};
}

}  // namespace vicino::cli
