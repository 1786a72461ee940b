#include "team/arrangement.hpp"

#include <algorithm>
#include <utility>

#include "loop/shape.hpp"
#include "plat/plat.hpp"
#include "sync/cold.hpp"
#include "sync/layout.hpp"
#include "team/places.hpp"
#include "team/shape.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"
#include "topo/binding.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

using topo::Machine;

std::vector<int> places_of(const Team& team, int n) {
  std::vector<int> place_of;
  for (int i = 0; i < n; ++i) place_of.push_back(team.member(i).place);
  return place_of;
}

// A team of one has the same layout on every machine.
sync::Layout layout_for(const Team& team, int n, bool bound) {
  if (n == 1) return sync::Layout(1, {});
  const Machine& machine = Machine::here();
  return bound ? bound_layout(machine, places(), places_of(team, n)) : unbound_layout(machine, n);
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

void Arrangement::change(Team& team, const Wanted& wanted) {
  ++changes_;
  const bool same_but_size = wanted.bind == topo::Bind::kFalse && arranged_.bind == wanted.bind &&
                             arranged_.partition == wanted.partition;
  if (!same_but_size) place_members(team, wanted);
  find_nodes(team, wanted.members, same_but_size);
  arranged_ = wanted;
  // A primary thread that was not bound yet is now on its place, and begins the next region from
  // there.
  if (wanted.bind != topo::Bind::kFalse) arranged_.primary_place = team.member(0).place;
  form_ = &form_for(team, arranged_);
  layout_ = &form_->layout;
}

const Arrangement::Form& Arrangement::form_for(const Team& team, Wanted wanted) {
  constexpr size_t kMost = 16;
  const bool bound = wanted.bind != topo::Bind::kFalse;
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
  return form_->wanted.bind != topo::Bind::kFalse
             ? bound_shape(machine, places(), places_of(team, n))
             : unbound_shape(machine, n);
}

void Arrangement::place_members(Team& team, const Wanted& wanted) {
  if (wanted.bind == topo::Bind::kFalse) {
    for (int i = 0; i < team.capacity(); ++i) {
      team.member(i).place = -1;
      team.member(i).partition = wanted.partition;
    }
    return;
  }
  topo::Partition partition = wanted.partition;
  if (partition.size == 0) partition = {0, places().size()};
  const auto placed =
      topo::assign_places(wanted.bind, partition, wanted.primary_place, wanted.members);
  for (int i = 0; i < wanted.members; ++i) {
    const auto& p = placed[static_cast<size_t>(i)];
    team.member(i).place = p.place;
    team.member(i).partition = {p.partition_first, p.partition_size};
  }
  if (PageMoves::differ()) move_pages(team, wanted.members);
}

// A program that changes the arrangement at each region would have pages copied at each region. So
// after kMost moves the pages stay where they are.
void Arrangement::move_pages(Team& team, int members) {
  constexpr int kMost = 16;
  if (page_moves_ == kMost) return;
  PageMoves homes;
  for (int i = 0; i < members; ++i) {
    Member& m = team.member(i);
    homes.add(m, m.place);
    homes.add(*m.worker, m.place);
    if (m.worker->initial != nullptr) homes.add(m.worker->initial->member(0), m.place);
  }
  page_moves_ += homes.send();
}

void Arrangement::find_nodes(Team& team, int members, bool same_but_size) {
  TeamTasks& tasks = team.tasks;
  node_of_.clear();
  core_of_.clear();
  for (int i = 0; i < members; ++i) core_of_.push_back(bound_core(team.member(i)));
  if (!tasks.of_nodes.empty() && !same_but_size) {
    for (int i = 0; i < members; ++i) node_of_.push_back(bound_node(team.member(i)));
    tasks.member_nodes = vicino::team::nodes_of_members(Machine::here(), node_of_);
  }
  nodes_ = tasks.member_nodes.used;
  if (node_of_.empty() || tasks.of_nodes.size() < 2 || std::ranges::count(node_of_, -1) > 0) {
    node_of_.assign(static_cast<size_t>(members), -1);
    nodes_.assign(1, -1);
  }
}

}  // namespace vicino::team
