// reductions.hpp: the variables that the tasks of a group reduce together.
//
// Why    Each thread of the team has a copy of each variable, and its tasks add to that; so no two
//        tasks meet at one, and the end of the group adds few copies up rather than many.
// Rule   A task finds its variable in the innermost group that reduces it, looking outward from its
//        own (OpenMP 5.2, section 5.5.11). What it looks for is the variable's address as the
//        task's generator knew it: of the variable itself, or of some thread's copy.
// Safe   to walk outward: whoever opened a group waits at its end for the tasks in it, so all
//        groups round a task that is not done are there.
#pragma once

#include "team/team.hpp"

namespace vicino::team {

class Reductions {
 public:
  virtual ~Reductions() = default;
  // The calling member's copy of `item`; null if it is none of these. `original`: if not null, is
  // set to the address of the variable itself.
  virtual void* find(Member& member, void* item, void** original) = 0;
  // The group is over. The object is of no more use, and frees itself.
  virtual void finish(Member& member) = 0;
};

inline void* find_reduction(Member& member, void* item, void** original) {
  for (Group* group = member.recorded->inner; group != nullptr; group = group->outer)
    if (group->reductions != nullptr)
      if (void* copy = group->reductions->find(member, item, original)) return copy;
  return nullptr;
}

}  // namespace vicino::team
