#include "region/announce.hpp"

#include "event/more.hpp"
#include "event/regions.hpp"
#include "region/affinity.hpp"

namespace vicino::region {

void announce_region(Team& team, int asked, const void* function) {
  if (team.options.displays) team.decide_announcement();
  if (team.icvs.watched()) {
    event::region_runs(function);
    event::parallel_begins(team, asked > 0 ? asked : team.parent->icvs->nthreads);
    team.at_end |= team::kTold;
  }
  team.announce = team.displays_now || team.icvs.watched();
}

void announce(Member& member) {
  if (member.team->icvs.watched()) event::implicit_task_begins(member);
  if (member.team->displays_now) display_affinity(member, {});
}

}  // namespace vicino::region
