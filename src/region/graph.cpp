#include "region/graph.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/say.hpp"
#include "ompt/tool.hpp"
#include "plat/plat.hpp"
#include "region/fork.hpp"
#include "region/roots.hpp"
#include "region/told_graph.hpp"
#include "site/graph_profile.hpp"
#include "sync/event_count.hpp"
#include "task/neighbours.hpp"
#include "task/registry.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/ready.hpp"
#include "tasking/recording.hpp"
#include "tasking/repeated.hpp"
#include "tasking/tasks.hpp"
#include "team/domains.hpp"
#include "team/late_start.hpp"
#include "team/places.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

namespace vicino::region {
namespace {

using graph::AggregateNodes;
using graph::Grain;
using graph::Plan;
using graph::Run;
using graph::RunnerNodes;

// The number of a node among those that have members.
int number_among(std::span<const int> used, int node) {
  return static_cast<int>(std::ranges::lower_bound(used, node) - used.begin());
}

// Where the members of a team are. `node_of`: of each member.
RunnerNodes runner_nodes_of(std::span<const int> node_of, const team::DomainsOfMembers& members) {
  RunnerNodes runners;
  for (const int node : node_of) runners.node_of.push_back(number_among(members.used, node));
  for (const int node : members.used)
    runners.first.push_back(members.near[static_cast<size_t>(node)].member);
  return runners;
}

// Aggregates of a node without members belong to the nearest node with some (R4 of graph/run.hpp).
AggregateNodes aggregate_nodes_of(const graph::Placement& placement,
                                  const team::DomainsOfMembers& members) {
  AggregateNodes aggregates;
  aggregates.strict = placement.strict;
  aggregates.node.reserve(placement.node.size());
  for (const int node : placement.node)
    aggregates.node.push_back(
        node == graph::Placement::kNone
            ? AggregateNodes::kNone
            : static_cast<int16_t>(
                  number_among(members.used, members.near[static_cast<size_t>(node)].domain)));
  return aggregates;
}

// While a run is under way, other members are at work: without memory none of them could be told.
template <class Act>
void or_die(Act act) {
  try {
    act();
  } catch (const std::bad_alloc&) {
    die("no memory to run a task graph");
  }
}

// The program's function.
const void* code_of(const GraphCall& call) {
  return call.range != nullptr ? reinterpret_cast<const void*>(call.range)
                               : reinterpret_cast<const void*>(call.body);
}

int run_range(const GraphCall& call, const graph::Range& range) {
  return call.range(range.first, range.count, range.step, call.data);
}

int run_list(const GraphCall& call, std::span<const uint32_t> tasks) {
  if (call.body != nullptr) return call.body(tasks.data(), tasks.size(), call.data);
  return graph::for_each_range(
      tasks, [&call](const graph::Range& range) { return run_range(call, range); });
}

// Whether the program's function and the plan both have ranges.
bool goes_by_ranges(const Plan& plan, const GraphCall& call) {
  return call.range != nullptr && plan.has_ranges();
}

int run_aggregate(const Plan& plan, const GraphCall& call, uint32_t aggregate) {
  if (!goes_by_ranges(plan, call)) return run_list(call, plan.tasks_of(aggregate));
  for (const graph::Range& range : plan.ranges_of(aggregate))
    if (const int said = run_range(call, range)) return said;
  return 0;
}

int run_plan(Plan& plan, const GraphCall& call, const void* code);

int run_alone(const Plan& plan, const GraphCall& call) {
  if (call.range != nullptr)
    if (const auto all = plan.all_as_range()) return run_range(call, *all);
  if (!goes_by_ranges(plan, call))
    return plan.run_alone([&](std::span<const uint32_t> tasks) { return run_list(call, tasks); });
  return plan.run_ranges_alone(
      [&call](const graph::Range& range) { return run_range(call, range); });
}

// One run by one team. The first member makes the run ready once the team is known, and the others
// wait for it: `ready_` orders what it wrote before what they read.
class TeamRun {
 public:
  TeamRun(Plan& plan, const GraphCall& call, int most_members) : plan_(plan), call_(call) {
    if (most_members > 1) run_ = plan.take_run();
  }
  ~TeamRun() {
    if (run_ != nullptr) plan_.give_back(std::move(run_));
  }
  TeamRun(const TeamRun&) = delete;

  void take_part(Member& member) {
    const int size = member.team->size;
    if (size == 1) {
      verdict_ = run_alone(plan_, call_);
      return;
    }
    if (member.id == 0) {
      prepare(member);
      run_->begin(size, runners_, aggregates_);
      ready_.advance(1);
      team::need_all(member);  // each has roots
    } else {
      member.waiting().wait(ready_, [](uint64_t value) { return value == 1; });
    }
    run_->put_roots(member.id, member.id, size);
    work(member);
  }

  // In a region whose team goes on with something else meanwhile: each member that looks for a task
  // takes part. Nobody knows which members will come. So the caller puts all roots, and no
  // aggregate waits for the members of one node: a strict one is taken for flexible.
  void take_part_in_turn(Member& member, int threads) {
    const int size = member.team->size;
    at_work_.resize(static_cast<size_t>(size));
    prepare(member);
    aggregates_.strict.clear();
    or_die([&] {
      run_->begin(size, runners_, aggregates_);
      run_->put_roots(member.id, 0, 1);
      tasking::begin_group(member);
      for (int i = 1; i < std::min(threads, size); ++i) spawn_helper(member);
      // As a task, too: a body's taskwait waits for the children of its task, and must not wait for helpers.
      tasking::run_at_once(member, new_share(member));
      tasking::end_group(member);
    });
  }

  int end() {
    if (run_ != nullptr) run_->end();
    return verdict_;
  }

 private:
  void work(Member& member) {
    run_->work(
        member.id, member.waiting(),
        [this](uint32_t aggregate) {
          if (const int said = run_aggregate(plan_, call_, aggregate)) stop(said);
        },
        [&near = tasking::neighbours_of(member)](auto ask) {
          task::DefaultScheduler::search(near, ask);
        });
  }

  void spawn_helper(Member& member) { tasking::spawn(member, new_share(member)); }
  team::Task& new_share(Member& member) {
    team::Task* const task = tasking::new_task(member, 0, 0);
    task->body = [](Member& helper, team::Task& its) {
      or_die([&] { static_cast<TeamRun*>(its.data)->work_once(helper); });
      return true;
    };
    task->data = this;
    return *task;
  }

  // The body of an aggregate may wait for its children, and come upon another of these tasks: a
  // member is one runner, and the run ends only after that body.
  void work_once(Member& member) {
    auto& is_at_work = at_work_[static_cast<size_t>(member.id)];
    if (is_at_work) return;
    is_at_work = 1;
    work(member);
    is_at_work = 0;
  }

  void prepare(const Member& member) {
    const graph::Placement& placement = plan_.placement();
    const auto node_of = member.team->arrangement().nodes_of_members();
    const bool members_are_bound = std::ranges::find(node_of, -1) == node_of.end();
    if (members_are_bound && placement.any()) {
      const team::DomainsOfMembers members = team::nodes_of_members(topo::Machine::here(), node_of);
      runners_ = runner_nodes_of(node_of, members);
      aggregates_ = aggregate_nodes_of(placement, members);
    }
  }

  void stop(int said) {
    int none = 0;
    verdict_.compare_exchange_strong(none, said, std::memory_order_relaxed);
    run_->stop();
  }

  Plan& plan_;
  const GraphCall& call_;
  std::unique_ptr<Run> run_;
  RunnerNodes runners_;
  AggregateNodes aggregates_;
  sync::EventCount ready_;
  std::vector<char> at_work_;  // of each member, which alone uses it
  plat::atomic<int> verdict_{0};
};

// Whether the present team runs the graph, rather than a team of the graph's own.
bool is_run_by_present_team(Member& member, const GraphCall& call) {
  return member.team->size > 1 &&
         (call.in_place || call.threads == 0 || most_members(member, call.threads) == 1);
}

// How many threads a run may have.
int most_runners(Member& member, const GraphCall& call) {
  if (tasking::is_agent(member)) return 1;  // it has no number among the members
  if (!is_run_by_present_team(member, call)) return most_members(member, call.threads);
  return call.threads == 0 ? member.team->size : std::min(call.threads, member.team->size);
}

void take_part(Member& member, const Call& call) {
  or_die([&] { static_cast<TeamRun*>(call.args[0])->take_part(member); });
}

// Tells the tuner how a run has ended, in any case.
class Timed {
 public:
  Timed(Grain& grain, const Grain::Begun& begun) : grain_(grain), begun_(begun) {}
  ~Timed() {
    try {
      grain_.end(begun_, ns_);
    } catch (const std::bad_alloc&) {  // then the run was not timed
    }
  }
  Timed(const Timed&) = delete;

  int run(const GraphCall& call) {
    const uint64_t start = plat::now();
    const int said = region::run(*begun_.plan, call);
    if (said == 0) ns_ = plat::now() - start;
    return said;
  }

 private:
  Grain& grain_;
  const Grain::Begun& begun_;
  std::optional<uint64_t> ns_;
};

// The first of the two runs makes what later ones find ready.
void measure_overhead(Grain& grain, Plan& plan, int threads, bool in_place) {
  const GraphCall nothing{[](const uint32_t*, size_t, void*) { return 0; }, nullptr, threads,
                          in_place};
  const auto run_it = [&] { run_plan(plan, nothing, code_of(nothing)); };
  run_it();
  const uint64_t start = plat::now();
  run_it();
  grain.set_overhead(threads, plat::now() - start);
}

// Before the first run of a body by so many threads: what the profile knows, or else what managing
// costs.
void prepare(Grain& grain, const void* code, int threads, bool in_place) {
  if (threads == 1 || site::recall(grain, code, threads)) return;
  if (const auto plan = grain.wants_overhead(threads))
    measure_overhead(grain, *plan, threads, in_place);
}

// `code`: what identifies the body, in the profile as well.
int run_automatic(Grain& grain, GraphCall call, const void* code) {
  const int threads = most_runners(me(), call);
  if (grain.is_new(code, threads)) prepare(grain, code, threads, call.in_place);
  const Grain::Begun begun = grain.begin(code, threads);
  call.threads = begun.threads;
  return Timed(grain, begun).run(call);
}

// One run of recorded tasks.
struct Replay {
  const graph::Bodies& bodies;
  void* captures;
};

int run_recorded(const uint32_t* tasks, size_t count, void* replay) {
  const Replay& its = *static_cast<const Replay*>(replay);
  its.bodies.run({tasks, count}, its.captures);
  return 0;
}

class RecordedBodies : public graph::Bodies {
 public:
  RecordedBodies(std::vector<std::unique_ptr<const tasking::RecordedTask>> tasks, const void* code)
      : tasks_(std::move(tasks)), code_(code) {}
  void run(std::span<const uint32_t> tasks, void* captures) const override {
    Member& member = me();
    for (const uint32_t i : tasks)
      if (tasks_[i] != nullptr) tasks_[i]->run(member, captures);
  }
  // The tasks' own code may lie in several libraries. The function that generated them decides what
  // they do, as far as a function alone can tell that of a body.
  const void* code() const noexcept override { return code_; }

 private:
  std::vector<std::unique_ptr<const tasking::RecordedTask>> tasks_;
  const void* const code_;
};

struct ToRecord {
  void (*generate)(void*);
  void* data;
  std::optional<tasking::Recording> recording = {};

  // Between the program's frames no exception may pass, and some tasks may have run: the process ends if memory lacks.
  void record(Member& member) noexcept {
    recording.emplace(member.task());
    tasking::record(member, *recording, generate, data);
  }
};

}  // namespace

void run_in_place(graph::TaskGraph& graph, const void* code,
                  int (*body)(const uint32_t*, size_t, void*), void* data) {
  run(graph, {.body = body, .data = data, .in_place = true, .code = code});
}

Result<std::unique_ptr<graph::TaskGraph>> record(void (*generate)(void*), void* data) {
  ToRecord it{generate, data};
  Member& member = me();
  // The first member generates the tasks, and the others run them where they wait for it.
  const auto by_first = [](Member& one, const Call& call) {
    if (one.id == 0) static_cast<ToRecord*>(call.args[0])->record(one);
  };
  if (member.team->size == 1 && member.tasks.recording == nullptr)
    fork({by_first, reinterpret_cast<void*>(generate), 1, {&it}}, {});
  else
    it.record(member);
  auto graph = graph_of(*it.recording, reinterpret_cast<const void*>(generate));
  if (!graph) return Error{"what was to be recorded cannot be run again: " + graph.error()};
  return graph;
}

Result<std::unique_ptr<graph::TaskGraph>> graph_of(tasking::Recording& recording,
                                                   const void* code) {
  if (const char* why = recording.refused()) return Error{why};
  const task::Order& order = recording.order();
  Result<graph::Graph> graph =
      graph::Graph::from(graph::Rows({order.first().begin(), order.first().end()},
                                     {order.before().begin(), order.before().end()}),
                         {});
  if (!graph) return Error{graph.error()};
  return std::make_unique<graph::TaskGraph>(
      *std::move(graph), std::make_shared<RecordedBodies>(recording.take_tasks(), code));
}

namespace {

// `code`: the program's function.
int run_plan(Plan& plan, const GraphCall& call, const void* code) {
  Member& member = me();
  const int threads = most_runners(member, call);
  if (threads == 1 && (call.in_place || tasking::is_agent(member))) return run_alone(plan, call);
  TeamRun its(plan, call, threads);
  if (threads > 1 && is_run_by_present_team(member, call)) {
    its.take_part_in_turn(member, threads);
    return its.end();
  }
  fork({take_part, const_cast<void*>(code), 1, {&its}}, {.threads = call.threads});
  return its.end();
}

}  // namespace

int run(Plan& plan, const GraphCall& call) {
  if (plan.coarse().graph.size() == 0) return 0;
  const void* const code = code_of(call);
  if (!ompt::is_watched() || !ToldGraph::is_wanted()) [[likely]]
    return run_plan(plan, call, code);
  const void* const name = call.code != nullptr ? call.code : code;
  ToldGraph told(plan, call, name, run_list);
  return run_plan(plan, told.call(), code);
}

int run(graph::TaskGraph& graph, GraphCall call) {
  const void* code = call.code != nullptr ? call.code : code_of(call);
  std::optional<Replay> replay;
  if (call.body == nullptr && call.range == nullptr) {
    code = graph.bodies()->code();
    call.body = run_recorded;
    call.data = &replay.emplace(*graph.bodies(), call.data);
    call.code = code;
  }
  if (Grain* const grain = graph.grain()) return run_automatic(*grain, call, code);
  return run(graph.plan(), call);
}

int memory_nodes() {
  me();
  team::meet_machine();
  return topo::Machine::here().count(topo::Level::kNode);
}

void place(Plan& plan, bool strict) {
  plan.placement() = graph::place_by_fronts(plan.coarse().graph, memory_nodes(), strict);
}

int move_data(const Plan& plan, const std::function<void(uint32_t, int, graph::Written&)>& writes,
              size_t* pages) {
  const int nodes = memory_nodes();
  graph::Written written(topo::page_size());
  const auto& node_of = plan.placement().node;
  for (uint32_t i = 0; i < node_of.size(); ++i)
    if (node_of[i] != graph::Placement::kNone)
      for (const uint32_t task : plan.tasks_of(i)) writes(task, node_of[i], written);
  std::vector<int> memory;  // of each node
  for (int node = 0; node < nodes; ++node)
    memory.push_back(topo::memory_of_node(topo::Machine::here(), node));
  int error = 0;
  *pages = 0;
  for (const graph::Written::Stretch& stretch : written.stretches()) {
    *pages += stretch.pages;
    if (nodes == 1) continue;
    size_t ignored;
    const int refused = topo::move_pages(
        topo::Machine::here(), reinterpret_cast<void*>(stretch.start),
        stretch.pages * topo::page_size(), memory[static_cast<size_t>(stretch.node)], &ignored);
    if (error == 0) error = refused;
  }
  return error;
}

}  // namespace vicino::region
