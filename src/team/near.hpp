// near.hpp: threads stay near their data where nobody has said how they are bound: neither
// OMP_PROC_BIND nor OMP_PLACES is set, and the process may use CPUs of several near domains
// (Machine::near_level()).
//
// Which  Each member of an outermost team belongs to a near domain (topo/near.hpp), a node or a group
//        of CPUs that share a cache, and its thread may run on all CPUs of that domain. The first one
//        is that which the primary thread runs on when it begins its first region. Regions inside
//        others are not placed: their threads may run wherever the process may.
// Sizes  A program may have teams of different sizes by turns. Small teams are spread over a node's
//        caches, so that each size would have members elsewhere. A smaller team keeps the domains of
//        the larger ones, until there was no larger one for kWideNs.
// Mask   The primary thread keeps the mask that it has: the program has set that mask, or the shell,
//        and what the program starts inherits it. The kernel may move the thread between regions; a
//        region that finds it in another domain sends it home first, with two system calls: one that
//        binds it and one that gives the mask back. Under load the kernel may move it again at once,
//        so it is sent home ever more rarely. It is held at home during a region that has given
//        members other domains than before, as the first one does, and where a crew leaves others
//        idle.
// Yields A mask that the program gives to its primary thread counts for the whole team from the next
//        region on. Where the program binds its other threads as well, Vicino keeps out: it changes no
//        mask any more until the primary thread's mask changes. A thread whose domain is crowded leaves
//        it for a while: crowd_watch.hpp.
// Cost   none where the process has one near domain. Elsewhere a region asks the kernel for the primary
//        thread's mask, unless it has done so in the last kLookNs; and each thread reads the clock.
//
// Concurrency: a thread changes its own NearThread and its own mask. The primary thread changes the
// NearTeam between regions, and reads the NearThreads of its workers then; F1 and F2 of
// region/fork.cpp order these.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/backoff.hpp"
#include "base/cpu_set.hpp"
#include "plat/plat.hpp"
#include "team/crowd_watch.hpp"

namespace vicino::team {

class Team;
struct Narrowed;

// Where a thread of Vicino's is kept.
class NearThread {
 public:
  // Called by the thread itself when it begins a region. `spot`: where it is to run, of spots();
  // `all`: where it may run while its near domain is crowded, if it `watches` for that.
  void stay_at(int spot, int all, bool watches) noexcept;
  // Whether that would do nothing.
  bool is_settled_at(int spot, int all, bool watches) const noexcept {
    return spot == spot_ && all == all_ && !(watches && watch_.is_due(plat::now()));
  }
  // Gives the thread all CPUs that its team may use; until it begins its next region, or until
  // restore() is given what lift() returned, which is -1 if the thread has them already.
  void leave() noexcept;
  int lift() noexcept;
  void restore(int spot) noexcept { give(spot); }
  Narrowed narrowed() const noexcept;  // as Worker::narrowed()
  // Whether the thread's mask may have come from Vicino; false if the program has set it. `all`: the
  // mask that the program gives to the whole process, which it may have given to the thread as well.
  bool has_its_mask(const CpuSet& all) const noexcept;

 private:
  void give(int spot) noexcept;

  pid_t thread_ = 0;
  int spot_ = -1, all_ = -1;
  bool is_away_ = false;
  int given_ = -1;  // the spot whose CPUs the thread was given last
  CrowdWatch watch_;
};

// Where the members of a team belong.
class NearTeam {
 public:
  // Called by the primary thread before each region, of so many members. Returns a positive number that
  // changes when the members' spots do, or kKeepsOut if the program binds its threads itself.
  static constexpr int kKeepsOut = -2;
  int look(const Team& team, int members) noexcept;

  // The spots of the members of a team of this size, and perhaps of more members.
  const std::vector<int>& spots_of(int members);
  // The spot with all CPUs that the team may use, and the near domain of its first member.
  int all() const noexcept { return all_; }
  int home() const noexcept { return home_; }

 private:
  static constexpr uint64_t kLookNs = 20'000;  // to ask for the mask takes 0.2 us
  // Between two ways home, each of which takes some microseconds; up to a second where the kernel moves the thread away
  // again soon.
  static constexpr uint64_t kHomeNs = 1'000'000;

  // Much longer than the regions of a program that has small ones and large ones by turns.
  static constexpr uint64_t kWideNs = 1'000'000'000;

  bool has_changed() noexcept;
  void renew(const Team& team);
  void send_home(uint64_t now) noexcept;
  void look_at_size(int members, uint64_t now) noexcept;

  int number_ = 0;
  int all_ = -1, home_ = -1;
  CpuSet at_home_;  // the CPUs that the primary thread is sent to
  // Members with a core each are spread as those of a team of `wide_`. No team since `wide_since_`, when a
  // team had so many, had more than `lately_`.
  int wide_ = 0, lately_ = 0;
  uint64_t wide_since_ = 0;
  int cores_ = 0;  // that the team may use
  std::vector<int> spots_;
  int spots_number_ = 0;  // the number_ that these are for
  uint64_t looked_ = 0;
  std::vector<unsigned long> mask_;  // the primary thread's, as the kernel writes it
  uint64_t sent_home_ = 0;
  Backoff<kHomeNs, 1000 * kHomeNs> between_;
};

// Binds the primary thread of a team that is near its data until the region's end. The caller is
// that thread.
void hold_primary(Team& team) noexcept;

// For a team of the default size that the calling thread leads: the CPUs of each member.
std::vector<CpuSet> near_blocks();

}  // namespace vicino::team
