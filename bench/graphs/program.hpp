// program.hpp: the program around a back end: what it measures, and how answers are checked.
//
//     vicino [--matrix cube:N|spe10:XxYxZ] [--order NAME] [--fill K] [--coarse STRING]...
//            [--pages one|interleaved|strict|flexible|matrix] [--cpus N] [--rounds N] [--steps N]
//     vicino --shape NAME [--tasks N] [--coarse STRING]... [--rounds N]
//
// Times  In each round the serial loops run once, then each coarse string's graphs, so a
//        disturbance of the machine meets all alike. All use the same arrays, so that none finds
//        more of them in the cache. The first round is not reported: it creates the threads. On one
//        thread a time is CPU time, on more it is wall time.
// Lab    A guest counts the coarsening and all rounds. Memory costs time only while it counts.
// Check  After each timed operation its answer is compared with that of the serial loops, which it
//        must equal to the last bit; answers are overwritten before each. The solver's x must have
//        the residual that its recurrence says. In a graph of empty tasks an extra run, not timed,
//        checks for each task that those before it were run, and that it is run once.
#pragma once
#include <sched.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../lab/mark.h"
#include "../kernels/interleaved.hpp"
#include "../kernels/numbers.hpp"
#include "../tasks/threads_asked.hpp"
#include "options.hpp"
#include "solver.hpp"
#include "work.hpp"

#ifdef BENCH_IDENTITY
#include "../micro/identity.hpp"
#endif

namespace bench {

inline constexpr int kWrongResult = 4;  // an exit status

[[noreturn]] inline void refuse(const char* backend, const std::string& coarse, const char* what) {
  std::fprintf(stderr, "refused: %s, coarse string '%s': %s\n", backend, coarse.c_str(), what);
  std::exit(kWrongResult);
}

inline double now_ns() {
  static const clockid_t clock = threads_asked() == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  return clock_ns(clock);
}

template <class Work>
double time_of(const Work& work) {
  const double start = now_ns();
  work();
  return now_ns() - start;
}

// {operation: [ns by round]}
using Samples = std::map<std::string, std::vector<double>>;

inline void print_text(const char* key, std::string_view text) {
  std::printf(",\"%s\":\"", key);
  for (const char c : text)
    if (c == '\n')
      std::printf("\\n");
    else
      std::printf(c == '"' || c == '\\' ? "\\%c" : "%c", c);
  std::printf("\"");
}

inline void print_samples(const Samples& samples) {
  for (const auto& [operation, times] : samples) {
    std::printf(",\"%s\":[", operation.c_str());
    for (size_t i = 0; i < times.size(); ++i) std::printf("%s%.0f", i > 0 ? "," : "", times[i]);
    std::printf("]");
  }
}

inline void print_division(const Division& division) {
  std::printf(",\"units\":%zu,\"unit_edges\":%zu,\"coarsening\":%.0f", division.units,
              division.edges, division.coarsening_ns);
}

// The answers of one way to solve a system.
template <class Entry>
struct Answers {
  std::vector<Entry> value;
  Vector<Entry> y, x, solution;
  Progress progress;

  explicit Answers(const System<Entry>& system)
      : value(system.factor.pattern.entries()),
        y(system.rows()),
        x(system.rows()),
        solution(system.rows()) {}

  void spoil() {
    std::memset(value.data(), 0xFF, value.size() * sizeof(Entry));  // NaN
    for (Vector<Entry>* vector : {&y, &x, &solution})
      std::memset(vector->data(), 0xFF, vector->size() * sizeof(Part<Entry>));
  }
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class Entry>
class Measurement {
 public:
  Measurement(const GraphOptions& options, Matrix<Entry> matrix) : options_(options) {
    system_.matrix = std::move(matrix);
    system_.factor = incomplete(system_.matrix.pattern, options.fill);
    right_.resize(system_.rows());
    for (size_t i = 0; i < right_.size(); ++i) set_right(right_[i], i);
    answers_.emplace(system_);
  }

  template <class Backend>
  void run() {
    if (!is_symmetric(system_.factor.pattern))
      refuse(Backend::kName, "", "the backward solve needs a symmetric pattern");
    const Pattern before = rows_before(system_.factor);
    LAB_START();
    std::vector<std::unique_ptr<Backend>> backends;
    for (const std::string& coarse : options_.coarse)
      backends.push_back(std::make_unique<Backend>(before, coarse));
    if constexpr (Backend::kHasNodes)
      if (are_placed(options_.pages)) place_pages(*backends[0]);
    const SerialLoops<Entry> loops(system_);
    Samples serial;
    std::vector<Samples> found(backends.size());
    for (long round = 0; round <= options_.rounds; ++round) {
      once(loops, *answers_, serial, round > 0);
      if (round == 0) serial_ = *answers_;
      check("serial loops", "");
      check_serial();
      for (size_t i = 0; i < backends.size(); ++i) {
        const OnGraph<Entry, Backend> way(system_, *backends[i]);
        if (round == 0) search(way, *backends[i], options_.coarse[i]);
        once(way, *answers_, found[i], round > 0);
        check(Backend::kName, options_.coarse[i]);
      }
    }
    LAB_STOP();
    print(before.entries(), serial);
    for (size_t i = 0; i < backends.size(); ++i) print(*backends[i], options_.coarse[i], found[i]);
  }

 private:
  template <class Backend>
  void place_pages(Backend& backend) {
    const auto placed = [&](auto&... vectors) {
      place(backend, options_.pages == Pages::kStrict, system_, answers_->value, vectors...);
    };
    if (options_.pages != Pages::kMatrix) return placed(right_, answers_->y, answers_->x);
    placed();
    for (auto* vector : {&right_, &answers_->y, &answers_->x}) Backend::spread(*vector);
  }

  static constexpr double kGoal = 1e-10;
  static constexpr long kMostSteps = 2000;

  static void set_right(double& b, size_t i) { b = chance(12, i) - 0.5; }
  static void set_right(Triple& b, size_t i) {
    for (size_t j = 0; j < 3; ++j) b[j] = chance(12, 3 * i + j) - 0.5;
  }

  template <class Way>
  void once(const Way& way, Answers<Entry>& answers, Samples& samples, bool keep) {
    const auto timed = [&](const char* operation, const auto& work) {
      const double ns = time_of(work);
      if (keep) samples[operation].push_back(ns);
    };
    answers.spoil();
    BiCgStab<Entry, Way> solver(system_, answers.value, way);
    timed("factor", [&] { way.factor(answers.value); });
    timed("forward", [&] { way.forward(answers.value, right_, answers.y); });
    timed("backward", [&] { way.backward(answers.value, answers.y, answers.x); });
    timed("solve", [&] {
      answers.progress = solver.solve(right_, answers.solution, options_.steps > 0 ? 0 : kGoal,
                                      options_.steps > 0 ? options_.steps : kMostSteps);
    });
  }

  // An automatic graph tries coarse strings in its first runs.
  template <class Way, class Backend>
  void search(const Way& way, const Backend&, const std::string& coarse) {
    if (!Backend::kSearches || coarse != kAutomatic) return;
    for (long i = 0; i < options_.searches; ++i) {
      way.factor(answers_->value);
      way.forward(answers_->value, right_, answers_->y);
      way.backward(answers_->value, answers_->y, answers_->x);
    }
  }

  void check_serial() const {
    const double true_residual = residual(system_.matrix, serial_->solution, right_);
    const Progress& progress = serial_->progress;
    if (!(std::abs(true_residual - progress.residual) <= 1e-2 * progress.residual + 1e-12))
      refuse("serial loops", "", "the residual of x is not that of the recurrence");
    if (options_.steps == 0 && !(true_residual <= 2 * kGoal))
      refuse("serial loops", "", "the solver has not solved the system");
  }

  void check(const char* backend, const std::string& coarse) const {
    if (!same_bits(answers_->value, serial_->value))
      refuse(backend, coarse, "the factors differ from the serial loops'");
    if (!same_bits(answers_->y, serial_->y))
      refuse(backend, coarse, "the forward solve differs from the serial loops'");
    if (!same_bits(answers_->x, serial_->x))
      refuse(backend, coarse, "the backward solve differs from the serial loops'");
    if (!same_bits(answers_->solution, serial_->solution))
      refuse(backend, coarse, "the solution differs from the serial loops'");
  }

  // What a forward and a backward solve read and write together.
  size_t solve_bytes() const {
    const size_t entries = system_.factor.pattern.entries();
    return entries * (sizeof(Entry) + sizeof(Index)) +
           system_.rows() * (4 * sizeof(Part<Entry>) + 4 * sizeof(Index));
  }

  // The time of one sweep over the graph's edges, to compare coarsening with.
  double sweep_ns() const {
    const Pattern before = rows_before(system_.factor);
    std::vector<Index> depth(before.rows());
    return time_of([&] {
      for (Index row = 0; row < before.rows(); ++row)
        for (Index at = before.first[row]; at < before.first[row + 1]; ++at)
          depth[row] = std::max(depth[row], depth[before.column[at]] + 1);
    });
  }

  void print(size_t edges, const Samples& serial) const {
    std::printf("{\"kind\":\"serial\",\"rows\":%u,\"edges\":%zu,\"entries\":%zu,\"bytes\":%zu",
                system_.rows(), edges, system_.factor.pattern.entries(), solve_bytes());
    std::printf(",\"steps\":%ld,\"residual\":%g,\"sweep\":%.0f", serial_->progress.steps,
                serial_->progress.residual, sweep_ns());
    print_samples(serial);
    std::printf("}\n");
  }
  template <class Backend>
  static void print(const Backend& backend, const std::string& coarse, const Samples& samples) {
    std::printf("{\"kind\":\"graph\",\"backend\":\"%s\"", Backend::kName);
    print_text("coarse", coarse);
    print_division(backend.division());
    print_text("explanation", backend.explanation());
    print_samples(samples);
    std::printf("}\n");
  }

  const GraphOptions& options_;
  System<Entry> system_;
  Vector<Entry> right_;
  std::optional<Answers<Entry>> serial_, answers_;
};

// The process may use the first of its CPUs, as under taskset. For oneTBB: OpenMP's runtimes may have read the
// mask before main.
inline void keep_to_first_cpus(int most) {
  cpu_set_t may, first;
  CPU_ZERO(&first);
  if (sched_getaffinity(0, sizeof may, &may) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&first) < most; ++cpu)
      if (CPU_ISSET(cpu, &may)) CPU_SET(cpu, &first);
  if (CPU_COUNT(&first) < most || sched_setaffinity(0, sizeof first, &first) != 0)
    reject("cannot have so many CPUs:", std::to_string(most), "as many as the process may use");
}

// The work of an empty task, which the compiler must not leave out.
inline void do_nothing(uint32_t task) { asm volatile("" : : "r"(task)); }

// A graph of empty tasks: its check and its times.
template <class Backend>
class Empty {
 public:
  Empty(const GraphOptions& options, const Pattern& before, const std::string& coarse)
      : options_(options), before_(before), coarse_(coarse), backend_(before, coarse) {}

  void check() {
    std::vector<std::atomic<int>> runs(before_.rows());
    std::atomic<bool> too_early = false;
    const auto body = [&](const auto& tasks) {
      for (const uint32_t task : tasks) {
        // The graph orders a task after those before it; the counts themselves need no order.
        for (Index at = before_.first[task]; at < before_.first[task + 1]; ++at)
          if (runs[before_.column[at]].load(std::memory_order_relaxed) == 0) too_early = true;
        runs[task].fetch_add(1, std::memory_order_relaxed);
      }
    };
    backend_.run(Operation::kForward, Body(body));
    if (too_early)
      refuse(Backend::kName, coarse_, "a task was run before one that comes before it");
    for (const std::atomic<int>& count : runs)
      if (count != 1) refuse(Backend::kName, coarse_, "a task was not run once");
  }

  void run(bool keep) {
    const auto body = [](const auto& tasks) {
      for (const uint32_t task : tasks) do_nothing(task);
    };
    for (long i = 0; !keep && coarse_ == kAutomatic && i < options_.searches; ++i)
      backend_.run(Operation::kForward, Body(body));
    const double ns = time_of([&] { backend_.run(Operation::kForward, Body(body)); });
    if (keep) times_["run"].push_back(ns);
  }

  void print() const {
    std::printf("{\"kind\":\"empty\",\"shape\":\"%s\",\"tasks\":%u,\"edges\":%zu",
                options_.shape->name, before_.rows(), before_.entries());
    std::printf(",\"backend\":\"%s\"", Backend::kName);
    print_text("coarse", coarse_);
    print_division(backend_.division());
    print_samples(times_);
    std::printf("}\n");
  }

 private:
  const GraphOptions& options_;
  const Pattern& before_;
  const std::string coarse_;
  Backend backend_;
  Samples times_;
};

// The same tasks as a plain loop.
inline double empty_loop(Index tasks) {
  return time_of([&] {
    for (uint32_t task = 0; task < tasks; ++task) do_nothing(task);
  });
}

template <class Backend>
void measure_empty(const GraphOptions& options) {
  const Pattern before = options.shape->make(options.tasks);
  std::vector<std::unique_ptr<Empty<Backend>>> graphs;
  for (const std::string& coarse : options.coarse) {
    graphs.push_back(std::make_unique<Empty<Backend>>(options, before, coarse));
    graphs.back()->check();
  }
  Samples serial;
  for (long round = 0; round <= options.rounds; ++round) {
    const double ns = empty_loop(before.rows());
    if (round > 0) serial["run"].push_back(ns);
    for (auto& graph : graphs) graph->run(round > 0);
  }
  std::printf("{\"kind\":\"loop\"");
  print_samples(serial);
  std::printf("}\n");
  for (auto& graph : graphs) graph->print();
}

template <class Backend, class Entry>
void measure_system(const GraphOptions& options, Matrix<Entry> matrix) {
  matrix = ordered(std::move(matrix), options.order, options.grid);
  Measurement<Entry>(options, std::move(matrix)).template run<Backend>();
}

template <class Backend>
int graphs_main(int argc, char** argv) {
  const GraphOptions options = graph_options(argc, argv);
  for (const std::string& coarse : options.coarse)
    if (coarse == kAutomatic && !Backend::kSearches)
      reject(std::string(Backend::kName) + " has no coarse string", coarse, "all others");
  if (are_placed(options.pages) && !Backend::kHasNodes)
    reject("--pages: tasks have no nodes:", Backend::kName, "one, interleaved");
  if (options.pages == Pages::kInterleaved) interleave_all();
  if (options.cpus > 0) keep_to_first_cpus(options.cpus);
#ifdef BENCH_IDENTITY
  identify(options.runtime, team_size());
#endif
  if (options.shape != nullptr)
    measure_empty<Backend>(options);
  else if (options.blocks)
    measure_system<Backend>(options, field(options.grid));
  else
    measure_system<Backend>(options, cube(options.grid));
  return 0;
}

}  // namespace bench
