// roots.hpp: the calling thread's member and its ICVs. A thread of the program that Vicino does not know yet
// becomes a root, an initial thread with a team of its own, at its first call that needs one.
#pragma once

#include "team/worker.hpp"

namespace vicino::region {

// Cold, as each entry point has a call of it: the compiler then keeps what lives across that call in registers
// until it comes to it.
[[gnu::cold]] team::Member& become_root() noexcept;

inline team::Member& me() noexcept {
  team::Member* const member = team::self;
  if (member == nullptr) [[unlikely]]
    return become_root();
  return *member;
}

// The ICVs of a thread that has met no construct yet: the initial ones, or those that it has set.
[[gnu::cold]] const team::Icvs& icvs_without_member() noexcept;
// The ICVs of the present task. A thread does not become a root by asking, because most programs that
// ask never start a thread.
inline const team::Icvs& icvs_now() {
  if (team::self == nullptr) [[unlikely]]
    return icvs_without_member();
  return *team::self->icvs;
}
team::Icvs& writable_icvs_now();

// As place_of() of affinity.hpp. A thread becomes a root only if that gives it a place.
int place_now();

}  // namespace vicino::region
