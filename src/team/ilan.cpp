// ilan.cpp: a taskloop is run by a crew: members on some nodes, each node with its own row of
// tasks.
//
// Why    A taskloop's threads slow each other down where they share a memory or a link, and more of
//        them may take longer than fewer. Where the program leaves the number of tasks open, nobody
//        can tell which thread runs which; so the tuner may leave threads without any.
// How    The iterations are divided among the nodes of the crew, in the order of their threads; a
//        node's threads take tasks from its row (task/node_row.hpp), one after the other. Each
//        member of the crew is handed a task of our own for that, a runner; so the others find
//        nothing, and sleep. When a runner finds its row empty it is done or, with full stealing,
//        takes tasks from other rows of the crew, the nearest first.
// Source ILAN (papers/ilan, sections III and IV).
// Alone  Where one thread is best, that is the one that meets the taskloop, if it waits for its end
//        anyway, and sits on the right node or would lose more by waiting than by being far.
// Short  taskloops, and those that a runner meets, are left to taskloop.cpp, as are those that are
//        met while members of another crew have not come.
//
// Invariants
//  C1 each task is run once: rows give it once, and hold all. A runner goes on until its row is
//     empty. For each row one runner is begun at last: by the member it was handed to when that
//     waits at a barrier at the latest; or, since that may not come before who waits for the
//     taskloop has gone on, by one who waits for a family of which the runner is (take_late() in
//     ready.cpp). That is one who may run it by the rule of tasks.cpp.
//  C2 nobody waits for runners that have nothing to do: who finds all rows empty takes those back
//     that have not begun, without running them, and counts them as ended. Who hands them out looks
//     for that, too, when all are handed out: of the two one sees what the other did, for taking
//     from a row, looking at it, putting into a member's queue and looking there are sequentially
//     consistent.
//  C3 the Crew is freed by the last of the runners and of who made it, since each uses it until it
//     leaves.
//  C4 who ends the last task of the last row tells the tuner: after all its tasks, by the counts,
//     acquire and release; not of a cancelled taskloop.
#include "team/ilan.hpp"

#include <algorithm>
#include <vector>

#include "config/settings.hpp"
#include "task/node_row.hpp"
#include "team/cancel.hpp"
#include "team/crew.hpp"
#include "team/ready.hpp"
#include "team/tuned.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

struct Row {
  task::NodeRow tasks;
  int node = -1;
  uint32_t first_member = 0;
  uint64_t iterations = 0;
  plat::atomic<bool> begun{false};     // by a runner
  plat::atomic<uint64_t> left{0};      // tasks that have not ended
  plat::atomic<uint64_t> ended_at{0};  // the last of them
};

struct Crew {
  Crew(std::unique_ptr<TaskPattern> its_pattern, task::Split its_split, TunedSite& its_site,
       tune::Choice its_choice, size_t rows_count)
      : pattern(std::move(its_pattern)),
        split(its_split),
        site(its_site),
        choice(its_choice),
        rows(rows_count) {}

  const std::unique_ptr<TaskPattern> pattern;
  const task::Split split;
  TunedSite& site;
  const tune::Choice choice;
  Site* counted = nullptr;  // VICINO_STATS
  std::vector<Row> rows;
  std::vector<Task*> made;  // all of them, if only who met the taskloop may make them
  uint64_t start = 0;
  int runners = 0;
  bool told = false;                // the tuner
  plat::atomic<int> begun{0};       // runners
  plat::atomic<uint32_t> users{1};  // C3
  plat::atomic<size_t> rows_left{0};
};

struct Runner {
  Crew& crew;
  Row& row;
};

Runner& runner_of(const Task& task) noexcept { return *static_cast<Runner*>(task.data); }

void leave(Crew& crew) noexcept {
  if (crew.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (!crew.told) crew.site.miss();
  delete &crew;
}

bool all_taken(const Crew& crew) noexcept {
  return std::ranges::all_of(crew.rows, [](const Row& row) { return row.tasks.empty(); });
}

void tell_tuner(Crew& crew) noexcept {
  crew.told = true;
  std::vector<TunedSite::NodeTime> times;
  uint64_t end = 0;
  for (const Row& row : crew.rows) {
    if (row.iterations == 0) continue;
    const uint64_t ended_at = row.ended_at.load(std::memory_order_relaxed);
    end = std::max(end, ended_at);
    times.push_back({row.node, static_cast<double>(ended_at - crew.start) /
                                   static_cast<double>(row.iterations)});
  }
  const bool all_threads = crew.choice.threads == static_cast<int>(crew.site.key().members);
  const bool strict = crew.choice.candidate == static_cast<uint32_t>(StealPolicy::kStrict);
  if (!all_threads || !strict || crew.rows.front().node < 0) times.clear();
  crew.site.record(crew.choice, static_cast<double>(end - crew.start), crew.split.trip(), times);
}

void run_task(Member& member, Crew& crew, Row& row, uint64_t number,
              TaskloopCounting& counting) noexcept {
  const loop::Range iterations = crew.split.range(number);
  counting.begin_tasks(iterations.end - iterations.begin);
  if (crew.made.empty()) {
    crew.pattern->run(member, crew.split, number, number + 1, false);
  } else {
    Task& task = *crew.made[number];
    Task& runner = member.task();
    task.set_place_in_tree(&runner, runner.depth() + 1);
    run_at_once(member, task);
  }
  counting.end_tasks();
  if (row.left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;  // C4
  row.ended_at.store(plat::now(), std::memory_order_relaxed);
  if (crew.rows_left.fetch_sub(1, std::memory_order_acq_rel) == 1 &&
      !is_cancelled(member, Construct::kTaskgroup))
    tell_tuner(crew);
}

// Tasks of a cancelled group are left out; but those that were made hold objects, and see to it
// themselves.
bool goes_on(Member& member, const Crew& crew) noexcept {
  return !crew.made.empty() || !is_cancelled(member, Construct::kTaskgroup);
}

void take_from_others(Member& member, Crew& crew, const Row& own,
                      TaskloopCounting& counting) noexcept {
  const auto me = static_cast<uint32_t>(member.id);
  for (const int node : topo::Machine::here().nodes_nearest_first(own.node)) {
    const auto row = std::ranges::find(crew.rows, node, &Row::node);
    if (row == crew.rows.end() || &*row == &own) continue;
    while (goes_on(member, crew)) {
      const auto number = row->tasks.take_far();
      if (!number) break;
      if (crew.counted != nullptr)
        counting.count_steal(member.team->shape().distance(me, row->first_member));
      run_task(member, crew, *row, *number, counting);
    }
  }
}

void take_back_runners(Member& member, Crew& crew) {
  if (crew.begun.load(std::memory_order_relaxed) == crew.runners) return;
  if (!all_taken(crew) && goes_on(member, crew)) return;
  take_back(
      member, [&crew](Task& task) { return &runner_of(task).crew == &crew; },
      [&crew](Task&) { leave(crew); });
}

bool run_runner(Member& member, Task& task) {
  const auto [crew, row] = runner_of(task);
  crew.begun.fetch_add(1, std::memory_order_relaxed);
  row.begun.store(true, std::memory_order_relaxed);
  ++member.crews;
  TaskloopCounting counting(crew.counted);
  while (goes_on(member, crew)) {
    const auto number = row.tasks.take();
    if (!number) break;
    run_task(member, crew, row, *number, counting);
  }
  if (crew.choice.candidate == static_cast<uint32_t>(StealPolicy::kFull) && row.node >= 0)
    take_from_others(member, crew, row, counting);
  --member.crews;
  take_back_runners(member, crew);  // C2
  counting.finish(false);
  leave(crew);
  return true;
}

void hand_runner(Member& member, Crew& crew, Row& row, int to) {
  crew.users.fetch_add(1, std::memory_order_relaxed);
  Task& task = *new_task(member, sizeof(Runner), 0);
  task.body = run_runner;
  task.data = new (&task + 1) Runner{crew, row};
  account(member, task);
  hand_to(member.team->member(to), task);
}

// The nodes that may be in the mask: the one that was fastest, and then those near it.
std::vector<int> nodes_in_turn(const Team& team, const TunedSite& site) {
  if (team.nodes().size() == 1) return {team.nodes()[0]};
  const int first = std::max(site.fastest_node(), 0);
  const auto nodes = topo::Machine::here().nodes_nearest_first(first);
  return {nodes.begin(), nodes.end()};
}

// The tasks are divided in proportion to the members, the rows filled.
void fill_rows(Crew& crew, const std::vector<CrewPart>& parts) {
  const auto threads = static_cast<uint64_t>(crew.choice.threads);
  const uint64_t tasks = crew.split.tasks();
  uint64_t first = 0, members = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    members += parts[i].members.size();
    const uint64_t last = task::end_of_part(tasks, members, threads);
    Row& row = crew.rows[i];
    row.node = parts[i].node;
    row.first_member = static_cast<uint32_t>(parts[i].members.front());
    row.tasks.fill(first, static_cast<uint32_t>(last - first));
    row.left.store(last - first, std::memory_order_relaxed);
    if (last > first) {
      row.iterations = crew.split.range(last - 1).end - crew.split.range(first).begin;
      crew.rows_left.fetch_add(1, std::memory_order_relaxed);
    }
    first = last;
  }
}

// By the thread that met it.
void run_timed(Member& member, TunedSite& site, tune::Choice choice, TaskPattern& pattern,
               const TaskloopRequest& request) {
  const uint64_t start = plat::now();
  run_alone(member, pattern, request);
  if (is_cancelled(member, Construct::kTaskgroup)) return site.miss();
  site.record(choice, static_cast<double>(plat::now() - start), request.split.trip(), {});
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
  const task::Split split(request.split.trip(), default_split(choice.threads));
  auto& crew = *new Crew(std::move(pattern), split, site, choice, parts.size());
  fill_rows(crew, parts);
  crew.counted = counted_site(team, request.site);
  crew.start = plat::now();
  TaskloopCounting counting(crew.counted);
  if (!request.shareable)
    for (uint64_t i = 0; i < split.tasks(); ++i)
      crew.made.push_back(&crew.pattern->make(member, split.range(i)));
  crew.runners = choice.threads;
  // One of each node first: members are woken one after the other, and no row is to wait for that.
  size_t most = 0;
  for (const CrewPart& part : parts) most = std::max(most, part.members.size());
  for (size_t nth = 0; nth < most; ++nth)
    for (size_t i = 0; i < parts.size(); ++i)
      if (nth < parts[i].members.size())
        hand_runner(member, crew, crew.rows[i], parts[i].members[nth]);
  take_back_runners(member, crew);  // C2
  counting.finish(true);
  leave(crew);
}

bool is_late(const Task& runner) noexcept {
  const auto& [crew, row] = runner_of(runner);
  return !row.begun.load(std::memory_order_relaxed) && plat::now() - crew.start > kLateNs;
}

}  // namespace vicino::team
