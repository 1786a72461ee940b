// roots.hpp: the calling thread's member and its ICVs. A thread of the program that Vicino does not know yet
// becomes a root, an initial thread with a team of its own, at its first call that needs one.
#pragma once

#include "team/worker.hpp"

namespace vicino::region {

team::Member& become_root();

inline team::Member& me() noexcept {
  team::Member* member = team::self;
  return member != nullptr ? *member : become_root();
}

// The ICVs of a thread that has met no construct yet: the initial ones, or those that it has set.
const team::Icvs& icvs_without_member();
// The ICVs of the present task. A thread does not become a root by asking, because most programs that
// ask never start a thread.
inline const team::Icvs& icvs_now() {
  return team::self != nullptr ? *team::self->icvs : icvs_without_member();
}
team::Icvs& writable_icvs_now();

// As place_of() of affinity.hpp. A thread becomes a root only if that gives it a place.
int place_now();

}  // namespace vicino::region
