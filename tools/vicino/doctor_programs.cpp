// doctor_programs.cpp: conditions of a program, and of what one run of it on Vicino has told.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "doctor_finding.hpp"
#include "program.hpp"
#include "say.hpp"
#include "source_lines.hpp"
#include "tune/explanation.hpp"

namespace vicino::cli {
namespace {

using tune::in_words;

std::string in_words(uint64_t ns) { return tune::in_words(static_cast<double>(ns)); }

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

constexpr const char* kTwoTeams =
    "Each has a team for all CPUs, and a thread that waits in one keeps a CPU from the other: of "
    "four programs at once on two CPUs, with loops of 20 us, libgomp's took more than 12 times the "
    "least time, Vicino's 1.4 times.";

const ProgramRun* run_of(const Surrounding& facts) {
  return facts.program && facts.program->run ? &*facts.program->run : nullptr;
}

// How many times as long a run takes that could do without `lost_ns`.
double times_with(double lost_ns, const ProgramRun& run) {
  const double all = run.busy_ns();
  return all / std::max(all - lost_ns, all / 100);
}

Findings not_on_vicino(const Surrounding& facts) {
  if (!facts.program || facts.program->refusal.empty()) return {};
  return {{.what = "The program cannot run on Vicino, so its loops were not looked at.",
           .seen = {facts.program->refusal},
           .cost = "It keeps its own OpenMP runtime.",
           .source = "docs/reference/run.md",
           .mend = facts.program->refusal.ends_with("statically linked") ? "cc -fopenmp SOURCE.c"
                                                                         : "man vicino-run"}};
}

Findings two_runtimes(const Surrounding& facts) {
  if (!facts.program) return {};
  std::vector<std::string> seen;
  for (const LinkedRuntime& each : facts.program->linked)
    seen.push_back(fmt::format("{} needs {}", each.user, each.name));
  if (const ProgramRun* run = run_of(facts))
    for (const LoadedRuntime& each : run->runtimes)
      seen.push_back(fmt::format("{} was loaded", each.path));
  if (seen.size() < 2) return {};
  return {{.what = fmt::format("{} OpenMP runtimes are in one process.", seen.size()),
           .seen = seen,
           .cost = kTwoTeams,
           .source = "bench/crowded/performance.json: loop-20us, copies at once",
           .times = 12,
           .mend = fmt::format("vicino run -- {}", facts.program->command)}};
}

Findings stays_foreign(const Surrounding& facts) {
  const ProgramRun* run = run_of(facts);
  if (run == nullptr) return {};
  Findings found;
  for (const LoadedRuntime& each : run->runtimes) {
    if (each.user.empty()) continue;
    found.push_back(
        {.what = "A library runs its parallel regions on a runtime of its own, on Vicino, too.",
         .seen = {fmt::format("{} is bound to {} by {}", each.user, each.path, each.entry)},
         .cost = kTwoTeams,
         .source =
             "bench/crowded/performance.json: loop-20us, copies at once; docs/reference/run.md",
         .times = 12,
         .mend = fmt::format("mv {0} {0}.own && ln -s {1} {0}", quoted({each.path}),
                             quoted({facts.program->library}))});
  }
  return found;
}

// Regions of so little work that the team's start and end weigh: some 0.2 us for two threads, and more for more.
Findings small_regions(const Surrounding& facts) {
  const ProgramRun* run = run_of(facts);
  if (run == nullptr || facts.settings.dynamic) return {};
  constexpr uint64_t kMany = 1000;
  constexpr double kSmallNs = 2000;  // for each thread
  constexpr double kShare = 0.05;    // of the run
  Findings found;
  for (const Meeting& each : run->meetings) {
    const double work =
        static_cast<double>(each.work_ns) / static_cast<double>(each.executions) / each.threads;
    if (each.is_single || each.executions < kMany || work >= kSmallNs) continue;
    uint64_t ns = 0;
    for (const RegionKind& kind : run->regions)
      if (kind.threads > 1 && !kind.inner) ns += kind.ns;
    if (static_cast<double>(ns) < kShare * run->seconds * 1e9) continue;
    found.push_back(
        {.what = fmt::format("Parallel work at {} is too small for a team.", each.where),
         .seen = {fmt::format("{} on {}, {} of work for each thread",
                              several(static_cast<int>(each.executions), "execution"),
                              several(each.threads, "thread"), in_words(work))},
         .cost = "An empty region of two threads takes 0.16 us on Vicino, 0.25 to 0.43 us on "
                 "libgomp, libomp and libiomp5, and on more threads, or on CPUs that are far from "
                 "each other, more.",
         .source = "bench/performance.md: constructs, 2 threads",
         .mend =
             fmt::format("OMP_DYNAMIC=true vicino run --explain -- {}", facts.program->command)});
  }
  return found;
}

std::string shares(const Meeting& meeting) {
  std::string text;
  constexpr size_t kMostShown = 8;
  for (size_t i = 0; i < std::min(kMostShown, meeting.by_thread.size()); ++i)
    text += fmt::format(
        "{}{}", i == 0 ? "" : ", ",
        percent(static_cast<double>(meeting.by_thread[i]) / static_cast<double>(meeting.work_ns)));
  return meeting.by_thread.size() > kMostShown ? text + ", ..." : text;
}

bool is_fortran(const Program& program, const std::string& source) {
  const std::string kind = std::filesystem::path(source).extension().string();
  return kind.starts_with(".f") || kind.starts_with(".F") ||
         std::ranges::any_of(program.linked, &LinkedRuntime::is_fortran);
}

// What lets threads take the loop's iterations as they come. Static loops keep their blocks: a program may count on two of
// them giving the same iterations to the same threads, as VICINO_STATIC=tuned does not, and only its source tells.
std::string let_it_choose(const Surrounding& facts, const Meeting& meeting) {
  if (meeting.has_chunks)
    return fmt::format("vicino run --schedule nich -- {}", facts.program->command);
  const bool is_set = std::ranges::any_of(facts.variables, [](const auto& variable) {
    return variable.first == "OMP_SCHEDULE" && variable.second != "auto";
  });
  if (meeting.has_blocks && is_set)
    return fmt::format("OMP_SCHEDULE=auto vicino run -- {}", facts.program->command);
  const std::string source =
      is_source_line(meeting.where) ? meeting.where.substr(0, meeting.where.rfind(':')) : "";
  if (is_fortran(*facts.program, source))
    return "schedule(runtime) in the loop's !$omp do, by hand: vicino convert knows C and C++";
  return fmt::format(
      "vicino convert --in-place {}, or schedule(runtime) by hand in place of its clause",
      source.empty() ? "SOURCE.c" : quoted({source}));
}

bool others_wanted_cpus(const std::string& remark) {
  return remark.starts_with("other processes wanted");
}

// Whether it says little that one thread got more pieces of the work than another: other processes had its core, or Vicino
// ran regions on one thread because they were too short for two.
bool shares_are_by_chance(const ProgramRun& run) {
  const auto is_alone = [](const RegionKind& kind) { return kind.alone && !kind.inner; };
  return std::ranges::any_of(run.remarks, others_wanted_cpus) ||
         std::ranges::any_of(run.regions, is_alone);
}

// Work of which one thread has more than the others, who wait for it.
Findings uneven(const Surrounding& facts) {
  const ProgramRun* run = run_of(facts);
  if (run == nullptr) return {};
  constexpr double kUneven = 0.15, kShare = 0.03;
  constexpr double kShortNs = 20'000;  // a shorter one is uneven by what wakes its threads
  Findings found;
  for (const Meeting& each : run->meetings) {
    const auto longest = static_cast<double>(each.longest_ns);
    if (each.is_single || each.threads < 2 ||
        longest / static_cast<double>(each.executions) < kShortNs)
      continue;
    if (each.has_chunks && shares_are_by_chance(*run)) continue;
    const double lost = longest - each.mean_ns();
    if (lost < kUneven * longest || lost < kShare * run->busy_ns()) continue;
    Finding one;
    one.what = fmt::format("Work up to {} is uneven: threads wait for the one that has the most.",
                           each.where);
    one.seen = {fmt::format("{} on {}, {} of CPU time each",
                            several(static_cast<int>(each.executions), "execution"),
                            several(each.threads, "thread"),
                            in_words(longest / static_cast<double>(each.executions))),
                fmt::format("shares of the threads: {}; of the busiest one in each execution: {}",
                            shares(each), percent(longest / static_cast<double>(each.work_ns))),
                fmt::format("cut evenly, {} of {} would be gained; the run took {}", in_words(lost),
                            in_words(longest), in_words(run->busy_ns()))};
    one.times = times_with(lost, *run);
    one.cost = fmt::format(
        "The run takes {:.2f} times as long as with even work. A static loop over a triangle took "
        "2.0 times as long as the best schedule.",
        one.times);
    one.source = "this run; bench/loops/performance.json: triangles, 2 threads";
    one.mend = let_it_choose(facts, each);
    found.push_back(one);
  }
  return found;
}

// Loops that leave their schedule to Vicino: it has found a better one, and forgets it when the program ends.
Findings learnt_in_vain(const Surrounding& facts) {
  const ProgramRun* run = run_of(facts);
  if (run == nullptr || !facts.settings.profile.empty()) return {};
  constexpr double kBetter = 0.9, kShare = 0.03;
  Findings found;
  for (const tune::ProfileEntry& each : run->learnt) {
    if (each.key.objective != "time" || each.progress != tune::Progress::kSettled ||
        each.executions == 0)
      continue;
    if (each.best.with == each.by_default.with || each.best.cost > kBetter * each.by_default.cost)
      continue;
    const auto explored = static_cast<double>(each.explored_ns);
    if (explored < kShare * run->busy_ns()) continue;
    const std::string where = each.where.empty() ? std::string("a loop") : each.where;
    found.push_back(
        {.what = fmt::format(
             "{} is faster otherwise than by default, and each run finds that out anew.", where),
         .seen = {fmt::format("{}: {} against {} for {}", in_words(each.best.with),
                              tune::cost_of_execution(each, each.best.cost),
                              tune::cost_of_execution(each, each.by_default.cost),
                              in_words(each.by_default.with)),
                  fmt::format("trying took {} of {}", in_words(explored), in_words(each.total_ns))},
         .cost = fmt::format("Trying took {} of this run.", percent(explored / run->busy_ns())),
         .source = "this run",
         .times = times_with(explored * (1 - each.best.cost / each.by_default.cost), *run),
         .mend = fmt::format("vicino run --profile -- {}", facts.program->command)});
  }
  return found;
}

// As the library says it (src/site/advice.cpp) where a known library may have fewer threads and others wanted its CPUs.
bool leaves_cpus(const std::string& remark) {
  return remark.find(", and fewer were used, as other processes wanted") != remark.npos;
}

// Outermost regions; inner ones have one thread unless levels are allowed, which is right for most programs.
Findings fewer_than_asked(const Surrounding& facts) {
  const ProgramRun* run = run_of(facts);
  if (run == nullptr || facts.settings.dynamic || facts.settings.mold != config::Mold::kNone)
    return {};
  if (std::ranges::any_of(run->remarks, leaves_cpus)) return {};
  Findings found;
  for (const RegionKind& each : run->regions) {
    if (each.inner || each.alone || each.asked <= each.threads) continue;
    const bool limited = facts.settings.thread_limit < each.asked;
    found.push_back(
        {.what = "Regions get fewer threads than they ask for.",
         .seen = {fmt::format("{} on {} where {} were asked for, {} together",
                              several(static_cast<int>(each.regions), "region"),
                              several(each.threads, "thread"), each.asked, in_words(each.ns)),
                  limited
                      ? fmt::format("OMP_THREAD_LIMIT is {}", facts.settings.thread_limit)
                      : std::string(
                            "no setting says so: the program did, or the system refused threads")},
         .cost = fmt::format(
             "Work that is shared evenly takes up to {:.2g} times as long in these regions.",
             static_cast<double>(each.asked) / each.threads),
         .source = "docs/explain/machine.md",
         .mend = limited ? "unset OMP_THREAD_LIMIT" : "ulimit -u unlimited"});
  }
  return found;
}

// By a num_threads clause or omp_set_num_threads(); OMP_NUM_THREADS is told as "threads".
Findings clause_asks_too_many(const Surrounding& facts) {
  const ProgramRun* run = run_of(facts);
  if (run == nullptr || run->cpus == 0 || facts.settings.dynamic) return {};
  const auto& set = facts.settings.num_threads;
  uint64_t regions = 0, ns = 0;
  int most = 0;
  for (const RegionKind& each : run->regions) {
    if (each.inner || each.alone || each.threads <= run->cpus) continue;
    if (!set.empty() && each.threads == set[0]) continue;
    regions += each.regions;
    ns += each.ns;
    most = std::max(most, each.threads);
  }
  if (regions == 0) return {};
  return {{.what = fmt::format("The program itself asks for more threads than {}.",
                               several(run->cpus, "CPU")),
           .seen = {fmt::format("{} of up to {}, {} together",
                                several(static_cast<int>(regions), "region"),
                                several(most, "thread"), in_words(ns))},
           .cost = "An empty region of 4 threads on 2 CPUs took 4.1 us on Vicino and 37 us on "
                   "libgomp; one of 2 threads took 0.16 us and 0.43 us.",
           .source = "bench/performance.md: more threads than cores; constructs, 2 threads",
           .times = 1.4,
           .mend = fmt::format("OMP_DYNAMIC=true vicino run -- {}", facts.program->command)}};
}

// The library watches how long its threads wait for CPUs (src/site/advice.cpp).
Findings crowded_run(const Surrounding& facts) {
  const ProgramRun* run = run_of(facts);
  if (run == nullptr) return {};
  for (const std::string& remark : run->remarks)
    if (others_wanted_cpus(remark))
      return {{.what = "Other processes wanted the CPUs while the program ran.",
               .seen = {remark.substr(0, remark.find(": OMP_DYNAMIC"))},
               .cost = "Beside one endless process, loops of 20 us took 1.9 times the least "
                       "time, and 1.4 times with OMP_DYNAMIC=true.",
               .source = "bench/crowded/performance.json: loop-20us, beside endless processes",
               .times = 1.9,
               .mend = fmt::format("OMP_DYNAMIC=true vicino run -- {}", facts.program->command)}};
  return {};
}

constexpr std::array<Condition, 9> kConditions = {{
    {"not-on-vicino", not_on_vicino},
    {"runtimes", two_runtimes},
    {"foreign", stays_foreign},
    {"small", small_regions},
    {"uneven", uneven},
    {"profile", learnt_in_vain},
    {"fewer", fewer_than_asked},
    {"clause", clause_asks_too_many},
    {"crowded", crowded_run},
}};

}  // namespace

std::span<const Condition> conditions_of_programs() { return kConditions; }

}  // namespace vicino::cli
