#include "team/arrangement.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "lend/lending.hpp"
#include "loop/shape.hpp"
#include "plat/plat.hpp"
#include "sync/cold.hpp"
#include "sync/layout.hpp"
#include "team/domains.hpp"
#include "team/near.hpp"
#include "team/places.hpp"
#include "team/shape.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"
#include "topo/binding.hpp"
#include "topo/machine.hpp"
#include "topo/rank_share.hpp"

namespace vicino::team {
namespace {

using topo::Machine;

std::vector<int> spots_of(const Team& team, int n) {
  std::vector<int> spot_of;
  for (int i = 0; i < n; ++i) spot_of.push_back(team.member(i).bound.spot);
  return spot_of;
}

// Whether every member belongs to a place, or to a near domain.
bool is_bound(const Arrangement::Wanted& wanted) {
  return topo::to_places(wanted.bind) ||
         (wanted.bind == topo::Bind::kNear && wanted.primary_place > 0);
}

// Whether the team leads regions inside other active regions.
bool is_inner(const Team& team) { return team.member(0).worker->leads_inner_team(); }

// Spreads the members on one place over its nodes.
void divide_place(Team& team, int members, int place) {
  std::vector<int> on_it;
  for (int i = 0; i < members; ++i)
    if (team.member(i).bound.place == place) on_it.push_back(i);
  const int first = Machine::here().pu_of(places()[place].first())->node;
  const std::vector<int> spots =
      spots_on(place, topo::Level::kNode, first, static_cast<int>(on_it.size()));
  for (size_t i = 0; i < spots.size(); ++i) team.member(on_it[i]).bound.spot = spots[i];
}

// The threads of a region inside another one may run wherever the process may, except for the
// primary thread, which stays where the outer region has put it.
void place_inner(Team& team, int members, int all) {
  for (int i = 0; i < members; ++i) team.member(i).bound = {-1, all};
}

// A team of one has the same layout on every machine.
sync::Layout layout_for(const Team& team, int n, bool bound) {
  if (n == 1) return sync::Layout(1, {});
  const Machine& machine = Machine::here();
  return bound ? bound_layout(machine, spots(), spots_of(team, n)) : unbound_layout(machine, n);
}

}  // namespace

// What follows from one arrangement: the barriers' layout, and which members are near each other.
struct Arrangement::Form {
  Form(const Wanted& its, sync::Layout its_layout) : wanted(its), layout(std::move(its_layout)) {}
  // Relaxed: runs between regions, and the join (F2 of region/fork.cpp) has ordered what members
  // did.
  ~Form() { delete shape.load(std::memory_order_relaxed); }
  Form(const Form&) = delete;
  const Wanted wanted;
  const sync::Layout layout;
  mutable plat::atomic<const loop::Shape*> shape{nullptr};
};

Arrangement::Arrangement() = default;
Arrangement::~Arrangement() = default;

void Arrangement::change(Team& team, const Wanted& asked) {
  if (arranged_.members == 0) topo::enter_share();  // a new team, or forget() was called
  Wanted wanted = asked;
  const bool looks = find_home(team, wanted);
  if (looks && wanted == arranged_) {
    has_changed_ = false;
    return;
  }
  ++changes_;
  const bool same_but_size = !is_bound(wanted) && !is_bound(arranged_) && !is_inner(team) &&
                             arranged_.bind == wanted.bind &&
                             arranged_.partition == wanted.partition;
  if (!same_but_size) place_members(team, wanted);
  find_domains(team, wanted.members, same_but_size);
  // A primary thread that was not bound yet is now on its place, and begins the next region from
  // there.
  if (topo::to_places(wanted.bind)) wanted.primary_place = team.member(0).bound.place;
  form_ = &form_for(team, wanted);
  layout_ = &form_->layout;
  arranged_ = wanted;
}

// Whether the team has to look before each region where it is at home; then it has looked. What
// look() returns is no member's place, so the next region comes to change() again.
bool Arrangement::find_home(const Team& team, Wanted& wanted) {
  if (wanted.bind != topo::Bind::kNear || team.serial || is_inner(team) ||
      Machine::here().count(Machine::here().near_level()) == 1)
    return false;
  if (near_ == nullptr) near_ = std::make_unique<NearTeam>();
  wanted.primary_place = near_->look(team, wanted.members);
  return true;
}

const Arrangement::Form& Arrangement::form_for(const Team& team, Wanted wanted) {
  constexpr size_t kMost = 16;
  const bool bound = is_bound(wanted);
  // If members are not bound, only their number matters.
  if (!bound) wanted.partition = {}, wanted.primary_place = -1;
  for (const auto& known : forms_)
    if (known->wanted == wanted) return *known;
  if (forms_.size() == kMost) forms_.clear();
  forms_.push_back(std::make_unique<Form>(wanted, layout_for(team, wanted.members, bound)));
  return *forms_.back();
}

const loop::Shape& Arrangement::shape(const Team& team) const {
  if (const loop::Shape* known = form_->shape.load(std::memory_order_acquire))  // (2)
    return *known;
  const sync::Cold cold;
  if (const loop::Shape* known = form_->shape.load(std::memory_order_acquire))  // (2)
    return *known;
  const auto* made = new loop::Shape(shape_of_first(team, form_->wanted.members));
  form_->shape.store(made, std::memory_order_release);  // (1)
  return *made;
}

loop::Shape Arrangement::shape_of_first(const Team& team, int n) const {
  const Machine& machine = Machine::here();
  return is_bound(form_->wanted) ? bound_shape(machine, spots(), spots_of(team, n))
                                 : unbound_shape(machine, n);
}

void Arrangement::place_members(Team& team, const Wanted& wanted) {
  is_near_ = is_inner_ = holds_ = false;
  if (topo::to_places(wanted.bind)) {
    place_at(team, wanted);
  } else if (is_bound(wanted)) {
    place_near(team, wanted);
  } else {
    for (int i = 0; i < team.capacity(); ++i) {
      team.member(i).bound = {};
      team.member(i).partition = wanted.partition;
    }
    is_inner_ = wanted.bind == topo::Bind::kNear && is_inner(team);
    if (!is_inner_) return;
    range_.all = team.member(0).worker->range.all;
    place_inner(team, wanted.members, range_.all);
    receive_all(team, wanted.members);
    return;
  }
  if (PageMoves::differ()) move_pages(team, wanted.members);
}

void Arrangement::place_near(Team& team, const Wanted& wanted) {
  const int members = wanted.members;
  const int cpus = spots()[near_->all()].count();
  // Members on borrowed cores, which come last, are not to be counted among those of the share.
  const int own = lend::is_on() ? std::min(members, cpus) : members;
  const std::vector<int>& of_members = near_->spots_of(own);
  const bool watches = members <= cpus;
  if (placed_.number != wanted.primary_place || range_.watches != watches) placed_.members = 0;
  range_ = {near_->all(), watches};
  is_near_ = true;
  for (int i = 0; i < members; ++i) {
    Member& member = team.member(i);
    const int spot = of_members[static_cast<size_t>(std::min(i, own - 1))];
    if (i < placed_.members && member.bound.spot == spot) continue;
    holds_ = true;
    member.bound = {-1, spot};
    if (member.worker != nullptr) receive(member);
  }
  placed_ = {wanted.primary_place, std::max(placed_.members, members)};
}

void Arrangement::receive_all(Team& team, int members) const {
  for (int i = 0; i < members; ++i)
    if (team.member(i).worker != nullptr) receive(team.member(i));
}

void Arrangement::receive(Member& member) const {
  Worker& worker = *member.worker;
  if (is_inner_) worker.range.all = range_.all;
  if (is_near_) worker.range = {range_.all, range_.watches, near_->home()};
  if (worker.range.all >= 0) worker.make_near();
}

void Arrangement::settle(Team& team, int members, bool with_new) {
  // The threads that were just started or sent elsewhere make the kernel move those that it may. In
  // this region pages are often touched first, so the primary thread has to be at home.
  if (std::exchange(holds_, false)) hold_primary(team);
  if (with_new && is_bound(arranged_) && PageMoves::differ()) move_pages(team, members);
}

void Arrangement::place_at(Team& team, const Wanted& wanted) {
  topo::Partition partition = wanted.partition;
  if (partition.size == 0) partition = {0, places().size()};
  const auto placed =
      topo::assign_places(wanted.bind, partition, wanted.primary_place, wanted.members);
  for (int i = 0; i < wanted.members; ++i) {
    const auto& p = placed[static_cast<size_t>(i)];
    team.member(i).bound = {p.place, p.place};
    team.member(i).partition = {p.partition_first, p.partition_size};
  }
  // The members on a place of several nodes belong to the nodes of that place.
  std::vector<int> done;
  for (int i = 0; i < wanted.members; ++i) {
    const int place = team.member(i).bound.place;
    const CpuSet& cpus = places()[place];
    if (Machine::here().node_of(cpus) >= 0 || std::ranges::count(done, place) > 0) continue;
    done.push_back(place);
    divide_place(team, wanted.members, place);
  }
}

// A program that changes the arrangement at each region would have pages copied at each region. So
// after kMost moves the pages stay where they are.
void Arrangement::move_pages(Team& team, int members) {
  constexpr int kMost = 16;
  if (page_moves_ == kMost) return;
  PageMoves homes;
  for (int i = 0; i < members; ++i) {
    Member& m = team.member(i);
    homes.add(m, m.bound.spot);
    if (m.worker == nullptr) continue;
    homes.add(*m.worker, m.bound.spot);
    if (m.worker->initial != nullptr) homes.add(m.worker->initial->member(0), m.bound.spot);
  }
  page_moves_ += homes.send();
}

void Arrangement::find_domains(Team& team, int members, bool same_but_size) {
  TeamTasks& tasks = team.tasks;
  domain_of_.clear();
  core_of_.clear();
  for (int i = 0; i < members; ++i) {
    const Member& member = team.member(i);
    const bool as_before = i > 0 && member.bound.spot == team.member(i - 1).bound.spot;
    core_of_.push_back(as_before ? core_of_.back() : bound_core(member));
  }
  if (!tasks.of_domains.empty() && !same_but_size) {
    for (int i = 0; i < members; ++i) domain_of_.push_back(bound_domain(team.member(i)));
    *tasks.member_domains = vicino::team::domains_of_members(Machine::here(), domain_of_);
  }
  domains_ = tasks.member_domains->used;
  if (domain_of_.empty() || tasks.of_domains.size() < 2 || std::ranges::count(domain_of_, -1) > 0) {
    domain_of_.assign(static_cast<size_t>(members), -1);
    domains_.assign(1, -1);
  }
  const bool has_nodes = domains_.front() >= 0 && Machine::here().count(topo::Level::kNode) > 1;
  node_of_.clear();
  for (const int domain : domain_of_)
    node_of_.push_back(has_nodes ? Machine::here().node_of_near(domain) : -1);
  has_several_nodes_ = std::ranges::adjacent_find(node_of_, std::not_equal_to()) != node_of_.end();
}

}  // namespace vicino::team
