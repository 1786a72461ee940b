#include "site/tuned_site.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

#include "base/uncancelled.hpp"
#include "config/settings.hpp"
#include "loop/static_fraction.hpp"
#include "site/metering.hpp"
#include "topo/machine.hpp"
#include "topo/rank_share.hpp"

namespace vicino::site {
namespace {

constinit Chained<TunedSite, TunedSite::kMost> tuned_sites;
constinit plat::atomic<bool> some_refused{false};  // relaxed: a hint, which decides no answer

std::vector<loop::Selection> by_default(std::span<const std::string_view> names) {
  std::vector<loop::Selection> schedules;
  for (const std::string_view name : names)
    schedules.push_back(loop::by_default(*loop::find(name)));
  return schedules;
}

// A cache of one core, with one hardware thread or several, is shared by nobody.
bool has_several_shared_caches(const topo::Machine& machine) {
  const auto is_shared = [&](const topo::Domain& group) { return machine.core_of(group.cpus) < 0; };
  return std::ranges::count_if(machine.domains(topo::Level::kCacheGroup), is_shared) > 1;
}

int grain_of(uint32_t members) {
  if (const int set = config::settings().thread_step; set > 0) return set;
  const topo::Machine& machine = topo::Machine::here();
  return tune::default_grain(static_cast<int>(members), machine.count(topo::Level::kCore),
                             machine.count(topo::Level::kNode), machine.near_count());
}

tune::IfShort if_short(const SiteKey& key) {
  if (key.is_loop()) return tune::IfShort::kLeaveAlone;
  return key.kind == SiteKey::Kind::kCombined ? tune::IfShort::kOrLongTryOneThread
                                              : tune::IfShort::kTryOneThread;
}

const tune::Policy& policy_of(const SiteKey& key) {
  return key.is_loop() && key.several_domains ? tune::kPolicyOnNodes : tune::kUsualPolicy;
}

double short_ns(const SiteKey& key) {
  return shortest_tuned_ns() + key.members * policy_of(key).short_for_each;
}

// A choice in one word.
uint64_t packed(tune::Choice choice) noexcept {
  return uint64_t{choice.candidate} << 32 | static_cast<uint32_t>(choice.threads);
}
tune::Choice unpacked(uint64_t word) noexcept {
  return {static_cast<uint32_t>(word >> 32), static_cast<int>(word & UINT32_MAX)};
}

}  // namespace

std::vector<loop::Selection> schedules_on(const topo::Machine& machine, bool of_rank) {
  std::vector<std::string_view> names{"static", "ich", "mixed", "guided"};
  // With one cache for all, nich has one or two ranges, and nothing near to steal from first.
  if (has_several_shared_caches(machine)) names.push_back("nich");
  if (machine.count(topo::Level::kNode) > 1) names.push_back("hierarchical");
  std::vector<loop::Selection> schedules = by_default(names);
  for (loop::Selection& schedule : schedules)
    if (of_rank && schedule.row == loop::find("mixed"))
      schedule.values = loop::values_of(loop::StaticFraction::Set{loop::StaticFraction::kSlack});
  return schedules;
}

const std::vector<loop::Selection>& tuned_schedules(SiteKey::Kind kind) {
  static constexpr std::string_view kOneBlock[] = {"static", "weighted"};
  // Threads outlive main().
  static const auto& one_block = *new std::vector(by_default(kOneBlock));
  static const auto& any =
      *new std::vector(schedules_on(topo::Machine::here(), topo::ranks() != nullptr));
  return kind == SiteKey::Kind::kStatic ? one_block : any;
}

uint32_t TunedSite::candidates_of(const SiteKey& key) noexcept {
  if (key.is_loop()) return static_cast<uint32_t>(tuned_schedules(key.kind).size());
  if (!key.several_domains) return 1;
  return topo::Machine::here().near_level() == topo::Level::kNode ? 2 : 4;
}

TunedSite::TunedSite(Site& site, const SiteKey& key, std::unique_ptr<Remembered> remembered,
                     const std::optional<Sibling>& sibling)
    : site_(site),
      key_(key),
      tuner_(candidates_of(key), static_cast<int>(key.members), grain_of(key.members),
             if_short(key), short_ns(key), policy_of(key)),
      remembered_(std::move(remembered)),
      process_(getpid()),
      best_(packed(by_default())) {
  if (remembered_ != nullptr) start_from(*remembered_, tuner_);
  int node = -1;
  if (remembered_ != nullptr && remembered_->entry != nullptr) {
    node = remembered_->fastest_domain;
  } else if (sibling) {
    tuner_.begin_like(sibling->found);
    node = sibling->fastest_domain;
  } else {
    return;
  }
  fastest_domain_.store(node, std::memory_order_relaxed);
  publish_best();
}

TunedSite* TunedSite::make(Site& site, const SiteKey& key, std::unique_ptr<Remembered> remembered,
                           const std::optional<Sibling>& sibling) {
  if (key.is_loop()) return new TunedLoop(site, key, std::move(remembered), sibling);
  return new TunedConstruct(site, key, std::move(remembered), sibling);
}

TunedSite* TunedSite::find(Site* site, const SiteKey& key) {
  if (site == nullptr) return nullptr;
  TunedSite* const known =
      site::look(site->tuned, [&](const TunedSite& s) { return s.key_ == key; });
  return known != nullptr ? known : find_or_make(*site, key);
}

// Not inlined, so that find(), which each execution calls, stays short.
[[gnu::noinline]] TunedSite* TunedSite::find_or_make(Site& site, const SiteKey& key) {
  const auto is_it = [&](const TunedSite& s) { return s.key_ == key; };
  // Once there are too many, those beyond do not look into the profile at each execution (C4 of
  // chains.hpp).
  if (tuned_sites.is_full() && some_refused.load(std::memory_order_relaxed)) [[unlikely]]
    return site::look(site.tuned, is_it);
  auto profiled = site::remembered(site.call(), key);  // not under the Cold lock
  const auto sibling = sibling_of(site, key);
  TunedSite* const found = tuned_sites.find(
      site.tuned, is_it, [&] { return make(site, key, std::move(profiled), sibling); });
  if (found == nullptr) some_refused.store(true, std::memory_order_relaxed);
  return found;
}

// A site for loops twice as long, which may know more, or else half as long. A site that another
// thread is using is skipped: no thread waits. In a child of fork() it may be a site of the
// parent's, which serves as well.
std::optional<TunedSite::Sibling> TunedSite::sibling_of(const Site& site, const SiteKey& key) {
  for (const int bits : {1, -1}) {
    SiteKey other = key;
    other.trip_bits += bits;
    TunedSite* const like =
        site::look(site.tuned, [&](const TunedSite& s) { return s.key_ == other; });
    if (like == nullptr) continue;
    std::optional<tune::SiteTuner::Found> found;
    like->lease_.visit([&] { found = like->tuner_.found_for(bits); });
    if (found) return Sibling{*found, like->fastest_domain()};
  }
  return std::nullopt;
}

void TunedSite::publish_best() { best_.store(packed(tuner_.best()), std::memory_order_relaxed); }

tune::Choice TunedSite::best() const noexcept {
  return unpacked(best_.load(std::memory_order_relaxed));
}

void TunedSite::pause() noexcept {
  const Uncancelled uncancelled;
  const timespec a_while{0, 100'000};
  nanosleep(&a_while, nullptr);
}

bool TunedSite::were_too_many() noexcept {
  return some_refused.load(std::memory_order_relaxed) || were_too_many_sites();
}

bool TunedSite::is_of_this_process() const noexcept { return process_ == getpid(); }

std::vector<TunedSite*> TunedSite::all() {
  std::vector<TunedSite*> found;
  for (const Site* site : all_sites())
    for_each(site->tuned, [&](TunedSite& tuned) { found.push_back(&tuned); });
  return found;
}

void TunedSite::learn(tune::Choice choice, const tune::Taken& taken,
                      tune::SiteTuner::OnNodes on_nodes) {
  tuner_.record(choice, taken.ns, taken.trip, taken.amount, taken.idle, on_nodes);
  publish_best();
}

void TunedSite::learn_nothing() {
  tuner_.miss();
  publish_best();
}

tune::Turn& TunedLoop::turn() noexcept {
  static constinit tune::Turn of_process;
  return of_process;
}

// A settled site takes the turn for its look at what came second, and passes it after that execution,
// however it ends.
bool TunedLoop::may_try() noexcept {
  if (!policy_of(key()).counts_outside) return true;
  if (tuner_.asks_outside()) return turn().is_of(this);
  return tuner_.choose() == tuner_.best() || turn().take(this);
}

tune::Begun TunedLoop::begin(Generation generation, uint64_t now, bool& asks_idle) {
  asks_idle = false;
  return TunedSite::begin([&]() -> std::optional<tune::Choice> {
    if (!finish_cycle(generation, now)) return std::nullopt;
    // A loop that asks for each chunk can have a schedule that balances the work (the second one in
    // the list). For a static loop, which is cut into blocks in one of two ways, only the tuner's
    // measurements decide.
    const bool tries = may_try();
    asks_idle = tries && tuner_.asks_idle() && key().kind == SiteKey::Kind::kLoop;
    return tries ? tuner_.choose() : tuner_.best();
  });
}

void TunedLoop::record(Generation generation, tune::Begun execution,
                       const std::optional<tune::Taken>& taken, uint64_t now) {
  if (!lease_.is_held_by(execution.lease)) return;
  const bool told = lease_.end(execution.lease, [&] {
    if (!taken) {
      learn_nothing();
      return rest(generation, tuner_.in_doubt());
    }
    const bool in_doubt = tuner_.in_doubt(), is_first = tuner_.executions() == 0;
    const auto count =
        policy_of(key()).counts_outside
            ? static_cast<double>(sampling_.stands_for(generation.team, generation.number))
            : 1;
    if (tuner_.asks_outside() && turn().is_of(this))
      return void(ended_ = Ended{execution.choice, generation.team, *taken, now, count});
    if (tuner_.asks_outside())
      tuner_.live(execution.choice, taken->ns, count);
    else
      learn(execution.choice, *taken, {{}, count});
    rest(generation, in_doubt, is_first);
  });
  if (!told) turn().pass(this);  // as rest() does; another thread was at the tuner
}

bool TunedLoop::finish_cycle(Generation generation, uint64_t now) {
  if (!ended_) return true;
  const bool is_its_team = ended_->team == generation.team;
  if (!is_its_team && ++ended_->met_by_others < Ended::kMostMet) return false;
  const Ended last = *std::exchange(ended_, {});
  if (is_its_team && turn().is_of(this))
    learn(last.choice, last.taken,
          {static_cast<double>(std::max(now, last.at) - last.at), last.count});
  else
    tuner_.live(last.choice, last.taken.ns, last.count);
  rest(generation, tuner_.in_doubt());
  return true;
}

void TunedLoop::abandon(tune::Begun execution) noexcept {
  if (!lease_.is_held_by(execution.lease)) return;
  turn().pass(this);
  lease_.give_back(execution.lease);
}

bool TunedLoop::is_at_rest(bool may_take_turn) noexcept {
  if (tuner_.asks_outside()) return !(may_take_turn && tuner_.wants_turn() && turn().take(this));
  return !tuner_.in_doubt() &&
         (tuner_.phase() == tune::Phase::kSettled || tuner_.phase() == tune::Phase::kLeftAlone);
}

void TunedLoop::rest(Generation generation, bool was_in_doubt, bool was_first) noexcept {
  const tune::Policy& policy = policy_of(key());
  // A site that was executed once may never be again, and would keep the turn.
  const bool at_rest = is_at_rest(!was_first);
  if (turn().is_of(this) && (at_rest || !tuner_.asks_outside())) turn().pass(this);
  sampling_.change(generation.team, generation.number, at_rest && tuner_.best() == by_default(),
                   was_in_doubt, tuner_.asks_outside() ? policy.rarity_before_turn : policy.rarity);
}

TunedConstruct::TunedConstruct(Site& site, const SiteKey& key,
                               std::unique_ptr<Remembered> its_remembered,
                               const std::optional<Sibling>& sibling)
    : TunedSite(site, key, std::move(its_remembered), sibling) {
  domain_times_.begin_with(fastest_domain());
  if (remembered() == nullptr || remembered()->entry == nullptr) return;
  short_.store(tuner_.is_short(), std::memory_order_relaxed);
  at_rest_.store(is_at_rest(), std::memory_order_relaxed);
}

bool TunedConstruct::wants_this() noexcept {
  if (!at_rest_.load(std::memory_order_relaxed)) return true;
  const uint64_t met = met_.fetch_add(1, std::memory_order_relaxed);
  return tune::Sampling::is_probed(met, tune::Sampling::rarity(0, met));
}

bool TunedConstruct::is_at_rest() const {
  if (tuner_.in_doubt()) return false;
  if (tuner_.phase() != tune::Phase::kSettled) return tuner_.phase() == tune::Phase::kLeftAlone;
  // An execution that is not timed also runs in the best way: is_best_alone().
  if (key().kind == SiteKey::Kind::kCombined) return true;
  // A taskloop runs better with a crew than without one even if all threads are best, so it is at
  // rest only if it is short.
  return key().kind == SiteKey::Kind::kRegion ? tuner_.best() == by_default() : tuner_.is_short();
}

void TunedConstruct::record(tune::Begun execution, const std::optional<tune::Taken>& taken,
                            std::span<const DomainTime> domains) {
  lease_.end(execution.lease, [&] {
    if (taken)
      learn_with_domains(execution.choice, *taken, domains);
    else
      learn_nothing();
    rest();
  });
}

void TunedConstruct::learn_with_domains(tune::Choice choice, const tune::Taken& taken,
                                        std::span<const DomainTime> domains) {
  const bool warm_up = tuner_.phase() == tune::Phase::kWarmUp;
  const uint64_t explored_again = tuner_.explored_again();
  const bool on_fewer = choice.threads < by_default().threads;
  learn(choice, taken);
  if (tuner_.explored_again() != explored_again)
    domain_times_.begin_again();
  else
    learn_domains({warm_up, on_fewer, domains});
}

void TunedConstruct::learn_domains(const tune::DomainTimes::Sample& sample) {
  if (domain_times_.record(sample) && tuner_.forget_fewer_threads()) {
    domain_times_.change_first();
    publish_best();
  }
  fastest_domain_.store(domain_times_.first(), std::memory_order_relaxed);
}

void TunedConstruct::rest() noexcept {
  const bool at_rest = is_at_rest();
  if (!at_rest && !tuner_.in_doubt()) met_.store(0, std::memory_order_relaxed);
  at_rest_.store(at_rest, std::memory_order_relaxed);
  short_.store(tuner_.is_short(), std::memory_order_relaxed);
}

}  // namespace vicino::site
