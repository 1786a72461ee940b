// tuned_site.hpp: a call site for which the tuner chooses (tune/site_tuner.hpp): a loop of
// schedule(auto), or of schedule(runtime) where the user names no schedule, a taskloop, or a
// parallel region.
//
// Cost   A site that is being tuned reads the clock twice in each execution. Its first execution,
//        and one after which it took another time than usual, read it twice for each member. A site
//        that is settled on what it would have without a tuner, or that is left alone, costs a look
//        into a hash table; but some of its executions are timed all the same, since data change
//        (tune/sampling.hpp).
//
// There are two kinds of sites, because different threads know that an execution begins. Each
// member of a team begins a loop for itself (TunedLoop); one thread begins a taskloop or region
// (TunedConstruct).
//
// Concurrent executions. Several teams may execute a site at once, and so may one team (in tasks,
// or after nowait). One of these executions is timed; the others run with the best configuration so
// far and say nothing to the tuner (tune/lease.hpp). For a loop that is decided by the member that
// sets the slot up, so U3 is not concerned. On several nodes the sites of the process take turns
// besides (tune/turn.hpp).
//
// Invariants
//  U3 members agree on whether an execution of a loop is timed, because only a timed one has a slot
//     in the ring: tune/sampling.hpp.
//  U4 what is recorded was measured by executions of which no two overlap.
//  U5 all that the tuner knows of fewer threads than all was measured on one node mask for each
//     number of threads: the first node of the masks changes only in record(), when by U4 no other
//     execution is timed, and then that is forgotten (tune/domain_times.hpp).
// Memory order: the tuner, and what is noted beside it, is used inside the lease, which orders that.
// The atomics are relaxed. Each is a hint that is complete in one word; a thread that reads an older
// value runs an execution with an older choice, which is correct as well.
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

#include "base/line.hpp"
#include "loop/registry.hpp"
#include "site/profile.hpp"
#include "site/sites.hpp"
#include "tune/domain_times.hpp"
#include "tune/lease.hpp"
#include "tune/sampling.hpp"
#include "tune/site_tuner.hpp"
#include "tune/turn.hpp"

namespace vicino::topo {
class Machine;
}

namespace vicino::site {

// ILAN's steal policies, in the order of the tuner's candidates for a taskloop in several near domains
// (Machine::near_level()), which are ILAN's nodes. Where these are cache groups, fewer threads than all are spread
// over a node's groups, and two more candidates have them fill one group after the other.
enum class StealPolicy : uint8_t { kStrict, kFull, kStrictInGroups, kFullInGroups };
constexpr bool is_full(StealPolicy policy) noexcept {
  return policy == StealPolicy::kFull || policy == StealPolicy::kFullInGroups;
}
constexpr bool is_in_groups(StealPolicy policy) noexcept {
  return policy >= StealPolicy::kStrictInGroups;
}

// One place in the program, for teams of one size and loops of about one length, in outermost
// regions or in inner ones. What makes an inner region different is that other teams may be at work
// beside its team, at whatever level they are. So levels further in are not told apart, and the
// size of the team is in the key anyway.
struct SiteKey {
  // kStatic: a loop that asks once for its bounds.
  // kCombined: a region that all threads begin, or one alone (region/alone.hpp).
  enum class Kind : uint8_t { kLoop, kStatic, kTaskloop, kRegion, kCombined };

  Kind kind;
  uint32_t members;
  int trip_bits;
  bool
      several_domains;  // of the team: for a loop these are NUMA nodes, for a taskloop near domains
  bool inner = false;  // the region lies in another active region
  bool is_loop() const noexcept { return kind == Kind::kLoop || kind == Kind::kStatic; }
  bool is_region() const noexcept { return kind == Kind::kRegion || kind == Kind::kCombined; }
  bool operator==(const SiteKey&) const = default;

  // `kind`: kLoop or kStatic.
  static SiteKey of_loop(Kind kind, uint32_t members, uint64_t trip,
                         bool several_domains = false) noexcept {
    return {kind, members, static_cast<int>(std::bit_width(trip)), several_domains};
  }
  static SiteKey of_taskloop(uint32_t members, uint64_t trip, bool several_domains) noexcept {
    return {Kind::kTaskloop, members, static_cast<int>(std::bit_width(trip)), several_domains};
  }
  static SiteKey of_region(uint32_t members) noexcept { return {Kind::kRegion, members, 1, false}; }
  static SiteKey of_combined(uint32_t members) noexcept {
    return {Kind::kCombined, members, 1, false};
  }
  // The same construct, met by a team whose active level is this one.
  SiteKey at_level(int active_level) const noexcept {
    SiteKey key = *this;
    key.inner = active_level > 1;
    return key;
  }
};

// The schedules that the tuner chooses from for loops that ask for each chunk, on a machine: those
// that differ from each other there. All have their fallbacks for parameters, and so take from the
// team's shape (loop/shape.hpp) how many threads share a cache or a node; but in a rank of an MPI
// program (`of_rank`) the fraction of `mixed` is by slack. The first is the one that a loop would have
// without the tuner, the second one balances the work.
std::vector<loop::Selection> schedules_on(const topo::Machine& machine, bool of_rank = false);

// The schedules that the tuner chooses from for loops of this kind, on this machine. The first is
// the one that they would have without the tuner.
const std::vector<loop::Selection>& tuned_schedules(SiteKey::Kind kind);

// In lines of its own: what each execution reads must not lie beside what somebody else writes.
class alignas(kLine) TunedSite {
 public:
  static constexpr std::size_t kMost = 1 << 14;
  // Memory of one site when everything was tried and time is the objective: 64 MiB for all sites.
  // The profile's entry, the nodes' times and another objective's numbers come on top.
  static constexpr std::size_t kMostBytes = 4096;

  TunedSite(const TunedSite&) = delete;
  virtual ~TunedSite() = default;

  static std::vector<TunedSite*> all();
  // How many schedules or steal policies there are to choose from.
  static uint32_t candidates_of(const SiteKey& key) noexcept;
  // Whether find() has ever given null because there were more than kMost sites.
  static bool were_too_many() noexcept;

  CallSite call() const noexcept { return site_.call(); }
  Site& site() const noexcept { return site_; }
  const SiteKey& key() const noexcept { return key_; }
  uint32_t candidates() const noexcept { return candidates_of(key_); }
  // Its key in profiles and what the profile knew of it; null if no profile is kept.
  const Remembered* remembered() const noexcept { return remembered_.get(); }
  // A child of fork() also has its parent's sites.
  bool is_of_this_process() const noexcept;
  // The first near domain of a taskloop's mask; -1 before it is known.
  int fastest_domain() const noexcept { return fastest_domain_.load(std::memory_order_relaxed); }

  // Calls look_at(tuner), at the process's end. A thread that outlives main() may hold the tuner
  // for a moment, so look() tries again; in a child of fork() it may stay taken for ever, so look()
  // gives up.
  template <class Look>
  void look(Look look_at) {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
      if (lease_.visit([&] { look_at(std::as_const(tuner_)); })) return;
      pause();
    }
  }

  TunedSite* next = nullptr;  // in its chain

 protected:
  // What another site at the same place, with loops of another length, has found; and its fastest
  // near domain, if it is a taskloop.
  struct Sibling {
    tune::SiteTuner::Found found;
    int fastest_domain;
  };

  TunedSite(Site& site, const SiteKey& key, std::unique_ptr<Remembered> remembered,
            const std::optional<Sibling>& sibling);

  // Null if `site` is null or there are too many tuned sites. A loop whose trip count changes much
  // is several, because other costs dominate in small executions than in large ones.
  static TunedSite* find(Site* site, const SiteKey& key);

  // How the execution that begins now runs. If it may be timed, ask() chooses, or says by no choice
  // that it is not to be timed.
  template <class Ask>
  tune::Begun begin(Ask ask) {
    tune::Begun begun{best()};
    begun.lease = lease_.take([&] {
      const std::optional<tune::Choice> choice = ask();
      begun.choice = choice.value_or(begun.choice);
      return choice.has_value();
    });
    return begun;
  }

  // The caller is inside the lease.
  void learn(tune::Choice choice, const tune::Taken& taken, tune::SiteTuner::OnNodes on_nodes = {});
  void learn_nothing();
  void publish_best();

  tune::Choice by_default() const noexcept { return {0, static_cast<int>(key_.members)}; }
  // What the tuner thinks best, for an execution that is not timed.
  tune::Choice best() const noexcept;

 private:
  static void pause() noexcept;
  static TunedSite* find_or_make(Site& site, const SiteKey& key);
  static TunedSite* make(Site& site, const SiteKey& key, std::unique_ptr<Remembered> remembered,
                         const std::optional<Sibling>& sibling);
  static std::optional<Sibling> sibling_of(const Site& site, const SiteKey& key);

  // The fields that all members read at each execution come first, in a line that timed executions do
  // not write.
  Site& site_;
  const SiteKey key_;

 protected:
  tune::Sampling sampling_;  // U3; used by loops alone, in the line that they read anyway
  plat::atomic<int> fastest_domain_{-1};
  alignas(kLine) tune::Lease lease_;
  tune::SiteTuner tuner_;                         // used inside the lease
  const std::unique_ptr<Remembered> remembered_;  // only the constructor changes it

 private:
  const pid_t process_;
  plat::atomic<uint64_t> best_;
};

// A worksharing loop.
class TunedLoop : public TunedSite {
 public:
  static TunedLoop* find(Site* site, const SiteKey& key) {
    return static_cast<TunedLoop*>(TunedSite::find(site, key));
  }
  TunedLoop(Site& site, const SiteKey& key, std::unique_ptr<Remembered> remembered,
            const std::optional<Sibling>& sibling)
      : TunedSite(site, key, std::move(remembered), sibling) {}

  // A member's team and barrier generation (tune/sampling.hpp).
  struct Generation {
    uint64_t team, number;
  };
  // Whether the execution that a member begins in this generation is to be timed (U3).
  bool times(Generation generation) const noexcept {
    return sampling_.times(generation.team, generation.number);
  }

  // `asks_idle`: whether record() needs `idle`. `now`: the time.
  tune::Begun begin(Generation generation, uint64_t now, bool& asks_idle);
  // Called by the last member to leave the loop's slot. `taken`: none if the execution says nothing.
  void record(Generation generation, tune::Begun execution, const std::optional<tune::Taken>& taken,
              uint64_t now);
  // The execution has ended in a way that nobody has seen: the region may have been cancelled.
  // Without effect if it was not timed, or was recorded.
  void abandon(tune::Begun execution) noexcept;

 private:
  // An execution on several nodes that has ended. The tuner is told of it when the team comes to the
  // site again, since it asks for the time between; until then no other execution is timed.
  struct Ended {
    // By so many executions of other teams the team has not come again: it may be gone for good.
    // Teams that take turns come sooner, if there are fewer of them than this. A larger number would
    // only keep a site whose team is gone from being timed for longer.
    static constexpr uint32_t kMostMet = 32;
    tune::Choice choice;
    uint64_t team;
    tune::Taken taken;
    uint64_t at;
    double count;
    uint32_t met_by_others = 0;
  };

  static tune::Turn& turn() noexcept;
  bool may_try() noexcept;
  // Whether no ended execution waits for its team any more.
  bool finish_cycle(Generation generation, uint64_t now);
  // Decides whether further executions are sampled, after something was learnt or missed.
  void rest(Generation generation, bool was_in_doubt, bool was_first = false) noexcept;
  // Whether there is no reason to time the next execution.
  bool is_at_rest(bool may_take_turn) noexcept;

  std::optional<Ended> ended_;  // used inside the lease
};

// A taskloop or a parallel region.
class TunedConstruct : public TunedSite {
 public:
  static TunedConstruct* find(Site* site, const SiteKey& key) {
    return static_cast<TunedConstruct*>(TunedSite::find(site, key));
  }
  TunedConstruct(Site& site, const SiteKey& key, std::unique_ptr<Remembered> remembered,
                 const std::optional<Sibling>& sibling);

  // Whether this execution is to run as begin() says. While tuning gains nothing, that is as rare
  // as for loops (tune/sampling.hpp).
  bool wants_this() noexcept;
  tune::Begun begin() {
    return TunedSite::begin([this] { return tuner_.choose(); });
  }
  // For the executions that are not timed: whether one thread is best.
  bool is_best_alone() const noexcept { return best().threads == 1; }
  // Whether the site was found to be short (tune::SiteTuner::is_short()).
  bool is_short() const noexcept { return short_.load(std::memory_order_relaxed); }

  // For a taskloop that all threads ran with the strict steal policy: how long each near
  // domain took for one of its own iterations. These are times, whatever the objective is.
  using DomainTime = tune::DomainTimes::Time;
  // `taken`: none if the execution says nothing.
  void record(tune::Begun execution, const std::optional<tune::Taken>& taken,
              std::span<const DomainTime> domains = {});

 private:
  bool is_at_rest() const;
  void rest() noexcept;
  void learn_with_domains(tune::Choice choice, const tune::Taken& taken,
                          std::span<const DomainTime> domains);
  // After the tuner has learnt from the same execution.
  void learn_domains(const tune::DomainTimes::Sample& sample);

  tune::DomainTimes domain_times_;     // used inside the lease
  plat::atomic<bool> at_rest_{false};  // tuning gains nothing at present
  plat::atomic<bool> short_{false};
  plat::atomic<uint32_t> met_{0};  // executions while at rest; decides only which ones are timed
};

}  // namespace vicino::site
