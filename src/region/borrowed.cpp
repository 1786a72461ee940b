#include "region/borrowed.hpp"

#include <vector>

#include "lend/guest.hpp"
#include "lend/lending.hpp"
#include "lend/wait.hpp"
#include "team/pool.hpp"
#include "team/worker.hpp"
#include "topo/allowance.hpp"

namespace vicino::region {

using lend::Lending;
namespace {

// Whether this is the thread that lends and borrows for the process, and no region is on.
bool is_initial(const Member& member) noexcept {
  return member.worker->gtid() == 0 && member.team->active_level == 0;
}

// Null if the calling thread may not lend now.
Lending* lender() {
  if (!lend::is_on()) return nullptr;
  const Member& member = team::me();
  if (!is_initial(member) || team::Pool::get().roots() > 1) return nullptr;
  Lending* const lending = Lending::get();
  return lending != nullptr && lending->has_own() ? lending : nullptr;
}

}  // namespace

int limited_size(const Member& parent, int wanted) noexcept {
  if (parent.icvs->lends && is_initial(parent))
    if (Lending* const lending = Lending::get()) return lending->size_for(wanted);
  return std::min(wanted, topo::allowance().default_team_size());
}

void place_guests(team::Team& team) {
  if (!is_initial(*team.parent)) return;
  Lending* const lending = Lending::get();
  if (lending == nullptr || team.size <= lending->own_size()) return;
  team.special |= team::kBorrows;
  if (lending->is_placed(static_cast<size_t>(team.size - lending->own_size()))) return;
  std::vector<lend::Guest*> guests;
  for (int i = lending->own_size(); i < team.size; ++i)
    guests.push_back(team.member(i).worker->guest.get());
  lending->place(guests);
}

void look_at_borrowed() noexcept { Lending::get()->look(); }

int lend_cores() {
  Lending* const lending = lender();
  return lending != nullptr ? lending->lend() : 0;
}

int lend_until(int (*done)(void*), void* argument, const void* where) {
  Lending* const lending = lender();
  if (lending == nullptr) return 0;
  lend::wait_until(*lending, done, argument, where);
  return 1;
}

void reclaim_cores() {
  if (!lend::is_on() || team::self == nullptr || !is_initial(*team::self)) return;
  if (Lending* const lending = Lending::get()) lending->take_back();
}

}  // namespace vicino::region
