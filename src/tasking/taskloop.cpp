// taskloop.cpp: generates a taskloop's tasks.
//
// Why    One thread that makes thousands of tasks is a bottleneck: making a task takes as long as
//        running a small one. So a long row of tasks is halved: a task that Vicino makes, a
//        generator, makes one half, and the thread that steals it halves it again. The oldest task
//        of a deque is its largest generator, so a thief takes half of what is left.
// Runs   If there are very many tasks, most are never stolen. Then a generator of a short run does
//        not spawn its tasks but runs them itself, one after the other. Whenever thieves have
//        emptied its thread's deque, it puts a generator for half of its remaining tasks there. So
//        a task that takes long holds up the rest of its run at most, and only if no thread has
//        asked for tasks before. Runs get longer where they take little time. The thread that met
//        the taskloop only makes generators: it may have to go on.
// Hidden The program does not see generators: the tasks that a generator spawns are children of the
//        task that met the taskloop and belong to its group, as if that task had made them. Both
//        pending counts stay above 0 meanwhile, for they count the generator. The tasks that a
//        generator runs itself are its own children. The program cannot tell: they end before the
//        generator does.
// Domains  In a team that is bound in several near domains each gets the part of the row that a static
//        loop would give to its threads: the data lie there if those threads touched them first.
//        The part's generator waits in the domain's queue. Within the domain, threads take tasks from
//        each other, nearest first; a thread whose domain has nothing left looks elsewhere.
// Source The domains' parts: hierarchical scheduling of ILAN (papers/ilan, section III), here without
//        its strict part.
//
// Memory order
//  G1 leaving a SharedPattern is a release, and for the last maker an acquire: each maker's use of
//     the pattern comes before its deletion. Entering is relaxed: the maker that makes a generator
//     is itself counted, and the generator's task is published by the deque or queue that holds it.
#include "tasking/taskloop.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "config/settings.hpp"
#include "event/more.hpp"
#include "site/counts.hpp"
#include "site/loop_record.hpp"
#include "site/tuned_site.hpp"
#include "site/untuned_taskloops.hpp"
#include "tasking/crew.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/ilan.hpp"
#include "tasking/ready.hpp"
#include "tasking/taskloop_counts.hpp"
#include "tasking/tasks.hpp"

namespace vicino::tasking {
namespace {

// A row this short is made by one thread, unless threads make what they run; thieves would wait
// longer for a longer one.
constexpr uint64_t kShortRow = 32;

// There are at least so many runs for each thread.
constexpr uint64_t kRuns = 8;

// A run that takes less is too short, if it may be longer; a run that takes more than four times as
// long is too long.
constexpr uint64_t kRunNs = 5'000;

// The most tasks in a run; 0: the tasks are so few that each is spawned.
uint64_t longest_run(const Team& team, const TaskloopRequest& request) noexcept {
  const uint64_t length = request.split.tasks() / (kRuns * static_cast<uint64_t>(team.size));
  if (request.in_place) return std::max<uint64_t>(length, 1);
  return request.urgent || length < 2 ? 0 : length;
}

struct SharedPattern {
  SharedPattern(std::unique_ptr<TaskPattern> its_pattern, const TaskloopRequest& request,
                uint64_t run)
      : pattern(std::move(its_pattern)),
        split(request.split),
        longest(run),
        length(std::min(run, kShortRow)) {}

  std::unique_ptr<TaskPattern> pattern;
  task::Split split;
  const uint64_t longest;         // longest_run()
  plat::atomic<uint64_t> length;  // of the next run, as found last; relaxed, for any value will do
  plat::atomic<uint32_t> makers{1};
};

void adapt_run(SharedPattern& shared, uint64_t tasks, uint64_t ns) noexcept {
  const uint64_t length = shared.length.load(std::memory_order_relaxed);
  uint64_t next = length;
  if (ns > 4 * kRunNs) next = std::max(length / 2, std::min(shared.longest, kShortRow));
  if (ns < kRunNs && tasks > length / 2) next = std::min(2 * length, shared.longest);
  if (next != length) shared.length.store(next, std::memory_order_relaxed);
}

struct Generator {
  SharedPattern& shared;
  uint64_t first, last;
};

void leave(SharedPattern& shared) {
  if (shared.makers.fetch_sub(1, std::memory_order_acq_rel) == 1) delete &shared;  // G1
}

bool run_generator(Member& member, Task& task);

Task& new_generator(Member& member, SharedPattern& shared, Task& parent, uint64_t first,
                    uint64_t last) {
  shared.makers.fetch_add(1, std::memory_order_relaxed);
  Task& task = *new_task(member, sizeof(Generator), 0);
  task.set_place_in_tree(&parent, parent.depth() + 1);
  task.body = run_generator;
  task.data = new (&task + 1) Generator{shared, first, last};
  return task;
}

void spawn_generator(Member& member, SharedPattern& shared, Task& parent, int data_domain,
                     uint64_t first, uint64_t last) {
  Task& task = new_generator(member, shared, parent, first, last);
  task.set_data_domain(data_domain);
  spawn(member, task);
}

// Runs the tasks [first, last). `parent`, `data_domain`: of the generators that it makes meanwhile.
void run_tasks(Member& member, SharedPattern& shared, Task& parent, int data_domain, uint64_t first,
               uint64_t last) {
  const uint64_t start = plat::now();
  uint64_t done = 0;
  while (first < last && goes_on(member)) {
    if (last - first > 1 && !member.tasks.deque.holds(1)) [[unlikely]] {
      const uint64_t middle = first + (last - first + 1) / 2;
      spawn_generator(member, shared, parent, data_domain, middle, last);
      last = middle;
    }
    const uint64_t next = shared.pattern->run(member, shared.split, first, last, false);
    done += next - first;
    first = next;
  }
  adapt_run(shared, done, plat::now() - start);
}

// Makes or runs the tasks [first, last). `parent`: of the tasks that it spawns; it is the present
// task, or the parent of the generator that is the present task. `data_domain`: of the tasks.
void make_row(Member& member, SharedPattern& shared, Task& parent, int data_domain, uint64_t first,
              uint64_t last) {
  const bool runs = shared.longest > 0;
  const uint64_t shortest = runs ? shared.length.load(std::memory_order_relaxed) : kShortRow;
  while (last - first > shortest) {
    const uint64_t middle = first + (last - first) / 2;
    spawn_generator(member, shared, parent, data_domain, middle, last);
    last = middle;
  }
  if (runs) {
    const bool met_it = &member.task() == &parent;
    return met_it ? spawn_generator(member, shared, parent, data_domain, first, last)
                  : run_tasks(member, shared, parent, data_domain, first, last);
  }
  for (uint64_t i = first; i < last && goes_on(member); ++i) {
    Task& task = shared.pattern->make(member, shared.split.range(i));
    task.set_place_in_tree(&parent, parent.depth() + 1);
    task.set_data_domain(data_domain);
    spawn(member, task);
  }
}

// The tasks that a static loop would give to consecutive members in one near domain.
struct Part {
  uint64_t first, last;  // tasks
  int domain;
  int member;  // the first of these members
};
std::vector<Part> parts_of(Team& team, uint64_t tasks) {
  const auto size = static_cast<uint64_t>(team.size);
  std::vector<Part> parts;
  for (int i = 0; i < team.size; ++i) {
    const uint64_t last = task::end_of_part(tasks, static_cast<uint64_t>(i + 1), size);
    const int domain = bound_domain(team.member(i));
    if (parts.empty() || parts.back().domain != domain)
      parts.push_back({parts.empty() ? 0 : parts.back().last, last, domain, i});
    parts.back().last = last;
  }
  return parts;
}

bool by_domains(Team& team) noexcept {
  return config::settings().taskloop != config::Taskloop::kFlat &&
         team.tasks.of_domains.size() > 1 && bound_domain(team.member(0)) >= 0;
}

void make_row_by_domains(Member& member, SharedPattern& shared) {
  std::vector<Task*> generators;
  std::vector<int> from;
  for (const Part& part : parts_of(*member.team, shared.split.tasks())) {
    if (part.first == part.last) continue;
    Task& task = new_generator(member, shared, member.task(), part.first, part.last);
    task.set_data_domain(part.domain);
    account(member, task);
    generators.push_back(&task);
    from.push_back(part.member);
  }
  offer_at_domains(member, generators, from);
}

bool run_generator(Member& member, Task& task) {
  const auto& [shared, first, last] = *static_cast<Generator*>(task.data);
  if (!task.is(Task::kDiscarded))
    make_row(member, shared, *task.parent(), task.data_domain(), first, last);
  leave(shared);
  return true;
}

// As make_row_by_domains(), for tasks that only this thread may make. It makes the first task of each
// domain's part, then the second, and so on, so that no domain waits for another's tasks.
void make_one_by_one_for_domains(Member& member, TaskPattern& pattern, const task::Split& split) {
  Team& team = *member.team;
  const std::vector<Part> parts = parts_of(team, split.tasks());
  uint64_t longest = 0;
  for (const Part& part : parts) longest = std::max(longest, part.last - part.first);
  for (uint64_t i = 0; i < longest; ++i)
    for (const Part& part : parts) {
      if (i >= part.last - part.first) continue;
      if (!goes_on(member)) return;
      Task& task = pattern.make(member, split.range(part.first + i));
      task.set_data_domain(part.domain);
      account(member, task);
      if (task.priority > 0)
        offer(member, task);
      else
        offer_at_domains(member, std::array{&task}, std::array{part.member});
    }
}

void make_one_by_one(Member& member, TaskPattern& pattern, const TaskloopRequest& request) {
  const task::Split& split = request.split;
  // In a team of several members the deque may have room for tasks again after each task.
  const bool all_at_once = !request.deferred || member.team->size == 1;
  for (uint64_t i = 0; i < split.tasks() && goes_on(member);) {
    if (!request.deferred || runs_at_once(member))
      i = pattern.run(member, split, i, all_at_once ? split.tasks() : i + 1, true);
    else
      spawn(member, pattern.make(member, split.range(i++)));
  }
}

// The present task makes all tasks, so that free agents find each.
void make_for_agents(Member& member, TaskPattern& pattern, const task::Split& split) {
  for (uint64_t i = 0; i < split.tasks() && goes_on(member); ++i) {
    Task& task = pattern.make(member, split.range(i));
    if (goes_to_agents(member, task) || !runs_at_once(member))
      spawn(member, task);
    else
      run_at_once(member, task);
  }
}

// `alone`: no other thread may run the tasks.
void offer_tasks(Member& member, std::unique_ptr<TaskPattern> pattern,
                 const TaskloopRequest& request, bool alone) {
  const bool domains = !alone && by_domains(*member.team);
  if (domains && !request.shareable)
    return make_one_by_one_for_domains(member, *pattern, request.split);
  const bool is_short = request.split.tasks() <= kShortRow && !request.in_place;
  if (alone || !request.shareable || (!domains && is_short))
    return make_one_by_one(member, *pattern, request);
  auto* shared = new SharedPattern(std::move(pattern), request, longest_run(*member.team, request));
  if (domains)
    make_row_by_domains(member, *shared);
  else
    make_row(member, *shared, member.task(), -1, 0, request.split.tasks());
  leave(*shared);
}

}  // namespace

void TaskPattern::run_one(Member& member, loop::Range iterations) {
  run_at_once(member, make(member, iterations));
}

uint64_t TaskPattern::run(Member& member, const task::Split& split, uint64_t first, uint64_t last,
                          bool alone) {
  do run_one(member, split.range(first));
  while (++first < last && goes_on(member, alone));
  return first;
}

task::SplitRequest default_split(int threads) noexcept {
  const auto size = static_cast<uint64_t>(threads);
  return {task::Grain::kNone, size == 1 ? 1 : kTasksPerThread * size, false};
}

bool waits_at_once(Member& member) noexcept {
  const Task& task = member.task();
  return task.inner != task.group && !task.inner->is(team::Group::kOfConstruct) &&
         task.inner->tasks.live() == 0;
}

void run_alone(Member& member, TaskPattern& pattern, const TaskloopRequest& request,
               site::LazySite& site) {
  const task::Split split =
      request.open ? task::Split(request.split.trip(), default_split(1)) : request.split;
  site::LoopCounts* const counted = counted_at(site, *member.team, "ilan");
  const uint64_t at_once = counted == nullptr ? split.tasks() : 1;  // each task is counted
  site::TaskloopCounting counting(counted);
  member.tasks.crews.enter();
  for (uint64_t i = 0; i < split.tasks() && goes_on(member);) {
    counting.begin_tasks(split.range(i).size());
    i = pattern.run(member, split, i, std::min(i + at_once, split.tasks()), true);
    counting.end_tasks();
  }
  member.tasks.crews.leave();
  counting.finish(true);
}

site::LoopCounts* counted_at(site::LazySite& site, const Team& team, std::string_view name) {
  if (!team.options.counts_loops) return nullptr;
  auto* const record = site::LoopRecord::find(site.get(), name, static_cast<uint32_t>(team.size));
  return record == nullptr ? nullptr : &record->counts;
}

namespace {

// The present task makes all tasks, as a tool expects it.
[[gnu::cold]] void make_each(Member& member, TaskPattern& pattern, const TaskloopRequest& request) {
  for (uint64_t i = 0; i < request.split.tasks() && goes_on(member); ++i) {
    Task& task = pattern.make(member, request.split.range(i));
    if (!request.deferred || runs_at_once(member))
      run_at_once(member, task);
    else
      spawn(member, task);
  }
}

}  // namespace

void generate_tasks(Member& member, std::unique_ptr<TaskPattern> pattern,
                    const TaskloopRequest& request) {
  site::LazySite at(request.site);
  if (member.team->options.has_rules) [[unlikely]]
    if (site::Site* site = at.get()) site->rule.note_taskloop(request.site);
  const bool watched = member.team->icvs.watched();
  if (watched && (request.for_agents || !event::is_told_of_crews())) [[unlikely]]
    return make_each(member, *pattern, request);
  if (request.for_agents && request.deferred)
    return make_for_agents(member, *pattern, request.split);
  const bool alone = !request.deferred || runs_at_once(member);
  if (alone) site::note_untuned_taskloop(site::Untuned::kAtOnce);
  if (site::TunedConstruct* site = alone ? nullptr : ilan_site(member, request, at)) {
    const bool wanted = site->wants_this();
    if (!wanted && site->is_best_alone() && waits_at_once(member))
      return run_alone(member, *pattern, request, at);
    if (wanted || site->is_best_alone())
      return give_to_crew(member, *site, std::move(pattern), request);
  }
  if (watched) [[unlikely]]
    return make_each(member, *pattern, request);
  site::LoopCounts* const counted = counted_at(at, *member.team, "taskloop");
  if (counted == nullptr) [[likely]]
    return offer_tasks(member, std::move(pattern), request, alone);
  TaskloopCounts counts(member, *counted);
  offer_tasks(member, counts.cover(std::move(pattern)), request, alone);
}

}  // namespace vicino::tasking
