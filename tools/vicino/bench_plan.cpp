#include "bench_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace vicino::cli {
namespace {

constexpr BenchSection kSections[] = {
    {"constructs", "Constructs",
     "The time of one operation, with no work in it: the median of batches of a millisecond."},
    {"tasks", "Tasks", "Whole runs of programs that are made of explicit tasks."},
    {"loops", "Loops under schedules",
     "Runs of programs whose loops say schedule(runtime). OMP_SCHEDULE names the schedule; "
     "`unset` is what a runtime takes by itself; `nich` and `ich` are Vicino's own."},
    {"numa", "Taskloops over large arrays",
     "Runs of simulations. Each step goes over the same arrays, so a runtime that brings an "
     "iteration back to the node of its data has fewer accesses to other nodes. On a machine of "
     "one node they show the cost of taskloops alone."},
};

// Constructs that a process measures together. If one of them fails, the figures of the others are lost.
constexpr const char* kConstructs[] = {
    "parallel,parallel_for,parallel_1,parallel_if,parallel_nested",
    "line,barrier",
    "for,for_nowait,static_chunk",
    "dynamic,dynamic_monotonic,dynamic_8,dynamic_loop,runtime_1us,guided",
    "parallel_tasks,master_tasks,task_undeferred",
    "taskwait,taskgroup,nested_tasks,nested_master",
    "parallel_reduction,for_reduction,for_reduction_3",
    "single,single_nowait,copyprivate,masked,sections",
    "taskloop,taskloop_whole",
    "depend_chain,depend_free",
    "barrier_tasks,barrier_after",
    "critical,critical_named,atomic_fallback",
    "lock,lock_contended",
    "nest_lock,nest_lock_again,nest_lock_contended",
    "ordered,ordered_dynamic",
    "doacross,doacross_chunk,doacross_dynamic,doacross_by_hand",
    "doacross_grid,doacross_grid_dynamic",
    "parallel_scan",
    "teams_distribute,teams_distribute_parallel",
    "alloc_64,alloc_4096,alloc_pool",
};

struct Sized {
  const char* kernel;
  long size;
};
constexpr Sized kTasks[] = {
    {"fib", 24},       {"sort", 1'000'000},     {"sparselu", 30},
    {"uts", 15},       {"wavefront", 200},      {"producer_1us", 20'000},
    {"health", 5},     {"nqueens", 10},         {"strassen", 3},
    {"fft", 16},       {"floorplan", 8},        {"alignment", 60},
    {"fib_first", 26}, {"producer_0", 50'000},  {"chain", 50'000},
    {"trees", 200},    {"producer_100us", 500},
};

struct Input {
  const char* kernel;
  const char* input;
};
constexpr Input kLoops[] = {
    {"spmv", "power"},   {"mandelbrot", ""},       {"cg", ""},     {"bfs", "power"},
    {"galaxy", ""},      {"triangles", ""},        {"jacobi", ""}, {"lu", ""},
    {"synthetic", "up"}, {"kmeans", ""},           {"boxes", ""},  {"pathfinder", ""},
    {"spmv", "blocks"},  {"synthetic", "uniform"},
};
struct Schedule {
  const char* name;
  const char* variable;
  bool is_for_vicino = false;
};
constexpr Schedule kSchedules[] = {
    {"unset", ""},
    {"static", "OMP_SCHEDULE"},
    {"dynamic", "OMP_SCHEDULE"},
    {"nich", "VICINO_SCHEDULE", true},
    {"guided", "OMP_SCHEDULE"},
    {"ich", "VICINO_SCHEDULE", true},
};

// A kernel's arrays have this many dimensions, each of the size.
struct Simulation {
  const char* kernel;
  long size;
  int dimensions;
  bool power_of_two = false;
};
constexpr Simulation kSimulations[] = {
    {"cg", 36'000, 1},  {"sp", 20, 3}, {"ft", 32, 3, true}, {"hydro", 14, 3},
    {"matmul", 128, 2}, {"lu", 16, 3}, {"bt", 15, 3},       {"bandwidth", 300, 0},
};

std::vector<BenchJob> constructs() {
  std::vector<BenchJob> jobs;
  for (const char* names : kConstructs)
    jobs.push_back({.section = "constructs",
                    .program = "micro",
                    .arguments = {"--ms", "4", "--only", names},
                    .label = names,
                    .settings = {}});
  return jobs;
}

std::vector<BenchJob> tasks() {
  std::vector<BenchJob> jobs;
  for (const auto& [kernel, size] : kTasks)
    jobs.push_back({.section = "tasks",
                    .program = "tasks",
                    .arguments = {kernel, "--size", std::to_string(size), "--repeat", "3"},
                    .label = fmt::format("{} {}", kernel, size),
                    .settings = {}});
  return jobs;
}

std::vector<BenchJob> loops(int threads) {
  const double scale = std::clamp(threads / 4.0, 0.5, 16.0);
  std::vector<BenchJob> jobs;
  for (const Schedule& schedule : kSchedules)
    for (const auto& [kernel, input] : kLoops) {
      const bool has_input = *input != '\0';
      BenchJob job{
          .section = "loops",
          .program = "loops",
          .arguments = {kernel, "--scale", fmt::format("{:.3g}", scale), "--repeat", "3"},
          .label = fmt::format("{}{}{}, {}", kernel, has_input ? "-" : "", input, schedule.name),
          .settings = {},
          .is_for_vicino = schedule.is_for_vicino};
      if (has_input) job.arguments.insert(job.arguments.end(), {"--input", input});
      if (*schedule.variable != '\0') job.settings.emplace_back(schedule.variable, schedule.name);
      jobs.push_back(std::move(job));
    }
  return jobs;
}

long grown(const Simulation& of, double factor) {
  if (of.dimensions == 0) return of.size;  // an amount for each thread
  const double size = static_cast<double>(of.size) * std::pow(factor, 1.0 / of.dimensions);
  return of.power_of_two ? 1L << std::lround(std::log2(size)) : std::lround(size);
}

std::vector<BenchJob> simulations(int threads) {
  const double factor = std::clamp(threads / 8.0, 1.0, 16.0);
  std::vector<BenchJob> jobs;
  for (const Simulation& each : kSimulations) {
    const std::string size = std::to_string(grown(each, factor));
    jobs.push_back(
        {.section = "numa",
         .program = "numa",
         .arguments = {each.kernel, "--form", "taskloop", "--size", size, "--steps", "40"},
         .label = fmt::format("{} {}", each.kernel, size),
         .settings = {}});
  }
  return jobs;
}

bool is_in(const std::string& name, std::span<const std::string> words) {
  return std::ranges::find(words, name) != words.end();
}

// Leaves of a job what the words name. False if they name nothing of it.
bool narrow(BenchJob& job, std::span<const std::string> words) {
  if (words.empty() || is_in(job.section, words)) return true;
  if (job.section != "constructs") return is_in(job.arguments[0], words);
  std::istringstream names(job.label);
  std::string left;
  for (std::string name; std::getline(names, name, ',');)
    if (is_in(name, words)) left += (left.empty() ? "" : ",") + name;
  job.label = job.arguments.back() = left;
  return !left.empty();
}

}  // namespace

std::span<const BenchSection> bench_sections() { return kSections; }

std::vector<BenchJob> bench_jobs(std::span<const std::string> words, int threads) {
  std::array<std::vector<BenchJob>, 4> by_section = {constructs(), tasks(), loops(threads),
                                                     simulations(threads)};
  std::vector<BenchJob> jobs;
  for (size_t turn = 0, seen = 1; seen > 0; ++turn) {
    seen = 0;
    for (std::vector<BenchJob>& from : by_section) {
      if (turn >= from.size()) continue;
      ++seen;
      if (narrow(from[turn], words)) jobs.push_back(std::move(from[turn]));
    }
  }
  return jobs;
}

std::vector<BenchJob> bench_starts() {
  std::vector<BenchJob> starts;
  for (const auto& [program, arguments] :
       {std::pair<std::string, Words>{"micro", {"--only", "none"}},
        {"tasks", {"fib", "--size", "1", "--repeat", "1"}},
        {"loops", {"mandelbrot", "--scale", "0.001", "--repeat", "1"}},
        {"numa", {"matmul", "--size", "1", "--steps", "1"}}})
    starts.push_back({.section = "",
                      .program = program,
                      .arguments = arguments,
                      .label = "start of " + program,
                      .settings = {}});
  return starts;
}

bool names_bench_job(const std::string& word) { return !bench_jobs({&word, 1}, 1).empty(); }

}  // namespace vicino::cli
