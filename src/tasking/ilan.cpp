// ilan.cpp: a taskloop is run by a crew: members in some domains, each with its own row of tasks. A domain is a
// near domain of the machine (Machine::near_level()): a NUMA node or a group of CPUs that share a cache.
//
// Why    A taskloop's threads slow each other down where they share a memory or a link, and more
//        threads may take longer than fewer. A program cannot tell which thread runs which task; so
//        the tuner may leave threads without any.
// How    The iterations are divided among the members of the crew, domain by domain (crew.hpp). Each
//        member is handed one task that Vicino makes, a runner, which takes tasks from the member's
//        row (task/member_row.hpp), one after the other. The members outside of the crew find no
//        tasks, and sleep. A runner whose row is empty takes tasks from the other rows of its domain
//        and, with full stealing, from the rows of other domains, the nearest first.
// Begin  To hand a runner out takes lines of that member's, a microsecond where it is far away. So the
//        maker hands out one runner for each batch of rows, and that runner those of its neighbours.
// Clause A taskloop with grainsize or num_tasks has the tasks that its clause says (task/split.hpp):
//        the rows hold these, and only who runs them is chosen. Without a clause the rows hold
//        units, and what a runner takes at once is one task.
// Source ILAN (papers/ilan, sections III and IV).
// Alone  Where one thread is best, the thread that meets the taskloop runs it, if it waits for the
//        taskloop's end anyway, and is on the right node or would lose more by waiting than by
//        being far from the data.
// Late   A program may have hundreds of taskloops that are each met a few times and are short. To
//        try anything there costs more than it can gain, so a taskloop is run by taskloop.cpp until
//        what it has taken pays for trying (kPaysNs). That also warms it up.
// Not    for short taskloops, for those that a runner meets, and for those that are met while
//        members of another crew have not come: taskloop.cpp runs these. Nor where a clause leaves
//        fewer tasks than the team has members: then some have none whatever the width is, the
//        rows are too short to be divided or stolen from, and any idle thread may as well come.
//
// Invariants
//  C1 each task is run once: the rows hold all tasks and give each of them once. A runner goes on
//     until all rows of its domain are empty. For each domain one runner begins in the end. The member
//     that it was handed to begins it when that waits at a barrier at the latest. But this member
//     may not come there before the thread that waits for the taskloop has gone on; so a member
//     whose wait includes the runner may begin it, too (take_late() in ready.cpp), if it may run it
//     by the rule of team/standing.hpp.
//  C2 no thread waits for runners that have nothing to do: a thread that finds all rows empty takes
//     back the runners that have not begun, without running them, and counts them as ended. The
//     maker and each runner that has handed out others look for that afterwards. One of the two sees what the
//     other did, for these are sequentially consistent: taking from a row, looking at it, putting
//     into a member's queue of handed tasks, and looking there (task/member_row.hpp,
//     task/queues.hpp). `begun` is relaxed: an old value costs a look at the rows.
//  C3 the runners and the maker each use the Crew until they leave it; the last to leave frees it.
//  C4 the last to leave tells the tuner; by C3 all tasks have ended then, and everything that was
//     counted is there. It tells the time only if the thread that ended the last task of the last
//     row has set `complete`, which it does not for a cancelled taskloop. A runner leaves before it
//     counts as ended, so the tuner knows before the thread that waits for the taskloop goes on.
//  C5 each row has a part of the meter, for the thread that runs its runner, and the maker has one.
//     No thread is in two parts at once: a runner does not descend from another runner of its crew,
//     so it may not run on top of that (team/standing.hpp), even if the other has handed it out; and
//     the maker runs none while it hands them out.
//  C6 the runners of a batch but the first are handed out once, by the thread that sets Batch::handed. The maker tries
//     each batch in the end, so none is left out because the member of its first runner is busy.
//
// Memory order
//  O1 leaving the crew is a release, and for the last to leave an acquire: every use of the crew
//     comes before tell_tuner() and the delete. Entering is relaxed: the maker enters for the
//     runners, and is counted itself.
//  O2 the end of a task, counted in TaskRow::left and then in rows_left, is a release, and for the
//     last one an acquire: if a task cancelled its group, the thread that ends the last task sees
//     that. TaskRow::ended_at and `complete` are read after O1, so the first is relaxed, the second
//     plain.
//  The Crew and the rows reach a runner by the queue of handed tasks, whose lock orders them. So Batch::handed is
//  relaxed: that one thread alone sets it follows from the RMW.
//  TaskRow::begun is relaxed: it only says whether a runner is late, and C1 needs no more.
#include "tasking/ilan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/line.hpp"
#include "config/settings.hpp"
#include "event/more.hpp"
#include "site/counts.hpp"
#include "site/kept_profile.hpp"
#include "site/metering.hpp"
#include "site/tuned_site.hpp"
#include "site/untuned_taskloops.hpp"
#include "task/member_row.hpp"
#include "tasking/crew.hpp"
#include "tasking/ready.hpp"
#include "tasking/taskloop.hpp"
#include "tasking/tasks.hpp"
#include "team/cancelled.hpp"
#include "team/near.hpp"
#include "topo/machine.hpp"
#include "tune/policy.hpp"

namespace vicino::tasking {
namespace {

// In one line: the maker fills the rows, and each then moves to the member that begins it.
struct alignas(kLine) TaskRow {
  task::MemberRow tasks;               // in units
  loop::Range block;                   // iterations; by a clause, numbers of tasks of Crew::split
  plat::atomic<uint64_t> ended_at{0};  // when the last of the units ended
  plat::atomic<uint32_t> left{0};      // units that have not ended
  uint32_t units = 0;  // parts of the block, of which tasks are made; by a clause, tasks
  int domain = -1, member = 0;
  plat::atomic<bool> begun{false};  // its runner has begun
};
static_assert(sizeof(TaskRow) == kLine);

// Rows of one domain whose runners one thread hands out: C6.
struct alignas(kLine) Batch {
  std::span<TaskRow> rows;
  plat::atomic<bool> handed{false};  // a thread has begun to hand them out, but for the first
};

site::StealPolicy policy_of(tune::Choice choice) noexcept {
  return static_cast<site::StealPolicy>(choice.candidate);
}

struct Crew {
  Crew(std::unique_ptr<TaskPattern> its_pattern, const TaskloopRequest& request,
       site::TunedConstruct& its_site, tune::Begun its_begun)
      : pattern(std::move(its_pattern)),
        trip(request.split.trip()),
        split(request.split),
        by_clause(!request.open),
        makes_before(!request.shareable),
        site(its_site),
        begun_as(its_begun),
        choice(its_begun.choice),
        rows(static_cast<size_t>(its_begun.choice.threads)) {}

  const std::unique_ptr<TaskPattern> pattern;
  const uint64_t trip;
  const task::Split split;  // used if by_clause
  const bool by_clause;     // a clause says what the tasks are
  const bool makes_before;  // the maker makes all tasks before it hands out runners
  site::TunedConstruct& site;
  const tune::Begun begun_as;
  const tune::Choice choice;
  site::LoopCounts* counted = nullptr;  // VICINO_STATS
  const void* told_at = nullptr;  // where a tool is told that the taskloop is; null: no tool is
  bool notes_steals = false;      // they are counted, or a tool is told
  std::vector<TaskRow> rows;      // the rows of a domain's members are neighbours
  std::vector<Batch> batches;     // tile the rows
  // For each row its units' tasks, if only the maker may make tasks.
  std::vector<std::vector<Task*>> made;
  int runners = 0;
  site::Timing timing;              // C5
  bool complete = false;            // C4
  plat::atomic<int> begun{0};       // runners that have begun
  plat::atomic<uint32_t> users{1};  // C3
  plat::atomic<size_t> rows_left{0};
};

struct Runner : HandedTask {
  Runner(Crew& its_crew, TaskRow& its_row, Batch* its_batch) noexcept;
  Crew& crew;
  TaskRow& row;
  Batch* const batch;  // whose other runners it hands out; null if there is none
};

Runner& runner_of(const Task& task) noexcept {
  return *static_cast<Runner*>(static_cast<HandedTask*>(task.data));
}

bool all_taken(const Crew& crew) noexcept {
  return std::ranges::all_of(crew.rows, [](const TaskRow& row) { return row.tasks.empty(); });
}

// `units`: some of the row's.
loop::Range iterations_of(const Crew& crew, const TaskRow& row, loop::Range units) noexcept {
  if (crew.by_clause)
    return {crew.split.range(row.block.begin + units.begin).begin,
            crew.split.range(row.block.begin + units.end - 1).end};
  const task::Split of_block(row.block.size(), {task::Grain::kNone, row.units, false});
  return {row.block.begin + of_block.range(units.begin).begin,
          row.block.begin + of_block.range(units.end - 1).end};
}

void tell_tuner(Crew& crew) noexcept {
  if (!crew.complete) return crew.site.record(crew.begun_as, std::nullopt);
  std::vector<site::TunedConstruct::DomainTime> times;
  uint64_t end = 0;
  for (auto row = crew.rows.begin(); row != crew.rows.end();) {
    const int domain = row->domain;
    uint64_t iterations = 0, ended_at = 0;
    for (; row != crew.rows.end() && row->domain == domain; ++row) {
      if (row->units > 0) iterations += iterations_of(crew, *row, {0, row->units}).size();
      ended_at = std::max(ended_at, row->ended_at.load(std::memory_order_relaxed));
    }
    if (iterations == 0) continue;
    end = std::max(end, ended_at);
    const auto ns = static_cast<double>(ended_at - crew.timing.started());
    times.push_back({domain, ns / static_cast<double>(iterations)});
  }
  const bool all_threads = crew.choice.threads == static_cast<int>(crew.site.key().members);
  const bool strict = !is_full(policy_of(crew.choice));
  if (!all_threads || !strict || crew.rows.front().domain < 0) times.clear();
  crew.site.record(crew.begun_as, crew.timing.taken(crew.trip, end), times);
}

void leave(Crew& crew) noexcept {
  if (crew.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;  // O1, C3
  tell_tuner(crew);                                                     // C4
  delete &crew;
}

size_t row_number(const Crew& crew, const TaskRow& row) noexcept {
  return static_cast<size_t>(&row - crew.rows.data());
}

// Runs the units as one task.
void run_task(Member& member, Crew& crew, const TaskRow& row, loop::Range units,
              site::TaskloopCounting& counting) noexcept {
  const loop::Range iterations = iterations_of(crew, row, units);
  counting.begin_tasks(iterations.size());
  if (!crew.makes_before) {
    crew.pattern->run_one(member, iterations);
  } else {
    Task& task = *crew.made[row_number(crew, row)][units.begin];
    Task& runner = member.task();
    task.set_place_in_tree(&runner, runner.depth() + 1);
    run_at_once(member, task);
  }
  counting.end_tasks();
}

// Runs what was taken from a row at once. Tasks of a cancelled group are left out. None of them was
// made beforehand: in a team that may cancel, a taskloop whose tasks are made beforehand has no crew
// (why_untuned()).
void run_units(Member& member, Crew& crew, TaskRow& row, loop::Range units,
               site::TaskloopCounting& counting) noexcept {
  if (!crew.by_clause) {
    run_task(member, crew, row, units, counting);
  } else {
    uint64_t unit = units.begin;
    do run_task(member, crew, row, {unit, unit + 1}, counting);
    while (++unit < units.end && goes_on(member));
  }
  const auto some = static_cast<uint32_t>(units.size());
  if (row.left.fetch_sub(some, std::memory_order_acq_rel) != some) return;  // O2
  row.ended_at.store(plat::now(), std::memory_order_relaxed);
  if (crew.rows_left.fetch_sub(1, std::memory_order_acq_rel) == 1 &&  // O2
      !team::taskgroup_is_cancelled(member))
    crew.complete = true;  // C4
}

std::span<TaskRow> rows_in(Crew& crew, int domain) noexcept {
  const auto is_there = [domain](const TaskRow& row) { return row.domain == domain; };
  const auto first = std::ranges::find_if(crew.rows, is_there);
  return {first, std::find_if_not(first, crew.rows.end(), is_there)};
}

[[gnu::noinline, gnu::cold]] void note_steal(Member& member, const Crew& crew, const TaskRow& row,
                                             site::TaskloopCounting& counting) noexcept {
  const auto distance =
      member.team->arrangement()
          .shape(*member.team)
          .distance(static_cast<uint32_t>(member.id), static_cast<uint32_t>(row.member));
  counting.count_steal(distance);
  if (crew.told_at != nullptr) event::stolen(row.member, static_cast<unsigned>(distance));
}

// Empties the rows one after the other, beginning with number `first`. An empty row stays empty.
template <class Take>
void take_from(Member& member, Crew& crew, std::span<TaskRow> rows, size_t first,
               site::TaskloopCounting& counting, Take take) noexcept {
  for (size_t i = 0; i < rows.size(); ++i) {
    TaskRow& row = rows[(first + i) % rows.size()];
    while (goes_on(member)) {
      const loop::Range units = take(row.tasks);
      if (units.empty()) break;
      if (crew.notes_steals) note_steal(member, crew, row, counting);
      run_units(member, crew, row, units, counting);
    }
  }
}

void take_from_others(Member& member, Crew& crew, const TaskRow& own,
                      site::TaskloopCounting& counting) noexcept {
  const std::span<TaskRow> near = rows_in(crew, own.domain);
  const auto next = static_cast<size_t>(&own - near.data()) + 1;
  take_from(member, crew, near, next, counting, [](auto& row) { return row.take_near(); });
  if (!is_full(policy_of(crew.choice)) || own.domain < 0) return;
  for (const int domain : topo::Machine::here().near_nearest_first(own.domain))
    if (domain != own.domain)
      take_from(member, crew, rows_in(crew, domain), next, counting,
                [](auto& row) { return row.take_far(); });
}

void take_back_runners(Member& member, Crew& crew) {
  if (crew.begun.load(std::memory_order_relaxed) == crew.runners) return;
  if (!all_taken(crew) && goes_on(member)) return;
  const auto is_runner = [&crew](Task& task) { return &runner_of(task).crew == &crew; };
  Team& team = *member.team;
  for (int i = 0; i < team.size; ++i)
    while (Task* task = take_handed(team.member(i), is_runner)) {
      leave(crew);
      leave_unrun(member, *task);
    }
}

// The maker's part of the meter comes after those of the rows.
uint32_t makers_part(const Crew& crew) noexcept { return static_cast<uint32_t>(crew.rows.size()); }
uint32_t part_of(const Crew& crew, const TaskRow& row) noexcept {
  return static_cast<uint32_t>(row_number(crew, row));
}

// Whether no runner has begun in its domain, kLateNs after the taskloop began.
bool is_late_runner(const HandedTask& it) noexcept {
  const auto& runner = static_cast<const Runner&>(it);
  const auto has_begun = [](const TaskRow& in_domain) {
    return in_domain.begun.load(std::memory_order_relaxed);
  };
  return std::ranges::none_of(rows_in(runner.crew, runner.row.domain), has_begun) &&
         plat::now() - runner.crew.timing.started() > kLateNs;
}

Runner::Runner(Crew& its_crew, TaskRow& its_row, Batch* its_batch) noexcept
    : HandedTask{is_late_runner}, crew(its_crew), row(its_row), batch(its_batch) {}

bool run_runner(Member& member, Task& task);

// How many runners a thread hands out at once: as many as share a cache on most machines. Each takes the lines of
// another member, which are in that member's cache.
constexpr size_t kMostInBatch = 8;

// A runner that is to be handed out. With a batch it hands out the others of that batch.
struct Due {
  TaskRow* row = nullptr;
  Batch* batch = nullptr;
};

// Hands out at most kMostInBatch runners. `maker`: the task that met the taskloop.
void hand_some(Member& member, Crew& crew, Task& maker, std::span<const Due> due) {
  std::array<Task*, kMostInBatch> tasks;
  std::array<Handing, kMostInBatch> handings;
  crew.users.fetch_add(static_cast<uint32_t>(due.size()), std::memory_order_relaxed);
  for (size_t i = 0; i < due.size(); ++i) {
    const auto [row, batch] = due[i];
    Task& task = *new_task(member, sizeof(Runner), 0);
    task.set_place_in_tree(&maker, maker.depth() + 1);  // C5
    task.body = run_runner;
    task.data = static_cast<HandedTask*>(new (&task + 1) Runner(crew, *row, batch));
    tasks[i] = &task;
    handings[i] = {&member.team->member(row->member), &task};
  }
  account(member, std::span(tasks).first(due.size()));
  hand_out(*member.team, std::span(handings).first(due.size()));
}

// Hands out the other runners of a batch, unless another thread does.
void hand_others(Member& member, Crew& crew, Task& maker, Batch& batch) {
  if (batch.rows.size() == 1 || batch.handed.exchange(true, std::memory_order_relaxed))
    return;  // C6
  std::array<Due, kMostInBatch> due;
  size_t others = 0;
  for (TaskRow& row : batch.rows.subspan(1)) due[others++] = {&row};
  hand_some(member, crew, maker, std::span(due).first(others));
}

bool run_runner(Member& member, Task& task) {
  Runner& runner = runner_of(task);
  Crew& crew = runner.crew;
  TaskRow& row = runner.row;
  crew.timing.enter(part_of(crew, row), member.worker->counter);
  crew.begun.fetch_add(1, std::memory_order_relaxed);
  row.begun.store(true, std::memory_order_relaxed);
  member.tasks.crews.enter();
  if (runner.batch != nullptr && goes_on(member))
    hand_others(member, crew, *task.parent(), *runner.batch);
  if (crew.told_at != nullptr) [[unlikely]]
    event::crew_begins(crew.told_at, crew.runners, row.domain);
  site::TaskloopCounting counting(crew.counted);
  while (goes_on(member)) {
    const loop::Range units = row.tasks.take();
    if (units.empty()) break;
    run_units(member, crew, row, units, counting);
  }
  take_from_others(member, crew, row, counting);
  if (crew.told_at != nullptr) [[unlikely]]
    event::crew_ends();
  member.tasks.crews.leave();
  take_back_runners(member, crew);  // C2
  counting.finish(false);
  crew.timing.leave(part_of(crew, row), member.worker->counter);
  leave(crew);
  return true;
}

// The domains as the crew takes them: the fastest one first, then by distance from it.
Tiers tiers_of(const Team& team, const site::TunedConstruct& site, tune::Choice choice) {
  const std::span<const int> domains = team.arrangement().domains();
  if (domains.size() == 1) return {domains};
  const topo::Machine& machine = topo::Machine::here();
  const auto nearest = machine.near_nearest_first(std::max(site.fastest_domain(), 0));
  return is_in_groups(policy_of(choice)) ? tier_each(nearest) : tier_by_node(nearest, machine);
}

// Into how many units each member's block is divided where no clause says it.
uint64_t units_for_each(const Crew& crew) noexcept {
  if (crew.choice.threads == 1) return 1;
  return crew.makes_before ? kTasksPerThread : kTasksPerThread * kUnitsPerTask;
}

std::vector<CrewRow> plan(const Crew& crew, std::span<const CrewPart> parts) {
  return crew.by_clause ? crew_rows(parts, crew.split)
                        : crew_rows(parts, crew.trip, units_for_each(crew));
}

void fill_rows(Crew& crew, std::span<const CrewPart> parts) {
  auto row = crew.rows.begin();
  for (const CrewRow& its : plan(crew, parts)) {
    row->domain = its.domain;
    row->member = its.member;
    row->block = its.iterations;
    if (crew.by_clause) row->block = {its.first_task, its.first_task + its.units};
    row->units = its.units;
    row->tasks.fill(its.units, its.strict, its.at_once);
    row->left.store(its.units, std::memory_order_relaxed);
    if (its.units > 0) crew.rows_left.fetch_add(1, std::memory_order_relaxed);
    ++row;
  }
}

void make_all(Member& member, Crew& crew) {
  for (const TaskRow& row : crew.rows) {
    std::vector<Task*>& made = crew.made.emplace_back();
    for (uint64_t unit = 0; unit < row.units; ++unit)
      made.push_back(&crew.pattern->make(member, iterations_of(crew, row, {unit, unit + 1})));
  }
}

void cut_into_batches(Crew& crew) {
  std::vector<size_t> ends;  // in rows
  for (size_t i = 1; i <= crew.rows.size(); ++i) {
    const size_t begin = ends.empty() ? 0 : ends.back();
    if (i == crew.rows.size() || i - begin == kMostInBatch ||
        crew.rows[i].domain != crew.rows[begin].domain)
      ends.push_back(i);
  }
  crew.batches = std::vector<Batch>(ends.size());
  size_t begin = 0;
  for (size_t i = 0; i < ends.size(); begin = ends[i++])
    crew.batches[i].rows = std::span(crew.rows).subspan(begin, ends[i] - begin);
}

// Hands out the first runner of each batch, then the whole batch in which the maker is, and then what is left of
// those whose first runner has not begun by then: its member may be busy for long.
void hand_runners(Member& member, Crew& crew) {
  Task& maker = member.task();
  const auto has_maker = [&member](const Batch& batch) {
    return std::ranges::find(batch.rows, member.id, &TaskRow::member) != batch.rows.end();
  };
  const auto found = std::ranges::find_if(crew.batches, has_maker);
  Batch& own = found != crew.batches.end() ? *found : crew.batches.back();
  std::array<Due, kMostInBatch> due;
  size_t some = 0;
  const auto add = [&](Batch& batch, bool hands_others) {
    due[some++] = {&batch.rows.front(), hands_others ? &batch : nullptr};
    if (some < due.size() && &batch != &own) return;
    hand_some(member, crew, maker, std::span(due).first(std::exchange(some, 0)));
  };
  for (Batch& batch : crew.batches)
    if (&batch != &own) add(batch, true);
  add(own, false);
  hand_others(member, crew, maker, own);
  for (Batch& batch : crew.batches) hand_others(member, crew, maker, batch);
}

// The thread that met the taskloop runs it alone, and the tuner is told the time.
void run_timed(Member& member, site::TunedConstruct& site, tune::Begun begun, TaskPattern& pattern,
               const TaskloopRequest& request) {
  site::Timing timing;
  timing.start(1);
  timing.enter(0, member.worker->counter);
  site::LazySite at(site.site());
  run_alone(member, pattern, request, at);
  timing.leave(0, member.worker->counter);
  const bool cancelled = team::taskgroup_is_cancelled(member);
  site.record(begun, cancelled ? std::nullopt : timing.taken(request.split.trip()));
}

// What a clause says of the tasks may make a crew useless or impossible. Where the maker makes all
// tasks beforehand, it makes as many as there could be units without a clause: with more, the other
// members would wait long for the first.
std::optional<site::Untuned> why_split_is_untuned(const Team& team,
                                                  const TaskloopRequest& request) noexcept {
  const auto members = static_cast<uint64_t>(team.size);
  const uint64_t most = request.shareable ? kMostTasks : members * kTasksPerThread * kUnitsPerTask;
  if (request.split.tasks() < members) return site::Untuned::kFewTasks;
  if (request.split.tasks() > most) return site::Untuned::kManyTasks;
  return {};
}

// Why the tuner may not choose for such taskloops.
std::optional<site::Untuned> why_untuned(const Team& team,
                                         const TaskloopRequest& request) noexcept {
  using site::Untuned;
  if (config::settings().taskloop != config::Taskloop::kIlan) return Untuned::kBySetting;
  if (request.urgent) return Untuned::kPriority;
  // Tasks that were made beforehand cannot be left out.
  if (!request.shareable && team.icvs.cancellation()) return Untuned::kMayCancel;
  if (request.open) return {};
  return why_split_is_untuned(team, request);
}

// What a short taskloop loses in the first ten executions with the tuner: its record and the first
// crew take 1.5 microseconds, each further try 0.5 (two threads, 300 taskloops of 0.4). A long one
// loses as little here, and what its tries lose is the tuner's account.
constexpr double kTrialsNs = 6'000;
// Trying may cost that part of a site's time which the tuner's budget is: 240 microseconds pay for
// it. A taskloop that takes longer than that is tuned from its second execution on.
constexpr auto kPaysNs = static_cast<uint64_t>(kTrialsNs / tune::kUsualPolicy.budget);

// Whether the taskloop has not yet paid for trying. If so, its time until the end of its group is
// added to what it has taken. That is more than it takes itself, if the thread runs other tasks
// meanwhile, so trying never begins too late. On several nodes the first crew already decides where
// the data lie, and with a profile the first execution may run as was found before.
bool has_taken_too_little(Member& member, site::Site& site) {
  if (site.untuned_ns.load(std::memory_order_relaxed) >= kPaysNs) return false;
  if (member.team->arrangement().has_several_nodes() || site::path_of_profile() != nullptr ||
      !waits_at_once(member))
    return false;
  team::Group& group = *member.task().inner;
  if (group.is(team::Group::kTimed)) return false;
  group.add_time_to(site.untuned_ns);
  return true;
}

}  // namespace

site::TunedConstruct* ilan_site(Member& member, const TaskloopRequest& request,
                                site::LazySite& site) {
  const Team& team = *member.team;
  const uint64_t trip = request.split.trip();
  if (trip == 0 || !config::settings().explore) return nullptr;
  // A free agent may wait for these tasks, and does not look at what is handed to others.
  if (team.tasks.is_host.load(std::memory_order_relaxed)) return nullptr;
  if (const auto why = why_untuned(team, request)) {
    site::note_untuned_taskloop(*why);
    return nullptr;
  }
  // Where members wait in taskloops of their own, a crew would wait for the members of another.
  if (member.tasks.crews.any() || team.tasks.handed.load(std::memory_order_relaxed) > 0)
    return nullptr;
  if (site.get() != nullptr && has_taken_too_little(member, *site.get())) {
    site::note_untuned_taskloop(site::Untuned::kTooLittle);
    return nullptr;
  }
  const auto key = site::SiteKey::of_taskloop(static_cast<uint32_t>(team.size), trip,
                                              team.arrangement().domains().size() > 1);
  return site::TunedConstruct::find(site.get(), key.at_level(team.active_level));
}

void give_to_crew(Member& member, site::TunedConstruct& site, std::unique_ptr<TaskPattern> pattern,
                  const TaskloopRequest& request) {
  const Team& team = *member.team;
  const tune::Begun begun = site.begin();
  const tune::Choice choice = begun.choice;
  const team::Arrangement& where = team.arrangement();
  const std::vector<CrewPart> parts =
      crew_of({where.domains_of_members(), where.cores_of_members()}, tiers_of(team, site, choice),
              choice.threads, member.id);
  const bool on_it = parts.front().members.front() == member.id || site.is_short();
  if (choice.threads == 1 && on_it && waits_at_once(member))
    return run_timed(member, site, begun, *pattern, request);
  // The kernel would move the primary thread to a domain whose threads are idle.
  if (member.id == 0 && parts.size() < where.domains().size()) team::hold_primary(*member.team);
  auto& crew = *new Crew(std::move(pattern), request, site, begun);
  fill_rows(crew, parts);
  site::LazySite at(site.site());
  crew.counted = counted_at(at, team, "ilan");
  if (team.icvs.watched()) [[unlikely]]
    crew.told_at = event::taskloop_decided("ilan", choice.threads);
  crew.notes_steals = crew.counted != nullptr || crew.told_at != nullptr;
  crew.timing.start(makers_part(crew) + 1);
  crew.timing.enter(makers_part(crew), member.worker->counter);
  site::TaskloopCounting counting(crew.counted);
  if (crew.makes_before) make_all(member, crew);
  crew.runners = choice.threads;
  cut_into_batches(crew);
  hand_runners(member, crew);
  take_back_runners(member, crew);  // C2
  counting.finish(true);
  crew.timing.leave(makers_part(crew), member.worker->counter);
  leave(crew);
}

}  // namespace vicino::tasking
