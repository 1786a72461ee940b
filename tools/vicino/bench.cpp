// bench.cpp: `vicino bench`: measures this machine's OpenMP runtimes and Vicino, and writes a page.
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "bench_bystanders.hpp"
#include "bench_measure.hpp"
#include "bench_plan.hpp"
#include "bench_report.hpp"
#include "bench_runtimes.hpp"
#include "command.hpp"
#include "files.hpp"
#include "library.hpp"
#include "machine_facts.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "topo/machine.hpp"

namespace vicino::cli {
namespace {

namespace fs = std::filesystem;

struct BenchOptions {
  double minutes = 5;
  int rounds = 0;
  int threads = 0;
  std::vector<std::string> with, variables, only;
  std::string output = "vicino-bench";
  std::optional<uint64_t> seed;
};

constexpr const char* kDescription =
    R"(Measures constructs, tasks, loops under schedules and taskloops over large
arrays on Vicino and on the other OpenMP runtimes of this machine, and writes
what came out: NAME.md for people, NAME.json for programs. It needs no compiler:
the programs, built by gcc and by clang, are part of the package.

The runtimes are the libgomp, libomp and libiomp5 that a program would get here:
of LD_LIBRARY_PATH, of an active environment of conda, Python or oneAPI, of the
loader's cache, of the system's folders. With --with, those that it names are
measured in their place. A runtime that does not run is on the page with the
reason.

All runtimes take turns, in random order. The first round takes a sixth of the
time and leaves out what it does not get to; two more rounds follow in any case,
and then rounds of the shorter programs until the time is over. Settings of
OpenMP that are in the environment are not passed on, but for OMP_NUM_THREADS;
--env sets others for all runtimes.

The page says how many CPUs of a machine or of a SLURM job were there, and has no
name of a user or a machine. It is good to be sent to those who develop Vicino:
docs/reference/bench.md.
)";

constexpr const char* kExitStatus =
    R"(0: the page was written. 2: bad usage, or vicino failed. 3: the page was
written, and a program failed or was wrong on Vicino. 6: Vicino does not run, or
there is no other runtime. 128 plus a signal's number: the signal ended it, and
the page has what was known by then.
)";

constexpr const char* kExamples =
    R"(  vicino bench --minutes 20 --output cluster
  vicino bench --with gcc14=/opt/gcc-14/lib64/libgomp.so.1 --only tasks,loops
)";

std::string section_names() {
  std::string text;
  for (const BenchSection& section : bench_sections())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", section.key);
  return text;
}

fs::path find_kit() {
  const fs::path kit = libexec_file("bench");
  std::error_code error;
  for (const Abi abi : {Abi::kGcc, Abi::kClang})
    if (fs::is_regular_file(kit / fmt::format("micro-{}", name_of(abi)), error)) return kit;
  throw Failure(kUsage,
                fmt::format("bench: the programs to measure are not in '{}': this Vicino was built "
                            "without them (-DVICINO_KIT=ON, gcc-12 and clang-19)",
                            kit.string()));
}

// The folder of the page must be there before minutes are spent, and no empty page stays if none come. An
// ending that people write is taken as it is meant.
std::string page_name(std::string name) {
  for (const std::string_view ending : {".md", ".json"})
    if (name.ends_with(ending)) name.erase(name.size() - ending.size());
  for (const std::string_view ending : {".md", ".json"}) {
    const std::string file = name + std::string(ending);
    expect_writable(file);
  }
  return name;
}

Environment environment_of(const BenchOptions& options) {
  Environment environment = Environment::of_process();
  for (const std::string_view prefix : kRuntimePrefixes) environment.remove_all(prefix);
  environment.remove_all("LD_PRELOAD=");
  for (const std::string& variable : options.variables) environment.assign(variable);
  return environment;
}

// As many as a program would have here: what OMP_NUM_THREADS says, or what Vicino finds.
int threads_of(const BenchOptions& options) {
  if (options.threads > 0) return options.threads;
  const auto variable = Environment::of_process().get("OMP_NUM_THREADS");
  const int asked = variable ? std::atoi(std::string(*variable).c_str()) : 0;
  return asked > 0 ? asked : topo::Machine::here().default_team_size();
}

std::vector<OtherRuntime> peers_of(const BenchOptions& options) {
  std::vector<OtherRuntime> peers;
  for (const std::string& text : options.with) {
    peers.push_back(named_runtime(text));
    const auto same = std::ranges::count(peers, peers.back().name, &OtherRuntime::name);
    if (same > 1 || peers.back().name == "Vicino")
      throw Failure(kUsage,
                    fmt::format("--with: two runtimes would be called '{}'; NAME=FILE names one",
                                peers.back().name));
  }
  return options.with.empty() ? find_runtimes(Environment::of_process()) : peers;
}

BenchPlan plan_of(const BenchOptions& options) {
  BenchPlan plan;
  plan.kit = find_kit();
  plan.environment = environment_of(options);
  plan.threads = threads_of(options);
  plan.jobs = bench_jobs(options.only, plan.threads);
  if (options.rounds > 0)
    plan.rounds = options.rounds;
  else
    plan.budget = Seconds(60 * options.minutes);
  plan.seed = options.seed ? *options.seed : std::random_device()();
  return plan;
}

std::string utc_now() {
  const time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min);
}

// Each side that runs nothing is a fault by now. Without two there is nothing to compare.
void expect_sides(const BenchMeasurement& measurement) {
  std::string why;
  for (const BenchFault& fault : measurement.faults())
    why += fmt::format("\n  {}, {}, programs of {}: {}", fault.runtime, fault.job,
                       name_of(fault.abi), fault.why);
  const auto runs = [](const auto& side) { return !side->starts.empty(); };
  const auto& sides = measurement.sides();
  if (!runs(sides[0])) throw Failure(kNotOnVicino, "Vicino does not run here:" + why);
  if (std::none_of(sides.begin() + 1, sides.end(), runs))
    throw Failure(kNotOnVicino,
                  fmt::format("there is no other OpenMP runtime to compare with; --with "
                              "[NAME=]FILE names one{}{}",
                              why.empty() ? "" : ":", why));
  for (const BenchFault& fault : measurement.faults())
    warn(fmt::format("{}, {}, programs of {}: {}", fault.runtime, fault.job, name_of(fault.abi),
                     fault.why));
}

// " 42 %, round 3: barrier, about 3 min left"
std::string progress_of(const BenchMeasurement& measurement, const std::string& next) {
  return fmt::format("{:3.0f} %, round {}: {:.60}{}", 100 * measurement.progress(),
                     measurement.rounds() + 1, next,
                     time_left(measurement.elapsed(), measurement.progress()));
}

void write_page(const std::string& name, const BenchMeasurement& measurement,
                const BenchFacts& facts) {
  write_or_print(name + ".md", bench_page(measurement, facts));
  write_or_print(name + ".json", json_text(bench_json(measurement, facts), 1));
  const BenchCounts counts = bench_counts(measurement);
  fmt::print(
      "{0}.md and {0}.json: {1}; of {2} comparisons Vicino was faster in {3} and "
      "slower in {4}\n",
      name, several(measurement.rounds(), "whole round"),
      counts.better + counts.worse + counts.same + counts.too_few, counts.better, counts.worse);
}

int bench(const BenchOptions& options) {
  const HeldSignals held;
  const std::string name = page_name(options.output);
  BenchMeasurement measurement(plan_of(options), peers_of(options), find_library(kUsage));
  BenchFacts facts{
      .machine = machine_facts(Environment::of_process()), .shares = {}, .date = utc_now()};
  const Bystanders bystanders;
  try {
    measurement.look();
    expect_sides(measurement);
    measurement.find_packages();
    StatusLine line;
    measurement.measure([&](const BenchMeasurement& now, const std::string& next) {
      if (line.is_shown()) line.show(progress_of(now, next));
    });
  } catch (const Interrupted& interrupted) {
    facts.interrupted = interrupted.signal;
  }
  facts.shares = bystanders.until_now();
  write_page(name, measurement, facts);
  if (facts.interrupted != 0) return kSignal + facts.interrupted;
  const bool failed = std::ranges::any_of(measurement.faults(), &BenchFault::is_vicino);
  return failed ? kProgramFailed : kOk;
}

CLI::Validator minutes() {
  return must_be("a number of minutes from 0.01 to 10000", [](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' && value >= 0.01 && value <= 10000;
  });
}

}  // namespace

Command add_bench(CLI::App& root) {
  CLI::App* app = root.add_subcommand("bench", "Measure this machine's runtimes, and write a page");
  auto options = std::make_shared<BenchOptions>();
  app->add_option("--minutes", options->minutes, "How long it may take (5)")
      ->type_name("N")
      ->check(minutes());
  app->add_option("--output", options->output, "Write NAME.md and NAME.json (vicino-bench)")
      ->type_name("NAME");
  app->add_option("--with", options->with, "Compare with this runtime; may be repeated")
      ->type_name("[NAME=]LIB")
      ->allow_extra_args(false);
  app->add_option("--only", options->only, "Only these: " + section_names())
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(must_be(
          fmt::format("one of {}, or the name of a construct or a program", section_names()),
          names_bench_job));
  app->add_option("--threads", options->threads, "Threads of a team (OMP_NUM_THREADS, or all CPUs)")
      ->type_name("N")
      ->check(count_from_to(1, 1024));
  app->add_option("--rounds", options->rounds, "Run all for N rounds, however long it takes")
      ->type_name("N")
      ->check(count_from(1));
  app->add_option("--env", options->variables, "Set a variable for all runtimes; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(assignment());
  app->add_option("--seed", options->seed, "Seed of the random order; the page has it")
      ->type_name("N")
      ->check(count_from(0));
  return {.app = app,
          .synopsis = "[options]",
          .sections = {{"Description", kDescription},
                       {"Exit status", kExitStatus},
                       {"Examples", kExamples}},
          .action = [options](const Words&) { return bench(*options); }};
}

}  // namespace vicino::cli
