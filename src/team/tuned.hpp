// tuned.hpp: loops for which the tuner chooses schedule and number of threads
// (tune/site_tuner.hpp): schedule(auto), and schedule(runtime) where nobody said which; and the
// sites of taskloops and of parallel regions (ilan.cpp, mold.cpp).
//
// Why    All members must run an execution alike, but nobody knows beforehand how. The first member
//        to come asks the tuner and leaves the answer beside the loop's slot; the last one to end
//        tells it the time, and what was counted where time is not the objective (metering.hpp).
// Cost   of a site that is being tuned, two looks at the clock in each execution; in the first one,
//        and where one took another time than usual, two for each member. Of one that is settled on
//        what it would have without a tuner, or left alone, a look into a hash table; but some
//        executions are timed all the same, since data change (tune/quiet.hpp).
//
// Invariants
//  U1 what a Run holds is written by the member that sets the slot up, before it opens, and not
//     again until all have left it (loop/ring.hpp, R1 and R2).
//  U2 the last member to end records, before it leaves the slot; `ended` counts them, acquire and
//     release, so all have ended by then, and what they counted and how long they took is there. An
//     execution that was cancelled is not recorded, nor one of which something was not counted.
//  U3 members agree on whether an execution is timed, for only then it has a slot: tune/quiet.hpp.
#pragma once

#include <sys/types.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loop/registry.hpp"
#include "metric/meter.hpp"
#include "team/code.hpp"
#include "team/profile.hpp"
#include "tune/node_times.hpp"
#include "tune/quiet.hpp"
#include "tune/site_tuner.hpp"

namespace vicino::team {

class Team;
struct Member;

// What a taskloop's nodes may do, by the tuner's candidates: ILAN's steal policies.
enum class StealPolicy : uint8_t { kStrict, kFull };

// One place in the program, for teams of one size and loops of about one length.
struct SiteKey {
  // kStatic: a loop that asks once for its bounds.
  enum class Kind : uint8_t { kLoop, kStatic, kTaskloop, kRegion };

  Kind kind;
  uint32_t members;
  int trip_bits;
  bool several_nodes;  // that a taskloop's team has members on
  bool is_loop() const noexcept { return kind == Kind::kLoop || kind == Kind::kStatic; }
  bool operator==(const SiteKey&) const = default;

  // Of a kind of loops.
  static SiteKey of_loop(Kind kind, uint32_t members, uint64_t trip) noexcept {
    return {kind, members, static_cast<int>(std::bit_width(trip)), false};
  }
  static SiteKey of_taskloop(uint32_t members, uint64_t trip, bool several_nodes) noexcept {
    return {Kind::kTaskloop, members, static_cast<int>(std::bit_width(trip)), several_nodes};
  }
  static SiteKey of_region(uint32_t members) noexcept { return {Kind::kRegion, members, 1, false}; }
};

// What the tuner chooses from for loops of this kind, on this machine; the first is what they would
// have without it.
const std::vector<loop::Selection>& tuned_schedules(SiteKey::Kind kind);

class TunedSite {
 public:
  static constexpr std::size_t kMost = 1 << 14;
  // Of memory, for each of them when all was tried and time is the objective: 64 MiB together. What
  // a profile has of it, the nodes' times and another objective's come on top.
  static constexpr std::size_t kMostBytes = 4096;

  // Null if there are too many. A loop whose trip count changes much is several sites: small ones
  // are dominated by other things than large ones.
  static TunedSite* find(const CallSite& call, const SiteKey& key);
  static std::vector<TunedSite*> all();
  // How many schedules or steal policies there are to choose from.
  static uint32_t candidates_of(const SiteKey& key) noexcept;
  // Whether find() has ever given null: more than kMost were asked for.
  static bool were_too_many() noexcept;

  // What a site of another length at the same place has found, and a taskloop's fastest node.
  struct Sibling {
    tune::SiteTuner::Found found;
    int fastest_node;
  };
  TunedSite(const CallSite& call, const SiteKey& key, std::unique_ptr<Remembered> remembered,
            const std::optional<Sibling>& sibling);

  CallSite call() const noexcept { return {address_, source_.empty() ? nullptr : source_.c_str()}; }
  const SiteKey& key() const noexcept { return key_; }
  uint32_t candidates() const noexcept { return candidates_of(key_); }
  // What it is in profiles, and what one said of it; null if none is kept.
  const Remembered* remembered() const noexcept { return remembered_.get(); }
  // A child of fork() has sites of its parent's.
  bool is_of_this_process() const noexcept;

  // Where a member is: at which meeting of which team (tune/quiet.hpp).
  struct Meeting {
    uint64_t team, number;
  };
  // Whether the execution of a member that is there is to be timed (U3).
  bool times(Meeting meeting) const noexcept { return quiet_.times(meeting.team, meeting.number); }
  // Of taskloops and regions: whether this one is to be run as the tuner says, and timed; where
  // nothing is gained by it, as rarely as loops (tune/quiet.hpp).
  bool wants_this() noexcept;
  // Of the others: whether one thread is best for them.
  bool is_best_alone() const noexcept;
  // Whether it was found to be (tune::SiteTuner::is_short()).
  bool is_short() const noexcept { return short_.load(std::memory_order_relaxed); }

  // `asks_idle`, if not null: whether record() is to be told.
  tune::Choice choose(bool* asks_idle = nullptr);
  // By the last member to end. `amount`: of the objective, if that is not time. `idle`: as in
  // tune::SiteTuner::record().
  void record(Meeting meeting, tune::Choice choice, double ns, uint64_t trip,
              std::optional<double> amount, double idle);

  // One has ended of which nothing is to be recorded.
  void miss(Meeting meeting);

  // Of taskloops and regions. `nodes`, of the machine, of a taskloop that all threads ran strictly:
  // how long each took for an iteration of its own; times, whatever the objective is.
  struct NodeTime {
    int node;
    double ns;
  };
  void record(tune::Choice choice, double ns, uint64_t trip, std::span<const NodeTime> nodes,
              std::optional<double> amount);
  void miss();
  // The first in its node mask; -1 before anything is known.
  int fastest_node() const noexcept { return fastest_node_.load(std::memory_order_relaxed); }

  // Looks at what is known of it, at the process's end: a thread that outlives main() may be at it,
  // for a moment, and a child of fork() finds it taken for good.
  template <class Look>
  void look(Look look_at) {
    constexpr int kTries = 100;
    bool looked = false;
    for (int i = 0; i < kTries && !looked; ++i) {
      alone_with_tuner([&] { look_at(std::as_const(tuner_)), looked = true; });
      if (!looked) pause();
    }
  }

  TunedSite* next = nullptr;  // in its chain

 private:
  static void pause() noexcept;
  uint64_t packed_best() const;
  bool is_at_rest() const;
  static TunedSite* find_or_make(const CallSite& call, const SiteKey& key);
  static std::optional<Sibling> sibling_of(const CallSite& call, const SiteKey& key);
  bool is(const CallSite& call, const SiteKey& key) const noexcept {
    return address_ == call.address && key_ == key;
  }

  // By alone_with_tuner().
  void learn(tune::Choice choice, double ns, uint64_t trip, std::optional<double> amount = {},
             double idle = 0);
  void learn_nothing();
  // What follows from what was learnt, or not, for the executions to come: of loops; of others.
  void rest(Meeting meeting, bool was_in_doubt) noexcept;
  void rest() noexcept;
  // Nobody waits: what the tuner does not hear of, it can do without. And a child of fork() may
  // find a thread at it that there is no more.
  template <class Do>
  void alone_with_tuner(Do act) {
    if (busy_.exchange(true, std::memory_order_acquire)) return;
    act();
    busy_.store(false, std::memory_order_release);
  }

  tune::Choice by_default() const noexcept { return {0, static_cast<int>(key_.members)}; }

  // What each execution looks at, in one line with `next`.
  const void* const address_;
  const SiteKey key_;
  tune::Quiet quiet_;  // U3
  const pid_t process_;
  const std::string source_;  // a copy: a library may be unloaded with the original
  const std::unique_ptr<Remembered> remembered_;  // changed by the constructor alone
  // What the tuner thinks best, for those who come while another is at it.
  plat::atomic<uint64_t> best_;
  plat::atomic<bool> busy_{false};
  tune::SiteTuner tuner_;       // alone_with_tuner()
  tune::NodeTimes node_times_;  // the same
  plat::atomic<int> fastest_node_{-1};
  plat::atomic<bool> at_rest_{false};  // nothing is gained by tuning it, at present
  plat::atomic<bool> short_{false};
  plat::atomic<uint32_t> met_{0};  // executions at rest
};

// An execution under way: one for each slot of a team's ring.
class TunedRun {
 public:
  // By the member that sets the slot up: `plan` is the loop's, with its lanes, for the whole team.
  void begin(TunedSite& site, const Team& team, loop::Plan& plan);

  // What was chosen.
  const loop::Row& row() const noexcept { return *row_; }
  const loop::Plan& plan() const noexcept { return plan_; }

  // A member's part begins: of one that gets iterations.
  void enter(const Member& member) noexcept {
    if (weighs_) [[unlikely]]
      weigh_from();
    if (meter_.is_on()) [[unlikely]]
      count_from(member);
  }
  // A member's part has ended.
  void end(const Member& member, bool cancelled) noexcept;

 private:
  void count_from(const Member& member) noexcept;
  void count_to(const Member& member) noexcept;
  void weigh_from() noexcept;
  // The part of the time that members waited at the end for those who had more to do; once all have
  // ended.
  double idle(double ns) const noexcept;

  TunedSite* site_ = nullptr;
  const loop::Row* row_ = nullptr;
  loop::Plan plan_;
  tune::Choice choice_;
  std::optional<loop::Shape> shape_;  // of fewer members than the team has
  int shape_members_ = 0;
  uint64_t shape_as_of_ = 0;
  uint64_t start_ = 0;
  metric::Meter meter_;
  bool weighs_ = false;               // whether the members' times are asked
  plat::atomic<uint64_t> worked_{0};  // ns, of members with a part, together
  plat::atomic<uint64_t> latest_{0};  // ns after the start: when the last of them began
  plat::atomic<uint32_t> ended_{0};
  plat::atomic<bool> cancelled_{false};
};

}  // namespace vicino::team
