#include "graph/plan.hpp"

#include <utility>

namespace vicino::graph {
namespace {

constexpr plat::Budget kPatience{.ns = 10'000};

}  // namespace

std::unique_ptr<Run> Plan::take_run() {
  std::unique_ptr<Run> run;
  lock_.acquire(kPatience);
  if (!spare_.empty()) {
    run = std::move(spare_.back());
    spare_.pop_back();
  }
  lock_.release();
  return run != nullptr ? std::move(run) : std::make_unique<Run>(coarse_.graph);
}

void Plan::give_back(std::unique_ptr<Run> run) noexcept {
  lock_.acquire(kPatience);
  try {
    spare_.push_back(std::move(run));
  } catch (const std::bad_alloc&) {  // then it is made again
  }
  lock_.release();
}

}  // namespace vicino::graph
