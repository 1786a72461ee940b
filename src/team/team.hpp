// team.hpp: a team of threads.
//
// The primary thread writes a Team's plain fields between regions; the others are atomics and event
// counts. F1 and F2 of region/fork.cpp hand the team to the workers and back.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/line.hpp"
#include "sync/single.hpp"
#include "team/arrangement.hpp"
#include "team/call.hpp"
#include "team/late_region.hpp"
#include "team/member.hpp"

namespace vicino::region {
struct TunedRegion;
}

namespace vicino::team {

class ConstructMemory;
class Contention;
class TeamLoops;

inline constexpr int kMaxTeam = 16383;  // sync::Go::kMaxSize

// What the settings require of every team.
struct TeamOptions {
  explicit TeamOptions(bool alone);

  const bool displays;       // OMP_DISPLAY_AFFINITY: members tell where they run
  const bool watched;        // by a tool: ompt/tool.hpp
  const bool announces;      // either of the two
  const bool times_regions;  // the clock is read for each region (site/counts.hpp)
  const bool has_rules;      // there are rules for some loops
  const bool counts_loops;
  const bool shows_loops;     // loops are counted, or a tool is told of them
  const bool cuts_by_kinds;   // of cores: site/kinds.hpp
  const bool counts_or_cuts;  // loops
  // Static loops of LLVM's compilers have to call begin_block() (region/loops.hpp): there are
  // rules, or loops are counted, or VICINO_STATIC asks for it.
  const bool asks_for_blocks;
  const bool explores;  // the tuner may choose for loops whose schedule is left to Vicino
};

// How a timed region began; the team keeps it until the region ends.
struct RegionStart {
  uint64_t ns = 0;
  int asked = 1;
  bool by_clause = false;
  bool leaves_room = false;  // to other processes
  bool needs_all = false;    // of its threads, as is known of its library
};

// What the end of the present region has to do or undo. Only the primary thread uses this.
enum AtEnd : uint8_t {
  kPrimaryHeld =
      1,  // the primary thread may not leave its node, near.hpp, or its place: KMP_AFFINITY=reset
  kBorrows = 2,       // members are on borrowed cores: region/borrowed.hpp
  kMayBorrow = 4,     // a core while it runs: region/borrowed.hpp
  kTold = 8,          // a tool is told of it: event/regions.hpp
  kTuned = 16,        // it is timed for the tuner: region/tuned_region.hpp
  kPlacesPages = 32,  // pages are watched: region/pages.hpp
  kLeads = 64,        // the other roots know of it: region/leaders.hpp
};

// What is cancelled: region/cancel.hpp. 0: nothing. Relaxed: cancelled.hpp says why.
struct Cancelled {
  plat::atomic<uint64_t> region{0};
  plat::atomic<uint64_t> loops[2]{};
};

class Team {
 public:
  // `alone`: the team has one thread in all its regions, and needs nothing of the machine.
  Team(Worker& primary, bool alone);
  ~Team();
  Team(const Team&) = delete;

  task::Sleeper& sleeper(int i) noexcept { return member(i).asleep.sleeper; }
  sync::BarrierFlags& flags(int i) noexcept { return member(i).flags; }
  Member& member(int i) noexcept { return *members_[static_cast<size_t>(i)]; }
  const Member& member(int i) const noexcept { return *members_[static_cast<size_t>(i)]; }
  int capacity() const noexcept { return static_cast<int>(members_.size()); }
  sync::EventCount& group_event(int i) noexcept { return mailbox(i).go; }
  sync::EventCount& own_event(int i) noexcept { return member(i).resume; }
  Mailbox& mailbox(int i) noexcept { return *mailbox_of_[static_cast<size_t>(i)]; }

  // Makes room for n members; called between regions only.
  void reserve(int n);
  // Sets `displays_now`: whether one of the members ran last in a region of another level or size, or
  // is bound in another way. Called after arrange(), before the region, and only if
  // options.displays.
  void decide_announcement();
  // Sets binding and barrier layout for n members of a region that `from` meets; called between
  // regions only.
  void arrange(int n, topo::Bind bind, const Member& from) {
    arrangement_.arrange(*this, {n, bind, from.partition, from.bound.place});
  }
  // A worker becomes member i. settle() is called when all have: see Arrangement.
  void receive(int i, Worker& worker) {
    member(i).worker = &worker;
    arrangement_.receive(member(i));
  }
  void settle(int members, bool with_new) { arrangement_.settle(*this, members, with_new); }
  // For a primary thread that has left its rank's share: the next arrange() takes it back there.
  void forget_arrangement() noexcept { arrangement_.forget(); }
  const Arrangement& arrangement() const noexcept { return arrangement_; }
  const sync::Layout& layout() const noexcept { return arrangement_.layout(); }
  TeamLoops& loops() noexcept { return *loops_; }

  // No other team of this process has this number; 0 if there were too many teams.
  const uint64_t number;
  // Where the primary thread runs: topo/kept_core.hpp. Null if it is alone, and if that is not known.
  const volatile uint32_t* const core_of_primary;

  // Set by the primary thread before each region.
  Member* parent = nullptr;
  int size = 1;
  int level = 0;
  int active_level = 0;
  Icvs icvs;
  std::vector<int> inner_nthreads;  // for `icvs`, if this region's num_threads clause has a list
  Contention* contention = nullptr;
  const sync::PatienceLimits* patience = nullptr;
  uint32_t site = 0;  // the region's place, by which waiting learns (Worker::patience())
  uint64_t fp_control = 0;  // of the primary thread
  int attached = 1;   // the workers that listen to this team, and the primary thread
  int awake = 1;      // those of them that wait at the mailboxes; the rest wait at Member::resume
  const bool serial;
  std::shared_ptr<region::TunedRegion> tuned;  // null before the first one
  LateRegion late;
  uint8_t at_end = 0;  // of AtEnd
  const TeamOptions options;
  bool announce = false;      // members have to call announce() of region/announce.hpp
  bool displays_now = false;  // they tell where they run, because it has changed for one of them
  RegionStart started;        // how this region began, if regions are timed
  Team* older_forgotten = nullptr;  // Worker::forget_teams()
  TeamTasks tasks;
  alignas(kLine) task::Sleepers sleepers;
  alignas(kLine) Cancelled cancelled;
  const std::unique_ptr<ConstructMemory> construct_memory;

  alignas(kLine) sync::SingleCount singles;
  // copyprivate: the event count's value is the number of the next barrier. region/constructs.hpp
  // writes copy_data before it advances `copy`, and reads it after it has waited there (G1, G2 of
  // sync/event_count.hpp).
  alignas(kLine) sync::EventCount copy;
  void* copy_data = nullptr;

 private:
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<std::unique_ptr<Mailbox>> mailboxes_;
  std::vector<Mailbox*>
      mailbox_of_;  // by member: each region needs all of them, and a division takes longer
  std::unique_ptr<TeamLoops> loops_;
  int block_ = 0;                           // members per mailbox; found when there are several
  alignas(kLine) Arrangement arrangement_;  // written at each region

 public:
  ompt::TeamRecord record;  // of the present region; in use while a tool watches
};

}  // namespace vicino::team
