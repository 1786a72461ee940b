#include "region/taskgraph.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/first_made.hpp"
#include "base/result.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "graph/passes.hpp"
#include "region/graph.hpp"
#include "region/roots.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

using graph::Records;
using graph::TaskGraph;
using team::Member;
using team::Task;

// Whether the present task may run a graph in the place of the region, or record one.
bool knows_graphs(Member& member) {
  const Task& task = member.task();
  return member.team->icvs.is_plain() && !task.is(Task::kFinal) && !task.is(Task::kUntied);
}

void execute(Member& member, const TaskgraphCall& call) {
  if (call.in_group) tasking::begin_group(member);
  call.region(call.captures);
  if (call.in_group) tasking::end_group(member);
}

// As VICINO_COARSEN has it.
std::shared_ptr<TaskGraph> coarsened(std::unique_ptr<TaskGraph> graph) {
  const std::string& set = config::settings().coarsen;
  if (set.empty() || set == graph::kNoPass) return graph;
  auto coarse = graph->coarsened(set);
  return coarse ? *std::move(coarse) : std::move(graph);
}

// The error says why there is none.
Result<std::shared_ptr<TaskGraph>> recorded(tasking::Recording& recording, const void* code) try {
  auto graph = graph_of(recording, code);
  if (!graph) return Error{graph.error()};
  return coarsened(*std::move(graph));
} catch (const std::bad_alloc&) {
  return Error{"there is no memory for so many tasks"};
}

void record(Member& member, Records& records, const Records::Begun& begun,
            const TaskgraphCall& call) {
  tasking::Recording recording(member.task(), tasking::Recorded::kReplayable);
  tasking::record(member, recording, call.region, call.captures, call.in_group);
  auto graph = recorded(recording, reinterpret_cast<const void*>(call.region));
  if (graph)
    records.keep(call.id, begun, *std::move(graph));
  else if (records.refuse(call.id, begun))
    say("a taskgraph construct is not recorded, and each execution generates its tasks: %s",
        graph.error().c_str());
}

// False: nothing has run, for want of memory.
bool replay(Member& member, TaskGraph& graph, const TaskgraphCall& call) {
  const uint32_t aggregates = graph.plan().coarse().graph.size();
  const int threads =
      static_cast<int>(std::min(aggregates, static_cast<uint32_t>(member.team->size)));
  bool has_run = true;
  // What the tasks generate may outlive a run by one thread.
  if (call.in_group) tasking::begin_group(member);
  try {
    if (aggregates > 0) run(graph, {.data = call.captures, .threads = threads, .in_place = true});
  } catch (const std::bad_alloc&) {
    has_run = false;
  }
  if (call.in_group) tasking::end_group(member);
  return has_run;
}

// Without memory for a record there is none.
Records::Begun begin(Records& records, const TaskgraphCall& call) try {
  return records.begin(call.id, call.reset);
} catch (const std::bad_alloc&) {
  return {};
}

}  // namespace

void taskgraph(Records& records, const TaskgraphCall& call) {
  Member& member = me();
  tasking::refuse_to_record(member, "it has a taskgraph construct");
  const Records::Begun begun = begin(records, call);
  if (knows_graphs(member)) {
    if (begun.graph != nullptr && replay(member, *begun.graph, call)) return;
    if (begun.may_record && member.tasks.recording == nullptr)
      return record(member, records, begun, call);
  }
  execute(member, call);
}

Records& records_at(void*& address) {
  using Handle = FirstMade<Records>;
  static_assert(sizeof(Handle) == sizeof(void*));
  return reinterpret_cast<Handle&>(address).get([] { return Records(); });
}

}  // namespace vicino::region
