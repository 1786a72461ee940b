// ilan.cpp: a taskloop is run by a crew: members on some nodes, each with its own row of tasks.
//
// Why    A taskloop's threads slow each other down where they share a memory or a link, and more of
//        them may take longer than fewer. Where the program leaves the number of tasks open, nobody
//        can tell which thread runs which; so the tuner may leave threads without any.
// How    The iterations are divided among the members of the crew, node by node (crew.hpp); each
//        takes tasks from its row (task/member_row.hpp), one after the other. It is handed a task
//        of our own for that, a runner; so the others find nothing, and sleep. When a runner finds
//        its row empty it takes tasks from the other rows of its node and, with full stealing, from
//        those of other nodes, the nearest first.
// Source ILAN (papers/ilan, sections III and IV).
// Alone  Where one thread is best, that is the one that meets the taskloop, if it waits for its end
//        anyway, and sits on the right node or would lose more by waiting than by being far.
// Short  taskloops, and those that a runner meets, are left to taskloop.cpp, as are those that are
//        met while members of another crew have not come.
//
// Invariants
//  C1 each task is run once: rows give it once, and hold all. A runner goes on until all rows of
//     its node are empty. For each node one runner is begun at last: by the member it was handed to
//     when that waits at a barrier at the latest; or, since that may not come before who waits for
//     the taskloop has gone on, by one who waits for a family of which the runner is (take_late()
//     in ready.cpp). That is one who may run it by the rule of tasks.cpp.
//  C2 nobody waits for runners that have nothing to do: who finds all rows empty takes those back
//     that have not begun, without running them, and counts them as ended. Who hands them out looks
//     for that, too, when all are handed out: of the two one sees what the other did, for taking
//     from a row, looking at it, putting into a member's queue and looking there are sequentially
//     consistent.
//  C3 the Crew is freed by the last of the runners and of who made it, since each uses it until it
//     leaves.
//  C4 the last to leave tells the tuner, by C3 after all its tasks and with what each has counted;
//     if who ended the last task of the last row noted that, by which the time goes: not of a
//     cancelled taskloop. Each leaves before its runner counts as ended, so this comes before who
//     waits for the taskloop goes on.
//  C5 a part of the meter is a row's, for who runs its runner, or the maker's. Nobody is in two of
//     them: one runner does not descend from another of its crew, so it may not run on top of that
//     (may_run() in ready.hpp), and the maker runs none while it hands them out.
#include "team/ilan.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "config/settings.hpp"
#include "task/member_row.hpp"
#include "team/cancel.hpp"
#include "team/crew.hpp"
#include "team/metering.hpp"
#include "team/ready.hpp"
#include "team/tuned.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

struct Row {
  int node = -1, member = 0;
  loop::Range block;                   // iterations
  task::Split units{0, {}};            // of it; tasks are made of them
  task::MemberRow tasks;               // in units
  std::vector<Task*> made;             // of a unit each, if only who met the taskloop may make them
  plat::atomic<bool> begun{false};     // by its runner
  plat::atomic<uint64_t> left{0};      // units that have not ended
  plat::atomic<uint64_t> ended_at{0};  // the last of them
};

struct Crew {
  Crew(std::unique_ptr<TaskPattern> its_pattern, const TaskloopRequest& request,
       TunedSite& its_site, tune::Choice its_choice)
      : pattern(std::move(its_pattern)),
        trip(request.split.trip()),
        makes_before(!request.shareable),
        site(its_site),
        choice(its_choice),
        rows(static_cast<size_t>(its_choice.threads)) {}

  const std::unique_ptr<TaskPattern> pattern;
  const uint64_t trip;
  const bool makes_before;  // all tasks
  TunedSite& site;
  const tune::Choice choice;
  Site* counted = nullptr;  // VICINO_STATS
  std::vector<Row> rows;    // of a node's members one after the other
  uint64_t start = 0;
  int runners = 0;
  metric::Meter meter;              // C5
  bool complete = false;            // C4
  plat::atomic<int> begun{0};       // runners
  plat::atomic<uint32_t> users{1};  // C3
  plat::atomic<size_t> rows_left{0};
};

struct Runner {
  Crew& crew;
  Row& row;
};

Runner& runner_of(const Task& task) noexcept { return *static_cast<Runner*>(task.data); }

bool all_taken(const Crew& crew) noexcept {
  return std::ranges::all_of(crew.rows, [](const Row& row) { return row.tasks.empty(); });
}

void tell_tuner(Crew& crew) noexcept {
  std::optional<double> amount;
  if (crew.meter.is_on()) amount = crew.meter.total();
  if (!crew.complete || (crew.meter.is_on() && !amount)) return crew.site.miss();
  std::vector<TunedSite::NodeTime> times;
  uint64_t end = 0;
  for (auto row = crew.rows.begin(); row != crew.rows.end();) {
    const int node = row->node;
    uint64_t iterations = 0, ended_at = 0;
    for (; row != crew.rows.end() && row->node == node; ++row) {
      iterations += row->block.size();
      ended_at = std::max(ended_at, row->ended_at.load(std::memory_order_relaxed));
    }
    if (iterations == 0) continue;
    end = std::max(end, ended_at);
    times.push_back(
        {node, static_cast<double>(ended_at - crew.start) / static_cast<double>(iterations)});
  }
  const bool all_threads = crew.choice.threads == static_cast<int>(crew.site.key().members);
  const bool strict = crew.choice.candidate == static_cast<uint32_t>(StealPolicy::kStrict);
  if (!all_threads || !strict || crew.rows.front().node < 0) times.clear();
  crew.site.record(crew.choice, static_cast<double>(end - crew.start), crew.trip, times, amount);
}

void leave(Crew& crew) noexcept {
  if (crew.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  tell_tuner(crew);  // C4
  delete &crew;
}

loop::Range iterations_of(const Row& row, loop::Range units) noexcept {
  return {row.block.begin + row.units.range(units.begin).begin,
          row.block.begin + row.units.range(units.end - 1).end};
}

void run_task(Member& member, Crew& crew, Row& row, loop::Range units,
              TaskloopCounting& counting) noexcept {
  const loop::Range iterations = iterations_of(row, units);
  counting.begin_tasks(iterations.size());
  if (!crew.makes_before) {
    crew.pattern->run_one(member, iterations);
  } else {
    Task& task = *row.made[units.begin];
    Task& runner = member.task();
    task.set_place_in_tree(&runner, runner.depth() + 1);
    run_at_once(member, task);
  }
  counting.end_tasks();
  const uint64_t left = row.left.fetch_sub(units.size(), std::memory_order_acq_rel);
  if (left != units.size()) return;  // C4
  row.ended_at.store(plat::now(), std::memory_order_relaxed);
  if (crew.rows_left.fetch_sub(1, std::memory_order_acq_rel) == 1 &&
      !is_cancelled(member, Construct::kTaskgroup))
    crew.complete = true;
}

// Tasks of a cancelled group are left out. None of them was made before: a team that may cancel has
// no crew for such tasks (ilan_site()).
bool goes_on(Member& member) noexcept { return !is_cancelled(member, Construct::kTaskgroup); }

std::span<Row> rows_on(Crew& crew, int node) noexcept {
  const auto is_there = [node](const Row& row) { return row.node == node; };
  const auto first = std::ranges::find_if(crew.rows, is_there);
  return {first, std::find_if_not(first, crew.rows.end(), is_there)};
}

// From each of the rows, in turn from the `first` on: one that is empty stays so.
template <class Take>
void take_from(Member& member, Crew& crew, std::span<Row> rows, size_t first,
               TaskloopCounting& counting, Take take) noexcept {
  for (size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[(first + i) % rows.size()];
    while (goes_on(member)) {
      const loop::Range units = take(row.tasks);
      if (units.empty()) break;
      if (crew.counted != nullptr)
        counting.count_steal(member.team->shape().distance(static_cast<uint32_t>(member.id),
                                                           static_cast<uint32_t>(row.member)));
      run_task(member, crew, row, units, counting);
    }
  }
}

void take_from_others(Member& member, Crew& crew, const Row& own,
                      TaskloopCounting& counting) noexcept {
  const std::span<Row> near = rows_on(crew, own.node);
  const auto next = static_cast<size_t>(&own - near.data()) + 1;
  take_from(member, crew, near, next, counting, [](auto& row) { return row.take_near(); });
  if (crew.choice.candidate != static_cast<uint32_t>(StealPolicy::kFull) || own.node < 0) return;
  for (const int node : topo::Machine::here().nodes_nearest_first(own.node))
    if (node != own.node)
      take_from(member, crew, rows_on(crew, node), next, counting,
                [](auto& row) { return row.take_far(); });
}

void take_back_runners(Member& member, Crew& crew) {
  if (crew.begun.load(std::memory_order_relaxed) == crew.runners) return;
  if (!all_taken(crew) && goes_on(member)) return;
  take_back(
      member, [&crew](Task& task) { return &runner_of(task).crew == &crew; },
      [&crew](Task&) { leave(crew); });
}

// The part of who makes the crew comes after those of the rows.
uint32_t makers_part(const Crew& crew) noexcept { return static_cast<uint32_t>(crew.rows.size()); }
uint32_t part_of(const Crew& crew, const Row& row) noexcept {
  return static_cast<uint32_t>(&row - crew.rows.data());
}

bool run_runner(Member& member, Task& task) {
  const auto [crew, row] = runner_of(task);
  enter(crew.meter, part_of(crew, row), *member.worker);
  crew.begun.fetch_add(1, std::memory_order_relaxed);
  row.begun.store(true, std::memory_order_relaxed);
  ++member.crews;
  TaskloopCounting counting(crew.counted);
  while (goes_on(member)) {
    const loop::Range units = row.tasks.take();
    if (units.empty()) break;
    run_task(member, crew, row, units, counting);
  }
  take_from_others(member, crew, row, counting);
  --member.crews;
  take_back_runners(member, crew);  // C2
  counting.finish(false);
  leave(crew.meter, part_of(crew, row), *member.worker);
  leave(crew);
  return true;
}

void hand_runner(Member& member, Crew& crew, Row& row) {
  crew.users.fetch_add(1, std::memory_order_relaxed);
  Task& task = *new_task(member, sizeof(Runner), 0);
  task.body = run_runner;
  task.data = new (&task + 1) Runner{crew, row};
  account(member, task);
  hand_to(member.team->member(row.member), task);
}

// The nodes that may be in the mask: the one that was fastest, and then those near it.
std::vector<int> nodes_in_turn(const Team& team, const TunedSite& site) {
  if (team.nodes().size() == 1) return {team.nodes()[0]};
  const int first = std::max(site.fastest_node(), 0);
  const auto nodes = topo::Machine::here().nodes_nearest_first(first);
  return {nodes.begin(), nodes.end()};
}

// Into how many units each member's part is cut.
uint64_t units_for_each(const Crew& crew) noexcept {
  if (crew.choice.threads == 1) return 1;
  return crew.makes_before ? kTasksPerThread : kTasksPerThread * kUnitsPerTask;
}

void fill_rows(Crew& crew, std::span<const CrewPart> parts) {
  auto row = crew.rows.begin();
  for (const CrewRow& its : crew_rows(parts, crew.trip, units_for_each(crew))) {
    row->node = its.node;
    row->member = its.member;
    row->block = its.iterations;
    row->units = {its.iterations.size(), {task::Grain::kNone, its.units, false}};
    row->tasks.fill(its.units, its.strict, its.at_once);
    row->left.store(its.units, std::memory_order_relaxed);
    if (its.units > 0) crew.rows_left.fetch_add(1, std::memory_order_relaxed);
    ++row;
  }
}

void make_all(Member& member, Crew& crew) {
  for (Row& row : crew.rows)
    for (uint64_t unit = 0; unit < row.units.tasks(); ++unit)
      row.made.push_back(&crew.pattern->make(member, iterations_of(row, {unit, unit + 1})));
}

// One of each node first: members are woken one after the other, and no node is to wait for that.
void hand_runners(Member& member, Crew& crew, const std::vector<CrewPart>& parts) {
  size_t most = 0;
  for (const CrewPart& part : parts) most = std::max(most, part.members.size());
  for (size_t nth = 0; nth < most; ++nth) {
    auto row = crew.rows.begin();
    for (const CrewPart& part : parts) {
      const auto count = static_cast<std::ptrdiff_t>(part.members.size());
      if (nth < part.members.size())
        hand_runner(member, crew, row[static_cast<std::ptrdiff_t>(nth)]);
      row += count;
    }
  }
}

// By the thread that met it.
void run_timed(Member& member, TunedSite& site, tune::Choice choice, TaskPattern& pattern,
               const TaskloopRequest& request) {
  metric::Meter meter;
  start_meter(meter, 1);
  const uint64_t start = plat::now();
  enter(meter, 0, *member.worker);
  run_alone(member, pattern, request);
  leave(meter, 0, *member.worker);
  const auto ns = static_cast<double>(plat::now() - start);
  std::optional<double> amount;
  if (meter.is_on()) amount = meter.total();
  if (is_cancelled(member, Construct::kTaskgroup) || (meter.is_on() && !amount)) return site.miss();
  site.record(choice, ns, request.split.trip(), {}, amount);
}

}  // namespace

TunedSite* ilan_site(const Member& member, const TaskloopRequest& request) {
  const Team& team = *member.team;
  const uint64_t trip = request.split.trip();
  if (config::settings().taskloop != config::Taskloop::kIlan || !config::settings().explore ||
      !request.open || request.urgent || member.crews > 0 || trip == 0)
    return nullptr;
  // Tasks that were made cannot be left out; and where members wait in taskloops of their own,
  // crews would wait for each other's.
  if ((!request.shareable && team.icvs.cancellation) ||
      team.handed.load(std::memory_order_relaxed) > 0)
    return nullptr;
  const auto key =
      SiteKey::of_taskloop(static_cast<uint32_t>(team.size), trip, team.nodes().size() > 1);
  return TunedSite::find(request.site, key);
}

void give_to_crew(Member& member, TunedSite& site, std::unique_ptr<TaskPattern> pattern,
                  const TaskloopRequest& request) {
  const Team& team = *member.team;
  const tune::Choice choice = site.choose();
  const std::vector<CrewPart> parts =
      crew_of(team.nodes_of_members(), nodes_in_turn(team, site), choice.threads, member.id);
  const bool on_it = parts.front().members.front() == member.id || site.is_short();
  if (choice.threads == 1 && on_it && waits_at_once(member))
    return run_timed(member, site, choice, *pattern, request);
  auto& crew = *new Crew(std::move(pattern), request, site, choice);
  fill_rows(crew, parts);
  crew.counted = counted_site(team, request.site, "ilan");
  start_meter(crew.meter, makers_part(crew) + 1);
  crew.start = plat::now();
  enter(crew.meter, makers_part(crew), *member.worker);
  TaskloopCounting counting(crew.counted);
  if (crew.makes_before) make_all(member, crew);
  crew.runners = choice.threads;
  hand_runners(member, crew, parts);
  take_back_runners(member, crew);  // C2
  counting.finish(true);
  leave(crew.meter, makers_part(crew), *member.worker);
  leave(crew);
}

bool is_late(const Task& runner) noexcept {
  const auto& [crew, row] = runner_of(runner);
  const auto has_begun = [](const Row& of_node) {
    return of_node.begun.load(std::memory_order_relaxed);
  };
  return std::ranges::none_of(rows_on(crew, row.node), has_begun) &&
         plat::now() - crew.start > kLateNs;
}

}  // namespace vicino::team
