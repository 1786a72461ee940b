// reductions.hpp: the variables that the tasks of a group reduce together.
//
// Why    Each thread of the team has a copy of each variable, and the tasks that it runs add to
//        that copy. So no two threads write the same copy, and the end of the group combines one
//        copy per thread rather than one per task.
// Rule   A task finds its variable in the innermost group that reduces it, from its own group
//        outward (OpenMP 5.2, section 5.5.11). It looks for the variable's address as the task's
//        generator knew it: the address of the variable itself, or of some thread's copy.
// Safe   The walk outward is safe: the task that opened a group waits at the group's end for the
//        tasks in it, so all groups round an unfinished task exist.
#pragma once

#include "team/team.hpp"

namespace vicino::tasking {

using team::Group;
using team::Member;
using team::Team;

class Reductions {
 public:
  virtual ~Reductions() = default;
  // The calling member's copy of `item`; null if these reductions do not include `item`. If
  // `original` is not null, it is set to the address of the variable itself.
  virtual void* find(Member& member, void* item, void** original) = 0;
  // The group has ended. The object frees itself.
  virtual void finish(Member& member) = 0;
};

inline void* find_reduction(Member& member, void* item, void** original) {
  for (Group* group = member.tasks.standing.innermost().inner; group != nullptr;
       group = group->outer)
    if (group->reductions != nullptr)
      if (void* copy = group->reductions->find(member, item, original)) return copy;
  return nullptr;
}

}  // namespace vicino::tasking
