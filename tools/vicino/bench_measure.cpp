#include "bench_measure.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/elf.hpp"
#include "base/version.hpp"
#include "say.hpp"
#include "stats.hpp"

namespace vicino::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Figures = std::vector<std::pair<std::string, double>>;

constexpr double kFirstRound = 1.0 / 6;  // of the time
constexpr double kOnceOnly = 1.0 / 10;   // of the time, for a job's first round
constexpr Seconds kShort{3};  // but a job that is shorter than this is repeated in any case

// What a program says in lines of JSON, each one object; none for another line.
std::optional<nlohmann::json> object_of(std::string_view line) {
  if (!line.starts_with('{')) return std::nullopt;
  auto parsed = nlohmann::json::parse(line, nullptr, false);
  return parsed.is_object() ? std::optional(std::move(parsed)) : std::nullopt;
}

template <class Use>
void each_object(const std::string& text, const Use& use) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (const auto object = object_of(std::string_view(text).substr(at, end - at))) use(*object);
    at = end + 1;
  }
}

// micro prints a line for each construct; a kernel's program one for all of its runs.
Figures figures_of(const BenchJob& job, const std::string& out) {
  Figures figures;
  each_object(out, [&](const nlohmann::json& line) {
    const std::string kind = line.value("kind", "");
    if (kind == "time") {
      figures.emplace_back(
          fmt::format("{}: {}", line.value("construct", ""), line.value("unit", "")),
          line.value("ns", 0.0));
    } else if (kind == "kernel" && line.contains("ns")) {
      const auto& ns = line["ns"];
      const auto runs =
          ns.is_array() ? ns.get<std::vector<double>>() : std::vector{ns.get<double>()};
      figures.emplace_back(job.label, spread_of(runs).median);
    }
  });
  std::erase_if(figures, [](const auto& figure) { return !(figure.second > 0); });
  return figures;
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::string why_it_failed(const Outcome& outcome) {
  const std::string said = last_line(outcome.err);
  return how_it_ended(outcome) + (said.empty() ? "" : ": " + said);
}

std::string file_of(const BenchJob& job, Abi abi) {
  return fmt::format("{}-{}", job.program, name_of(abi));
}

}  // namespace

std::vector<double> BenchRow::of(size_t side) const {
  std::vector<double> known;
  for (const auto& each : ns[side])
    if (each) known.push_back(*each);
  return known;
}

std::vector<double> BenchRow::ratios(size_t peer, size_t side) const {
  std::vector<double> found;
  for (size_t i = 0; i < std::min(ns[peer].size(), ns[side].size()); ++i)
    if (ns[peer][i] && ns[side][i]) found.push_back(*ns[peer][i] / *ns[side][i]);
  return found;
}

BenchMeasurement::BenchMeasurement(BenchPlan plan, std::vector<OtherRuntime> peers,
                                   std::filesystem::path vicino)
    : plan_(std::move(plan)), random_(plan_.seed) {
  OtherRuntime ours{.name = "Vicino",
                    .file = std::move(vicino),
                    .found = "this package",
                    .runs_gcc = true,
                    .runs_clang = true};
  sides_.push_back(std::make_unique<BenchSide>(std::move(ours), true));
  for (OtherRuntime& peer : peers)
    sides_.push_back(std::make_unique<BenchSide>(std::move(peer), false));
}

void BenchMeasurement::look() {
  for (const BenchJob& start : bench_starts()) {
    if (std::ranges::none_of(plan_.jobs, [&](auto& job) { return job.program == start.program; }))
      continue;
    for (size_t i = 0; i < sides_.size(); ++i)
      for (const Abi abi : {Abi::kGcc, Abi::kClang}) {
        const std::string file = file_of(start, abi);
        if (sides_[i]->runtime.runs(abi) && std::filesystem::exists(plan_.kit / file) &&
            run(start, abi, i))
          sides_[i]->starts.insert(file);
      }
  }
}

void BenchMeasurement::find_packages() {
  for (const auto& side : sides_) {
    side->package =
        side->is_vicino ? std::string("vicino ") + version() : package_of(side->runtime.file);
    if (side->package.empty())
      if (const std::string id = build_id_of(side->runtime.file.string()); !id.empty())
        side->package = "build-id " + id.substr(0, 16);
  }
}

std::optional<Figures> BenchMeasurement::run(const BenchJob& job, Abi abi, size_t at) {
  BenchSide& side = *sides_[at];
  Environment environment = plan_.environment;
  environment.set("OMP_NUM_THREADS", std::to_string(plan_.threads));
  for (const auto& [name, value] : job.settings) environment.set(name, value);
  side.folder.apply_to(environment);
  Words command = {(plan_.kit / file_of(job, abi)).string()};
  command.insert(command.end(), job.arguments.begin(), job.arguments.end());
  command.insert(command.end(), {"--runtime", side.runtime.file.string()});
  const double limit = std::clamp(plan_.budget.value_or(Seconds(1800)).count() / 15, 20.0, 120.0);
  const Outcome outcome = run_together(command, environment, Seconds(limit), 1)[0];
  if (outcome.interrupted != 0) throw Interrupted{outcome.interrupted};
  if (!outcome.succeeded()) {
    faults_.push_back({.section = job.section,
                       .job = job.label,
                       .runtime = side.runtime.name,
                       .why = outcome.timed_out ? fmt::format("no end within {:.0f} s", limit)
                                                : why_it_failed(outcome),
                       .abi = abi,
                       .is_vicino = side.is_vicino});
    return std::nullopt;
  }
  each_object(outcome.out, [&](const nlohmann::json& line) {
    if (line.value("kind", "") == "process")
      side.compilers[static_cast<size_t>(abi)] = line.value("compiler", "");
  });
  return figures_of(job, outcome.out);
}

BenchRow& BenchMeasurement::row(const std::string& section, Abi abi, const std::string& label) {
  const auto found = std::ranges::find_if(rows_, [&](const BenchRow& row) {
    return row.section == section && row.abi == abi && row.label == label;
  });
  if (found != rows_.end()) return *found;
  rows_.push_back({.section = section, .label = label, .abi = abi, .ns = {}});
  rows_.back().ns.resize(sides_.size());
  return rows_.back();
}

void BenchMeasurement::run_round(Begun& begun) {
  std::ranges::shuffle(begun.cells, random_);
  std::vector<std::pair<Abi, size_t>> remaining;
  for (const auto& [abi, side] : begun.cells) {
    tell_(*this,
          fmt::format("{}, {} on {}", begun.job->label, name_of(abi), sides_[side]->runtime.name));
    const auto figures = run(*begun.job, abi, side);
    if (!figures) continue;
    remaining.emplace_back(abi, side);
    for (const auto& [label, ns] : *figures) {
      auto& values = row(begun.job->section, abi, label).ns[side];
      values.resize(begun.rounds + 1);
      values[begun.rounds] = ns;
    }
  }
  begun.cells = std::move(remaining);
  ++begun.rounds;
}

bool BenchMeasurement::time_is_over() const { return plan_.budget && elapsed() >= *plan_.budget; }

// Whether another runtime starts the program: without one, Vicino's figures would have no neighbour.
bool BenchMeasurement::is_compared(const std::string& program) const {
  return std::any_of(sides_.begin() + 1, sides_.end(),
                     [&](const auto& side) { return side->starts.contains(program); });
}

void BenchMeasurement::first_round() {
  for (const BenchJob& job : plan_.jobs) {
    if (plan_.budget && !begun_.empty() && elapsed() > *plan_.budget * kFirstRound) {
      left_out_.push_back(fmt::format("{}: {}", job.section, job.label));
      continue;
    }
    Begun begun{.job = &job, .cells = {}};
    for (size_t i = 0; i < sides_.size(); ++i)
      for (const Abi abi : {Abi::kGcc, Abi::kClang})
        if (sides_[i]->starts.contains(file_of(job, abi)) && is_compared(file_of(job, abi)) &&
            (i == 0 || !job.is_for_vicino))
          begun.cells.emplace_back(abi, i);
    const Clock::time_point start = Clock::now();
    run_round(begun);
    begun.seconds = Seconds(Clock::now() - start).count();
    begun_.push_back(std::move(begun));
  }
  rounds_ = 1;
}

// The jobs that are repeated at all.
std::vector<size_t> BenchMeasurement::repeated() const {
  std::vector<size_t> jobs;
  for (size_t i = 0; i < begun_.size(); ++i)
    if (!plan_.budget || begun_[i].seconds < std::max(*plan_.budget * kOnceOnly, kShort).count())
      jobs.push_back(i);
  return jobs;
}

// The shortest of the jobs, as many as can have the rounds that an interval needs in the time that is left.
std::vector<size_t> BenchMeasurement::affordable(std::vector<size_t> jobs) const {
  std::ranges::sort(jobs, {}, [&](size_t i) { return begun_[i].seconds; });
  double seconds = (*plan_.budget - elapsed()).count() / (kFewestPairs - kFewestRounds);
  const auto end =
      std::ranges::find_if(jobs, [&](size_t i) { return (seconds -= begun_[i].seconds) < 0; });
  if (end != jobs.begin()) jobs.erase(end, jobs.end());
  return jobs;
}

void BenchMeasurement::measure(const Tell& tell) {
  tell_ = tell;
  start_ = Clock::now();
  first_round();
  std::vector<size_t> order = repeated();
  const int wanted = plan_.rounds.value_or(1'000'000);
  while (rounds_ < wanted && !order.empty() && !(time_is_over() && rounds_ >= kFewestRounds)) {
    if (plan_.budget && rounds_ == kFewestRounds) order = affordable(std::move(order));
    std::ranges::shuffle(order, random_);
    for (const size_t i : order) {
      if (time_is_over() && rounds_ >= kFewestRounds) return;
      run_round(begun_[i]);
    }
    ++rounds_;
  }
}

Seconds BenchMeasurement::elapsed() const {
  return start_ == Clock::time_point{} ? Seconds(0) : Seconds(Clock::now() - start_);
}

double BenchMeasurement::progress() const {
  const double by_rounds = plan_.rounds ? static_cast<double>(rounds_) / *plan_.rounds : 0;
  const double by_time = plan_.budget ? elapsed() / *plan_.budget : 0;
  return std::min(1.0, std::max(by_rounds, by_time));
}

}  // namespace vicino::cli
