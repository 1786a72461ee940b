#include "team/team.hpp"

#include <algorithm>

#include "config/settings.hpp"
#include "ompt/tool.hpp"
#include "site/counts.hpp"
#include "site/kinds.hpp"
#include "site/site_rule.hpp"
#include "sync/handover.hpp"
#include "task/holders.hpp"
#include "task/registry.hpp"
#include "team/construct_memory.hpp"
#include "team/domains.hpp"
#include "team/places.hpp"
#include "team/shape.hpp"
#include "team/team_loops.hpp"
#include "team/worker.hpp"
#include "topo/kept_core.hpp"
#include "topo/machine.hpp"
#include "tune/sampling.hpp"

namespace vicino::team {
namespace {

using topo::Level;
using topo::Machine;

// Few programs have more teams than kMostTeams; further teams get 0. Relaxed: the RMW alone makes
// numbers unique.
uint64_t new_number() noexcept {
  static plat::atomic<uint64_t> last{0};
  const uint64_t number = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return number <= tune::Sampling::kMostTeams ? number : 0;
}

// A team of one needs queues of near domains only if the task scheduler keeps all tasks in them.
int queues_of_domains(task::QueueKind queue, bool alone) {
  const bool always = queue == task::QueueKind::kDomain;
  if (alone && !always) return 0;
  const int domains = Machine::here().near_count();
  return domains > 1 || always ? domains : 0;
}

}  // namespace

int bound_node(const Member& member) noexcept {
  return member.bound.spot < 0 ? -1 : topo::Machine::here().node_of(spots()[member.bound.spot]);
}

int bound_domain(const Member& member) noexcept {
  return member.bound.spot < 0 ? -1 : topo::Machine::here().near_of(spots()[member.bound.spot]);
}

int bound_core(const Member& member) noexcept {
  const int spot = member.bound.spot;
  return spot < 0 ? -1 : topo::Machine::here().core_of(spots()[spot]);
}

Member::Member(Team& its_team, int number) : team(&its_team), id(number) {
  loop.cursor.member = static_cast<uint32_t>(number);
  Task& implicit = tasks.standing.implicit();
  implicit.set_place_in_tree(nullptr, 0);
  implicit.set_owner(this);
  implicit.set_record(record);
  if (team->options.watched) implicit.flags = Task::kWatched;
}

uint64_t memory_generation(const Member& member) noexcept {
  return member.team->size == 1 ? member.met.shared : member.generation;
}

void Member::start(uint64_t number) noexcept {
  generation = number;
  icvs = &team->icvs;
  met = {};
  has_met = false;
  pushed.threads = 0;
  pushed.has_bind = false;
  pushed.num_threads.reset();
  loop.next = nullptr;
  loop.ordered = loop.knows_cuts = false;
  loop.doacross = nullptr;
  tasks.standing.start();
  tasks.starts.forget_tiny();
  tasks.search.begin_region();
  tasks.begin_epoch(team->tasks.terminations[0], number);
}

namespace {

bool cuts_by_site() noexcept {
  const config::StaticLoops static_loops = config::settings().static_loops;
  return static_loops == config::StaticLoops::kMeasured ||
         static_loops == config::StaticLoops::kTuned;
}

}  // namespace

TeamOptions::TeamOptions(bool alone)
    : displays(config::settings().display_affinity),
      watched(ompt::had_tool.load(std::memory_order_relaxed)),
      announces(displays || watched),
      times_regions(site::times_regions(config::settings())),
      has_rules(!site::rules().empty()),
      counts_loops(!config::settings().stats.empty()),
      shows_loops(counts_loops || watched),
      cuts_by_kinds(!alone && site::cuts_by_kinds(Machine::here())),
      counts_or_cuts(counts_loops || cuts_by_kinds),
      asks_for_blocks(has_rules || counts_loops || cuts_by_site() || cuts_by_kinds),
      explores(config::settings().explore) {}

namespace {

task::QueueKind queue_kind() {
  return task::kRows[static_cast<size_t>(config::settings().task_scheduler)].queue;
}

// Short tasks are calls. A call would be out of turn where tasks wait in common queues.
bool calls_short_tasks() {
  return queue_kind() == task::QueueKind::kDeque &&
         config::settings().task_calls.way == config::TaskCalls::kShort;
}

}  // namespace

Team::Team(Worker& primary, bool alone)
    : number(new_number()),
      core_of_primary(alone ? nullptr : topo::core_word()),
      serial(alone),
      options(alone),
      tasks(queue_kind(), calls_short_tasks(), config::settings().max_task_priority > 0),
      construct_memory(std::make_unique<ConstructMemory>()),
      loops_(std::make_unique<TeamLoops>()) {
  reserve(1);
  member(0).worker = &primary;
  for (int i = queues_of_domains(tasks.queue, alone); i > 0; --i)
    tasks.of_domains.push_back(std::make_unique<task::Shared<Task>>());
  arrangement_.begin(*this);
  if (!alone && config::settings().frees_primary) at_end = kPrimaryHeld;
}

Member::~Member() = default;
Team::~Team() = default;

TeamTasks::TeamTasks(task::QueueKind its_queue, bool learns, bool has_priorities)
    : queue(its_queue),
      learns_lengths(learns),
      calls_short(learns && !has_priorities),
      holders(std::make_unique<task::Holders>()),
      member_domains(std::make_unique<DomainsOfMembers>()) {}

TeamTasks::~TeamTasks() = default;

static_assert(kMaxTeam == sync::Go::kMaxSize);

void Team::reserve(int n) {
  const int had = capacity();
  if (n <= had) return;
  if (n > 1 && block_ == 0) block_ = std::min(threads_per(Machine::here(), Level::kCacheGroup), 16);
  const PagesAhead pages(static_cast<size_t>(n - had), sizeof(Member));
  for (int i = had; i < n; ++i) {
    members_.push_back(std::make_unique<Member>(*this, i));
    if (i == 0 || i % block_ == 0) mailboxes_.push_back(std::make_unique<Mailbox>());
    mailbox_of_.push_back(mailboxes_.back().get());
  }
  tasks.holders->reserve(n);
  loops_->reserve(n);
}

void Team::decide_announcement() {
  displays_now = arrangement_.has_changed() && !serial;
  for (int i = 0; i < size; ++i) {
    Worker& worker = *member(i).worker;
    const Worker::Shape now{level, size};
    displays_now = displays_now || worker.displayed != now;
    worker.displayed = now;
  }
}

}  // namespace vicino::team
