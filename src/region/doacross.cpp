#include "region/doacross.hpp"

#include <stdlib.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "base/say.hpp"
#include "plat/lost_time.hpp"
#include "region/cancel.hpp"
#include "team/construct_memory.hpp"
#include "team/late_start.hpp"

namespace vicino::region {
namespace {

using loop::DoacrossLoop;
using loop::Posts;

// A sleeping member learns by this time that its region was cancelled.
constexpr uint64_t kLookAgainNs = 1'000'000;

}  // namespace

void DoacrossFlags::Free::operator()(void* block) const noexcept { free(block); }

DoacrossFlags::DoacrossFlags(std::span<const DoacrossLoop> nest) noexcept {
  // A post and a wait are some hundred instructions together, so a nest of more iterations takes seconds. Its
  // program hardly notices that a post is an RMW, but may well notice the memory.
  constexpr uint64_t kMostBytes = 64 << 20;
  static_assert(sizeof(Posts::Flag) == 1);
  const auto iterations = loop::iterations_of(nest);
  if (!iterations || *iterations > PTRDIFF_MAX) return;
  if (*iterations <= kMostBytes) {
    allocate(*iterations);
    layout_ = nest.size() == 1 ? Posts::Layout::kAlternating : Posts::Layout::kInRow;
  }
  if (!flags_.empty()) return;
  allocate(*iterations / Posts::kBitsInFlag);
  layout_ = Posts::Layout::kBits;
}

// calloc() gives zeroed pages for a large nest without touching them, as aligned_alloc() does not.
void DoacrossFlags::allocate(std::size_t least) noexcept {
  const std::size_t bytes = (least / Posts::kTwoLines + 1) * Posts::kTwoLines;
  std::size_t space = bytes + kLine - 1;
  void* at = calloc(1, space);
  block_.reset(at);
  if (at != nullptr && std::align(kLine, bytes, at, space) != nullptr)
    flags_ = {static_cast<Posts::Flag*>(at), bytes};
}

Doacross::Doacross(std::span<const DoacrossLoop> nest)
    : loops_(nest.begin(), nest.end()), flags_(nest), posts_(flags_.span(), flags_.layout()) {}

void Doacross::die_of_size() const noexcept {
  std::string trips;
  for (const DoacrossLoop& loop : nest_)
    trips += (trips.empty() ? "" : " x ") + std::to_string(loop.trip);
  die("no memory for a doacross loop nest of %s iterations, which takes one bit for each",
      trips.c_str());
}

// clang calls this, and gives each loop one iteration more than it has: then the trip count is a product of
// one less each, over the nest's first loops.
void Doacross::note_trip(uint64_t trip) noexcept {
  uint64_t one_less = 1;
  bool fits = false;
  for (const DoacrossLoop& loop : nest_) {
    if (loop.lower != 0 || loop.step != 1) return;
    one_less *= loop.trip - 1;
    fits |= one_less == trip;
  }
  if (fits) unused_.store(1, std::memory_order_relaxed);
}

void begin_doacross(Member& member, std::span<const DoacrossLoop> nest) {
  team::Team& team = *member.team;
  if (team.size == 1) return;
  team::need_all(member);  // each may come to wait for any other
  const auto make = [nest]() -> team::ConstructMemory::Block {
    return {new Doacross(nest), [](void* made) { delete static_cast<Doacross*>(made); }};
  };
  member.loop.doacross = static_cast<Doacross*>(
      team.construct_memory->get(member.met.shared++, team::memory_generation(member),
                                 team::ConstructMemory::kUntilReleased, make));
}

void leave_doacross(Member& member) noexcept {
  team::Team& team = *member.team;
  Doacross* const doacross = std::exchange(member.loop.doacross, nullptr);
  if (doacross->leave(team.size)) team.construct_memory->release(doacross);
}

void wait_for_iteration(Member& member, uint64_t iteration) noexcept {
  const team::Team& team = *member.team;
  const bool may_cancel = team.icvs.cancellation();
  // A slice that was lost because the quota is used up was lost to nobody. Where the kernel does not tell
  // how many threads are ready, the thread that took it is taken for another process's.
  const auto others_want = [&](int asleep) {
    if (plat::was_throttled()) return false;
    const auto load = plat::load();
    return !load || load->ready > team.size - asleep;
  };
  member.loop.doacross->posts().wait(
      iteration, member.waiting(), [&] { return may_cancel && region_is_cancelled(member); },
      others_want, may_cancel ? kLookAgainNs : plat::kForever);
}

}  // namespace vicino::region
