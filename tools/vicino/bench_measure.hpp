// bench_measure.hpp: runs the jobs of a plan on all runtimes, in rounds.
//
// Why    A machine that gets slower meanwhile slows what runs then. So each job runs on all runtimes, one
//        right after the other and in random order, and this is repeated in rounds, in which the order of
//        the jobs is random too. A comparison is between runs of the same round.
// Time   The first round takes the jobs in the order of their importance and ends when a sixth of the time is
//        over: what has not begun by then is left out. Two more rounds follow in any case, and then rounds of
//        the shortest jobs until the time is over: of as many as get an interval. A job that alone takes a
//        tenth of the time, and three seconds, runs once only.
// Faults A run that fails, hangs or gives a wrong answer takes that runtime out of that job, and the result
//        says so. The programs check their answers, and on which runtime they are.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bench_plan.hpp"
#include "bench_runtimes.hpp"
#include "library.hpp"
#include "process.hpp"

namespace vicino::cli {

inline constexpr int kFewestRounds = 3;

// A runtime as a side of a measurement: with the folder that puts it in the place of any other.
struct BenchSide {
  OtherRuntime runtime;
  bool is_vicino = false;
  ReplacementFolder folder;
  std::string package;
  std::string compilers[2] = {"", ""};  // of the programs that run on it, by ABI; "" if none does
  std::set<std::string> starts;         // the programs that do, by file name

  BenchSide(OtherRuntime of, bool vicino)
      : runtime(std::move(of)), is_vicino(vicino), folder(runtime.file) {}
};

// The figures of one row: a construct, or a run of a program. By side, and then by round.
struct BenchRow {
  std::string section, label;
  Abi abi;
  std::vector<std::vector<std::optional<double>>> ns;

  std::vector<double> of(size_t side) const;                   // the known ones
  std::vector<double> ratios(size_t peer, size_t side) const;  // of a peer's time to the side's
};

struct BenchFault {
  std::string section, job, runtime, why;
  Abi abi;
  bool is_vicino;
};

struct BenchPlan {
  std::filesystem::path kit;
  Environment environment;  // without settings of OpenMP but those for all sides
  std::vector<BenchJob> jobs;
  int threads = 1;
  std::optional<Seconds> budget;
  std::optional<int> rounds;
  uint64_t seed = 0;
};

class BenchMeasurement {
 public:
  // The first side is Vicino.
  BenchMeasurement(BenchPlan plan, std::vector<OtherRuntime> peers, std::filesystem::path vicino);

  // Starts each program on each side that has its ABI. One that does not start is a fault, and is not run on
  // that side: an old libgomp lacks what some of gcc's programs need.
  void look();
  // Asks for the packages of the runtimes.
  void find_packages();
  // `tell` is called before each run. Throws Interrupted.
  void measure(const std::function<void(const BenchMeasurement&, const std::string& next)>& tell);

  const BenchPlan& plan() const noexcept { return plan_; }
  const std::vector<std::unique_ptr<BenchSide>>& sides() const noexcept { return sides_; }
  const std::vector<BenchRow>& rows() const noexcept { return rows_; }
  const std::vector<BenchFault>& faults() const noexcept { return faults_; }
  const std::vector<std::string>& left_out() const noexcept { return left_out_; }
  int rounds() const noexcept { return rounds_; }  // whole ones
  Seconds elapsed() const;
  double progress() const;  // from 0 to 1

 private:
  struct Begun {
    const BenchJob* job;
    std::vector<std::pair<Abi, size_t>> cells;  // an ABI and a side
    size_t rounds = 0;
    double seconds = 0;  // of the first round
  };

  std::optional<std::vector<std::pair<std::string, double>>> run(const BenchJob& job, Abi abi,
                                                                 size_t side);
  void run_round(Begun& begun);
  bool time_is_over() const;
  bool is_compared(const std::string& program) const;
  void first_round();
  std::vector<size_t> repeated() const;
  std::vector<size_t> affordable(std::vector<size_t> jobs) const;
  BenchRow& row(const std::string& section, Abi abi, const std::string& label);

  using Tell = std::function<void(const BenchMeasurement&, const std::string&)>;
  BenchPlan plan_;
  std::vector<std::unique_ptr<BenchSide>> sides_;
  std::vector<BenchRow> rows_;
  std::vector<BenchFault> faults_;
  std::vector<std::string> left_out_;
  std::vector<Begun> begun_;
  int rounds_ = 0;
  std::mt19937_64 random_;
  Tell tell_;
  std::chrono::steady_clock::time_point start_{};
};

}  // namespace vicino::cli
