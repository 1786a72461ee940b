#include "team/team.hpp"

#include <algorithm>

#include "team/cold.hpp"
#include "team/dependences.hpp"
#include "team/places.hpp"
#include "team/ready.hpp"
#include "team/rules.hpp"
#include "team/shape.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

using topo::Level;
using topo::Machine;

std::vector<int> places_of(const Team& team, int n) {
  std::vector<int> place_of;
  for (int i = 0; i < n; ++i) place_of.push_back(team.member(i).place);
  return place_of;
}

// Few programs have more teams; those after them get none.
uint64_t new_number() noexcept {
  static plat::atomic<uint64_t> last{0};
  const uint64_t number = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return number <= TunedSite::kMostTeams ? number : 0;
}

}  // namespace

Member::Member(Team& its_team, int number) : team(&its_team), id(number) {
  implicit.set_place_in_tree(nullptr, 0);
  implicit.set_owner(this);
}

void Member::start(uint64_t number) noexcept {
  meeting = number;
  icvs = &team->icvs;
  singles = loops = worksharings = shared_constructs = 0;
  implicit.inner = nullptr;
  has_met = false;
  pushed_threads = 0;
  has_pushed_bind = false;
  loop.next = nullptr;
  loop.ordered = false;
  recorded = tied = &implicit;
  bare = 0;
  floor = 0;
  begin_epoch(team->ledgers[0]);
}

Team::Team(Worker& primary)
    : number(new_number()),
      displays(config::settings().display_affinity),
      has_rules(!rules().empty()),
      counts_loops(!config::settings().stats.empty()),
      asks_for_blocks(has_rules || counts_loops ||
                      config::settings().static_loops != config::StaticLoops::kEqual),
      task_home(task::kRows[static_cast<size_t>(config::settings().task_scheduler)].home),
      block_(std::min(threads_per(Machine::here(), Level::kCacheGroup), 16)) {
  reserve(1);
  member(0).worker = &primary;
  const int nodes = Machine::here().count(Level::kNode);
  if (nodes > 1 || task_home == task::Home::kNode)
    for (int i = 0; i < nodes; ++i) node_tasks.push_back(std::make_unique<task::Shared<Task>>());
  find_nodes(1, false);
}

Team::~Team() { await_fulfilling(); }

void Team::reserve(int n) {
  const int had = capacity();
  if (n <= had) return;
  for (int i = had; i < n; ++i) {
    members_.push_back(std::make_unique<Member>(*this, i));
    if (i % block_ == 0) mailboxes_.push_back(std::make_unique<Mailbox>());
    mailbox_of_.push_back(mailboxes_.back().get());
  }
  for (auto& lanes : lanes_) lanes = std::make_unique<loop::Lane[]>(static_cast<size_t>(n));
}

void Team::arrange(int n, topo::Bind bind, const Member& from) {
  const Arrangement wanted{n, bind, from.partition, from.place};
  rearranged_ = wanted != arranged_;
  if (!rearranged_) return;
  ++arrangements_;
  const bool same_but_size = wanted.bind == topo::Bind::kFalse && arranged_.bind == wanted.bind &&
                             arranged_.partition == wanted.partition;
  if (!same_but_size) place_members(wanted);
  find_nodes(n, same_but_size);
  arranged_ = wanted;
  // A primary thread that was nowhere yet is now on its place, and meets the next region from
  // there.
  if (bind != topo::Bind::kFalse) arranged_.primary_place = member(0).place;
  form_ = &form_for(arranged_);
}

void Team::decide_announcement() {
  announce = rearranged_ && !serial;
  for (int i = 0; i < size; ++i) {
    Worker& worker = *member(i).worker;
    const Worker::Shape now{level, size};
    announce = announce || worker.displayed != now;
    worker.displayed = now;
  }
}

// Programs change between few shapes, but may do so at each region.
const Team::Form& Team::form_for(Arrangement arrangement) {
  constexpr size_t kMost = 16;
  const bool bound = arrangement.bind != topo::Bind::kFalse;
  // Not bound, only the size matters.
  if (!bound) arrangement.partition = {}, arrangement.primary_place = -1;
  for (const auto& known : forms_)
    if (known->arrangement == arrangement) return *known;
  if (forms_.size() == kMost) forms_.clear();
  const Machine& machine = Machine::here();
  const int n = arrangement.members;
  forms_.push_back(std::make_unique<Form>(
      arrangement,
      bound ? bound_layout(machine, places(), places_of(*this, n)) : unbound_layout(machine, n)));
  return *forms_.back();
}

const loop::Shape& Team::shape() const {
  if (const loop::Shape* known = form_->shape.load(std::memory_order_acquire)) return *known;
  const Cold cold;
  if (const loop::Shape* known = form_->shape.load(std::memory_order_acquire)) return *known;
  const auto* made = new loop::Shape(shape_of_first(form_->arrangement.members));
  form_->shape.store(made, std::memory_order_release);
  return *made;
}

loop::Shape Team::shape_of_first(int n) const {
  const Machine& machine = Machine::here();
  return form_->arrangement.bind != topo::Bind::kFalse
             ? bound_shape(machine, places(), places_of(*this, n))
             : unbound_shape(machine, n);
}

void Team::place_members(const Arrangement& wanted) {
  if (wanted.bind == topo::Bind::kFalse) {
    for (auto& m : members_) {
      m->place = -1;
      m->partition = wanted.partition;
    }
    return;
  }
  topo::Partition partition = wanted.partition;
  if (partition.size == 0) partition = {0, places().size()};
  const auto placed =
      topo::assign_places(wanted.bind, partition, wanted.primary_place, wanted.members);
  for (int i = 0; i < wanted.members; ++i) {
    const auto& p = placed[static_cast<size_t>(i)];
    member(i).place = p.place;
    member(i).partition = {p.partition_first, p.partition_size};
  }
  if (Homes::differ()) send_home(wanted.members);
}

// A program that arranges each region anew would have pages copied at each: then they stay.
void Team::send_home(int members) {
  constexpr int kMost = 16;
  if (homecomings_ == kMost) return;
  Homes homes;
  for (int i = 0; i < members; ++i) {
    Member& m = member(i);
    homes.add(m, m.place);
    homes.add(*m.worker, m.place);
    if (m.worker->initial != nullptr) homes.add(m.worker->initial->member(0), m.place);
  }
  homecomings_ += homes.send();
}

void Team::find_nodes(int members, bool same_but_size) {
  node_of_.clear();
  if (!node_tasks.empty() && !same_but_size) {
    for (int i = 0; i < members; ++i) node_of_.push_back(bound_node(member(i)));
    member_nodes = vicino::team::nodes_of_members(Machine::here(), node_of_);
  }
  nodes_ = member_nodes.used;
  if (node_of_.empty() || node_tasks.size() < 2 || std::ranges::count(node_of_, -1) > 0) {
    node_of_.assign(static_cast<size_t>(members), -1);
    nodes_.assign(1, -1);
  }
}

}  // namespace vicino::team
