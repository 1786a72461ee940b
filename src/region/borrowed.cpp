#include "region/borrowed.hpp"

#include <utility>
#include <vector>

#include "base/spread.hpp"
#include "config/settings.hpp"
#include "lend/guest.hpp"
#include "lend/late.hpp"
#include "lend/lending.hpp"
#include "lend/wait.hpp"
#include "region/alone.hpp"
#include "region/request.hpp"
#include "team/late_start.hpp"
#include "team/pool.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"
#include "topo/allowance.hpp"

namespace vicino::region {

using lend::Lending;
using team::Beginning;
namespace {

// Whether this is the thread that lends and borrows for the process, and no region is on.
bool is_initial(const Member& member) noexcept {
  return member.worker->gtid() == 0 && member.team->active_level == 0;
}

// Null if the calling thread may not lend now.
Lending* lender(const Member& caller) {
  if (!is_initial(caller) || team::Pool::get().roots() > 1) return nullptr;
  Lending* const lending = Lending::get();
  return lending != nullptr && lending->has_own() ? lending : nullptr;
}

// The region that may borrow a core while it runs: the outermost one. Only the initial thread uses this.
struct Borrower {
  lend::Late* place = nullptr;  // null: no region is
  uint64_t start = 0, news = 0;
  bool is_late = false, has_joined = false;
};
constinit Borrower borrower;

lend::Late& place_of(const void* function) noexcept {
  constexpr int kBits = 8;
  static constinit lend::Late places[size_t{1} << kBits];
  return places[spread(function, kBits)];
}

void put_guests(Lending& lending, team::Team& team) {
  std::vector<lend::Guest*> guests;
  for (int i = lending.own_size(); i < team.size; ++i)
    guests.push_back(team.member(i).worker->guest.get());
  lending.place(guests);
}

}  // namespace

std::optional<Beginning> begin_borrower(const Member& parent, const Request& request,
                                        const void* function) {
  if (!is_initial(parent) || borrower.place != nullptr ||
      most_members(parent, request.threads) < kPrimaryAndGuest)
    return std::nullopt;
  Lending* const lending = Lending::get();
  if (lending == nullptr || lending->own_size() != 1 || !may_call_later(parent) ||
      parent.icvs->thread_limit != config::kUnlimited || team::Pool::get().roots() > 1)
    return std::nullopt;
  lend::Late& place = place_of(function);
  borrower = {&place, plat::now(), lending->news(), place.wants(), false};
  return borrower.is_late ? Beginning::kAloneForLent : Beginning::kTogether;
}

bool join_late(Member& primary) {
  Lending& lending = *Lending::get();
  team::Team& team = *primary.team;
  if (lending.size_for(team.size) < team.size) return false;
  put_guests(lending, team);
  if (team::begin_calling(team)) {
    team.patience = &team::limits_for(team::Pool::get().awake());
    team::call_up_now(team);
  }
  lending.tell_called();
  return borrower.has_joined = true;
}

void end_borrower(const Member& primary) noexcept {
  const uint64_t ns = plat::now() - borrower.start;
  lend::Late& place = *std::exchange(borrower.place, nullptr);
  if (borrower.is_late) {
    // Not if the member was called up at once.
    if (primary.team->late.was_begun_alone()) place.ran_with(ns, borrower.has_joined);
    return;
  }
  Lending* const lending = Lending::get();
  // Only a loop that asks for chunks can be shared late.
  const bool has_loop = lending != nullptr && primary.met.worksharings == 1;
  place.ran_without(ns, has_loop && lending->news() != borrower.news && lending->sees_free());
}

int limited_size(const Member& parent, int wanted) noexcept {
  if (parent.icvs->lends && is_initial(parent))
    if (Lending* const lending = Lending::get()) return lending->size_for(wanted);
  return std::min(wanted, topo::allowance().default_team_size());
}

void place_guests(team::Team& team) {
  if (!is_initial(*team.parent)) return;
  Lending* const lending = Lending::get();
  if (lending == nullptr || team.size <= lending->own_size()) return;
  team.at_end |= team::kBorrows;
  if (lending->is_placed(static_cast<size_t>(team.size - lending->own_size()))) return;
  put_guests(*lending, team);
}

void tell_called() noexcept { Lending::get()->tell_called(); }
void look_at_borrowed() noexcept { Lending::get()->look(); }

int lend_cores(const Member& caller) {
  Lending* const lending = lender(caller);
  return lending != nullptr ? lending->lend() : 0;
}

int lend_until(const Member& caller, int (*done)(void*), void* argument, const void* where) {
  Lending* const lending = lender(caller);
  if (lending == nullptr) return 0;
  lend::wait_until(*lending, done, argument, where);
  return 1;
}

void reclaim_cores() {
  if (!lend::is_on() || team::self == nullptr || !is_initial(*team::self)) return;
  if (Lending* const lending = Lending::get()) lending->take_back();
}

}  // namespace vicino::region
