#include "region/told_graph.hpp"

#include "event/start.hpp"
#include "plat/plat.hpp"

namespace vicino::region {

using ompt::Endpoint;
using ompt::Event;
using ompt::tell;

namespace {

uint64_t next_number() noexcept {
  static constinit plat::atomic<uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + uint64_t{1};
}

}  // namespace

bool ToldGraph::is_wanted() noexcept {
  return event::is_on() && ompt::callback(Event::kGraph) != nullptr;
}

ToldGraph::ToldGraph(const graph::Plan& plan, const GraphCall& call, const void* code,
                     RunList run_list)
    : plan_(plan),
      call_(call),
      code_(code),
      run_list_(run_list),
      number_(next_number()),
      aggregate_of_(new uint32_t[plan.coarse().tasks.items().size()]) {
  const graph::Rows& tasks = plan.coarse().tasks;
  for (uint32_t i = 0; i < tasks.size(); ++i) aggregate_of_[tasks[i].front()] = i;
  const void* const caller = ompt::thread != nullptr ? ompt::thread->caller.address : nullptr;
  tell(Event::kGraph, Endpoint::kBegin, caller, uint64_t{tasks.size()});
}

ToldGraph::~ToldGraph() {
  tell(Event::kGraph, Endpoint::kEnd, static_cast<const void*>(nullptr), uint64_t{0});
}

GraphCall ToldGraph::call() noexcept {
  GraphCall its = call_;
  its.body = run;
  its.range = nullptr;
  its.data = this;
  return its;
}

// A thread that runs the whole graph gets lists of several aggregates: what waits for the first of these is not told then.
int ToldGraph::run(const uint32_t* tasks, size_t count, void* told) {
  const ToldGraph& its = *static_cast<const ToldGraph*>(told);
  const uint32_t aggregate = its.aggregate_of_[tasks[0]];
  std::span<const uint32_t> after;
  if (its.plan_.tasks_of(aggregate).size() == count)
    after = its.plan_.coarse().graph.after(aggregate);
  const auto tell_it = [&](Endpoint endpoint) {
    tell(Event::kAggregate, endpoint, its.code_, its.number_, aggregate,
         static_cast<uint32_t>(count), after.data(), after.size());
  };
  tell_it(Endpoint::kBegin);
  const int said = its.run_list_(its.call_, {tasks, count});
  tell_it(Endpoint::kEnd);
  return said;
}

}  // namespace vicino::region
