// compare.cpp: `vicino compare`: times a program on its own runtime and on Vicino.
#include <random>

#include "command.hpp"
#include "compare_page.hpp"
#include "compare_report.hpp"
#include "duration.hpp"
#include "files.hpp"
#include "library.hpp"
#include "missing_functions.hpp"
#include "progress.hpp"
#include "refusal.hpp"
#include "sanitizer.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  int pairs = 0;
  std::string budget, timeout, metric, with, html, json;
  int warmups = 1, at_once = 1;
  bool higher = false, lower = false, same_output = false;
  std::optional<uint64_t> seed;
  std::vector<std::string> variables;
};

// The least number of pairs with which one wild run of either side cannot move an end of the
// interval far. A run is in as many pairwise means as there are pairs, and with 12 pairs the
// interval leaves out 13 means at each end.
constexpr int kDefaultPairs = 12;

// So many copies' files stay below the usual limit of 1024 open files.
constexpr long kMostAtOnce = 256;

constexpr const char* kDescription =
    R"(Runs the program in pairs, once on the OpenMP runtime that it loads by itself
and once on Vicino, in random order within each pair, and says which is
faster, by how much, and how sure that is.

In the first warm-up run of each side the dynamic loader reports which OpenMP
runtime the program calls. The comparison ends there if the program calls none,
or if it does not call Vicino on Vicino's side.

With --metric the runs are compared by a number that the program prints on
standard output or error, not by their time. The number is what the first group
of the regular expression (ECMAScript's) matches, or the whole match if it has
no group, in the last line that matches.

With --at-once, each run is of several copies that start together, as on a
machine that several programs share. The time is that until the last copy has
ended, CPU time is that of all copies, and a metric is the mean of the copies:

  vicino compare --at-once 8 -- python3 train.py

The ratio is the Hodges-Lehmann estimate over the pairs, and the interval is
that of Wilcoxon's signed-rank test. If the interval holds 1, no difference
was seen. docs/reference/compare.md gives the reasons.

If standard input is a file, every run reads it from the same position;
otherwise standard input is empty.
)";

constexpr const char* kExitStatus =
    R"(0: the comparison was made, whatever its result. 2: bad usage, or vicino
failed. 3: the program failed, or did not end in time. 4: the outputs differ.
5: the metric was not found. 6: the program did not run on the runtime that it
should have used. 126, 127: as for vicino run. 128 plus a signal's number: the
signal stopped vicino, which printed the result of the pairs until then.
)";

constexpr const char* kExamples =
    R"(  vicino compare --time 2m --metric 'GFLOPS: ([0-9.]+)' --higher-is-better ./app
)";

// The values of a metric mean nothing without a direction.
void check_direction(const CompareOptions& options) {
  if (options.metric.empty() && (options.higher || options.lower))
    throw Failure(kUsage, "--higher-is-better and --lower-is-better need --metric");
  if (!options.metric.empty() && options.higher == options.lower)
    throw Failure(kUsage, "--metric takes either --higher-is-better or --lower-is-better");
}

Plan plan_of(const CompareOptions& options, const Words& program) {
  check_direction(options);
  Plan plan;
  plan.program = program;
  if (options.pairs > 0) plan.pairs = options.pairs;
  if (!options.budget.empty()) plan.budget = parse_duration(options.budget);
  if (!plan.pairs && !plan.budget) plan.pairs = kDefaultPairs;
  if (!options.timeout.empty()) plan.timeout = parse_duration(options.timeout);
  if (!options.metric.empty()) plan.metric.emplace(options.metric);
  plan.warmups = options.warmups;
  plan.at_once = options.at_once;
  plan.higher_is_better = options.higher;
  plan.same_output = options.same_output;
  plan.seed = options.seed ? *options.seed : std::random_device()();
  return plan;
}

void check_program(const Words& program, const fs::path& library) {
  const auto refusal = refusal_of(find_program(program[0]), library);
  if (refusal && (refusal->is_harmed || !refusal->is_script))
    throw Failure(kNotOnVicino,
                  fmt::format("'{}' cannot be run on Vicino: {}", program[0], refusal->reason));
}

// Makes a side on another runtime than the program's own; holds the folder that puts it there.
struct Replacement {
  fs::path library;
  ReplacementFolder folder;

  explicit Replacement(fs::path file) : library(std::move(file)), folder(library) {}

  Side side(std::string name, Environment environment) const {
    folder.apply_to(environment);
    return {.name = std::move(name),
            .forced = library,
            .environment = std::move(environment),
            .runtimes = {},
            .samples = {}};
  }
};

void report(const CompareOptions& options, const Measurement& measurement, int status) {
  Results results;
  const bool is_table_aside = options.html == "-" || options.json == "-";
  const std::string table = report_text(measurement, style_of(is_table_aside ? stderr : stdout));
  results.deliver([&] { is_table_aside ? tell(table) : write_or_print("-", table); });
  if (!options.html.empty())
    results.deliver([&] { write_or_print(options.html, compare_page(measurement)); });
  if (!options.json.empty())
    results.deliver([&] { write_or_print(options.json, json_text(as_json(measurement), 2)); });
  results.finish(status);
}

int measure(const CompareOptions& options, Measurement& measurement) {
  try {
    const HeldSignals held;
    StatusLine line;
    const auto draw = [&](const Measurement& now, const Side& next) {
      if (line.is_shown()) line.show(bar_of(now, next));
    };
    measurement.warm_up(draw);
    measurement.measure(draw);
  } catch (const Interrupted& interrupted) {
    const int status = kSignal + interrupted.signal;
    report(options, measurement, status);
    return status;
  }
  report(options, measurement, kOk);
  return kOk;
}

int compare(const CompareOptions& options, const Words& program) {
  if (program.empty()) throw Failure(kUsage, "compare: no program is given");
  for (const std::string* const file : {&options.html, &options.json}) expect_writable(*file);
  Environment environment = Environment::of_process();
  for (const std::string& variable : options.variables) environment.assign(variable);

  const Replacement vicino(find_library(kUsage));
  check_program(program, vicino.library);
  allow_sanitizer(find_program(program[0]), environment);
  if (const std::string missing =
          missing_for(find_program(program[0]), environment, vicino.library);
      !missing.empty())
    throw Failure(kNotOnVicino, missing);
  std::optional<Replacement> with;
  Side base{.name = "own runtime",
            .forced = {},
            .environment = environment,
            .runtimes = {},
            .samples = {}};
  if (!options.with.empty()) {
    with.emplace(fs::canonical(options.with));
    base = with->side(with->library.filename(), environment);
  }
  Measurement measurement(plan_of(options, program), std::move(base),
                          vicino.side("Vicino", environment));
  return measure(options, measurement);
}

void add_amounts(CLI::App& app, CompareOptions& options) {
  app.add_option("--pairs", options.pairs, "Pairs to run (12); fewer than 6 give no interval")
      ->type_name("N")
      ->check(count_from(1));
  app.add_option("--time", options.budget, "Run pairs for this long (90, 90s, 2m, 1h)")
      ->type_name("TIME")
      ->check(duration());
  app.add_option("--warmup", options.warmups, "Runs of each side before the first pair (1)")
      ->type_name("N")
      ->check(count_from(1));
  app.add_option("--at-once", options.at_once, "Copies of the program to run at a time (1)")
      ->type_name("N")
      ->check(count_from_to(1, kMostAtOnce));
  app.add_option("--timeout", options.timeout, "Fail if a run takes longer")
      ->type_name("TIME")
      ->check(duration());
  app.add_option("--seed", options.seed, "Seed of the order within pairs; the report prints it")
      ->type_name("N")
      ->check(must_be("a whole number", [](const std::string& text) {
        return !text.empty() && text.size() < 19 &&
               text.find_first_not_of("0123456789") == std::string::npos;
      }));
}

void add_measures(CLI::App& app, CompareOptions& options) {
  app.add_option("--metric", options.metric, "Compare the number that REGEX matches last")
      ->type_name("REGEX")
      ->check(must_be("a regular expression (ECMAScript)", [](const std::string& text) {
        try {
          return std::regex(text).mark_count() < 1000;
        } catch (const std::regex_error&) {
          return false;
        }
      }));
  app.add_flag("--higher-is-better", options.higher, "A higher value of the metric is better");
  app.add_flag("--lower-is-better", options.lower, "A lower value of the metric is better");
  app.add_flag("--same-output", options.same_output, "Fail if a run's standard output differs");
}

void add_sides(CLI::App& app, CompareOptions& options) {
  app.add_option("--with", options.with, "Compare with runtime LIB, not with the program's own")
      ->type_name("LIB")
      ->check(must_be("a file", [](const std::string& file) { return fs::is_regular_file(file); }));
  app.add_option("--env", options.variables, "Set a variable for both sides; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(assignment());
  app.add_option("--html", options.html, "Write the result with plots as a page")
      ->type_name("FILE");
  app.add_option("--json", options.json, "Write all samples as JSON; - is standard output")
      ->type_name("FILE");
}

}  // namespace

Command add_compare(CLI::App& root) {
  CLI::App* app = root.add_subcommand("compare", "Time a program on Vicino and on its own runtime");
  auto options = std::make_shared<CompareOptions>();
  add_amounts(*app, *options);
  add_measures(*app, *options);
  add_sides(*app, *options);
  return {.app = app,
          .synopsis = "[options] [--] program [argument...]",
          .sections = {{"Description", kDescription},
                       {"Exit status", kExitStatus},
                       // Under the title "Examples" it would be in the help, too, and not fit a screen.
                       {"Use", kExamples}},
          .takes_program = true,
          .action = [options](const Words& program) { return compare(*options, program); }};
}

}  // namespace vicino::cli
