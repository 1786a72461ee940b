#include "plat/model/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace vicino::model {
namespace {

class Explorer {
 public:
  Explorer(const Bounds& bounds, const Scenario& scenario) : bounds_(bounds), scenario_(scenario) {
    order_.max_steps = bounds.max_steps;
    order_.random_values = bounds.random_values;
  }

  void mutate(const Mutation& mutation) { order_.mutation = &mutation; }
  void collect(std::vector<SourcePoint>& points) { order_.points = &points; }

  Result search() {
    const unsigned highest = std::max({bounds_.preemptions, bounds_.stale_reads, bounds_.spurious});
    for (unsigned level = 0; level <= highest; ++level) {
      order_.budget = {std::min(level, bounds_.preemptions), std::min(level, bounds_.stale_reads),
                       std::min(level, bounds_.spurious)};
      if (!search_within_budget()) return std::move(result_);
      if (!limited_) break;
    }
    result_.complete = true;
    result_.unbounded = !limited_;
    return std::move(result_);
  }

 private:
  // Returns false when there is no point in going on.
  bool search_within_budget() {
    Explored explored;
    order_.explored = &explored;
    limited_ = false;
    Path path;
    do {
      if (result_.executions++ == bounds_.max_executions) return false;
      const bool failed = run(path) == Execution::Outcome::kFailed;
      if (path.diverged()) return refuse();
      limited_ |= execution_->limited();
      if (failed) {
        order_.explored = nullptr;
        show(shrink(path.options()));
        return false;
      }
    } while (path.advance());
    result_.states = explored.size();
    return true;
  }

  // A search means nothing unless equal choices give equal executions.
  bool refuse() {
    result_.failed = true;
    result_.trace = result_.failure =
        "the scenario behaves differently although its choices are the same";
    return false;
  }

  Execution::Outcome run(Path& path) {
    std::optional<Stage> stage;
    return execution_->run(path, order_, [&] { scenario_(stage.emplace(*execution_)); });
  }

  // The effort for a reader: first the switches and deviations, then the length.
  struct Size {
    unsigned turns;
    unsigned steps;
    auto operator<=>(const Size&) const = default;
  };

  std::vector<unsigned> shrink(std::vector<unsigned> best) {
    Size size = measure(best).value_or(Size{UINT32_MAX, 0});
    while (shorten(best, size)) {
    }
    return best;
  }

  // The search is depth first, so no path before this one fails within the budget. A shorter one
  // can only come after it: one choice is changed, and the later choices are kept or dropped.
  bool shorten(std::vector<unsigned>& best, Size& size) {
    for (std::size_t i = 0; i < best.size(); ++i)
      for (unsigned other = 0; other < kMaxThreads; ++other)
        for (const bool keep : {true, false}) {
          std::vector<unsigned> candidate = best;
          candidate[i] = other;
          if (!keep) candidate.resize(i + 1);
          const auto its = measure(candidate);
          if (!its || !(*its < size)) continue;
          best = std::move(candidate);
          size = *its;
          return true;
        }
    return false;
  }

  // Replaces the options by those that were taken; returns nothing if the execution passes.
  std::optional<Size> measure(std::vector<unsigned>& options) {
    Path path = Path::of(options);
    ++result_.executions;
    if (run(path) != Execution::Outcome::kFailed) return {};
    options = path.options();
    return Size{execution_->switches() + execution_->deviations(), execution_->steps()};
  }

  void show(const std::vector<unsigned>& options) {
    Trace trace;
    order_.trace = &trace;
    Path path = Path::of(options);
    if (run(path) != Execution::Outcome::kFailed) return void(refuse());
    order_.trace = nullptr;
    result_.failed = true;
    result_.failure = execution_->failure();
    result_.steps = trace.steps();
    result_.switches = execution_->switches();
    result_.trace = fmt::format("{}{}\n", trace.text(), result_.failure);
  }

  const Bounds bounds_;
  const Scenario& scenario_;
  Order order_;
  std::unique_ptr<Execution> execution_ = std::make_unique<Execution>();
  Result result_;
  bool limited_ = false;
};

}  // namespace

Result explore(const Bounds& bounds, const Scenario& scenario) {
  return Explorer(bounds, scenario).search();
}

Mutants mutants(const Bounds& bounds, const Scenario& scenario,
                const std::vector<std::string>& files) {
  const auto is_chosen = [&files](const std::string& mutation) {
    return files.empty() || std::ranges::any_of(files, [&](const std::string& file) {
             return mutation.find("(" + file) != std::string::npos;
           });
  };
  std::vector<SourcePoint> points;
  Explorer as_it_is(bounds, scenario);
  as_it_is.collect(points);
  Mutants mutants{as_it_is.search(), {}};
  for (const SourcePoint& point : points)
    for (const Mutation& mutation : weaker(point)) {
      if (!is_chosen(describe(mutation))) continue;
      Explorer broken(bounds, scenario);
      broken.mutate(mutation);
      mutants.all.push_back({describe(mutation), broken.search()});
    }
  return mutants;
}

void fail(std::string_view condition, const Where& where) {
  Execution::current()->fail(fmt::format("{} is false ({})", condition, place(where)));
}

}  // namespace vicino::model
