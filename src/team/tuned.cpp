#include "team/tuned.hpp"

#include <time.h>
#include <unistd.h>

#include <bit>

#include "config/settings.hpp"
#include "team/chains.hpp"
#include "team/explain.hpp"
#include "team/metering.hpp"
#include "team/sites.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

constinit Chains<TunedSite, TunedSite::kMost> sites;
constinit plat::atomic<bool> some_refused{false};

std::vector<loop::Selection> by_default(std::span<const std::string_view> names) {
  std::vector<loop::Selection> schedules;
  for (const std::string_view name : names)
    schedules.push_back(loop::by_default(*loop::find(name)));
  return schedules;
}

std::vector<loop::Selection> schedules_here() {
  std::vector<std::string_view> names{"static", "ich", "mixed", "guided"};
  if (topo::Machine::here().count(topo::Level::kNode) > 1) names.push_back("hierarchical");
  return by_default(names);
}

int grain_of(uint32_t members) {
  if (const int set = config::settings().thread_step; set > 0) return set;
  const topo::Machine& machine = topo::Machine::here();
  return tune::default_grain(static_cast<int>(members), machine.count(topo::Level::kCore),
                             machine.count(topo::Level::kNode));
}

// A choice in a word.
uint64_t packed(tune::Choice choice) noexcept {
  return uint64_t{choice.candidate} << 32 | static_cast<uint32_t>(choice.threads);
}
tune::Choice unpacked(uint64_t word) noexcept {
  return {static_cast<uint32_t>(word >> 32), static_cast<int>(word & UINT32_MAX)};
}

[[gnu::destructor]] void explain_at_exit() {
  if (config::settings().explain) explain();
}

}  // namespace

const std::vector<loop::Selection>& tuned_schedules(SiteKey::Kind kind) {
  static constexpr std::string_view kOneBlock[] = {"static", "weighted"};
  // Threads outlive main().
  static const auto& one_block = *new std::vector(by_default(kOneBlock));
  static const auto& any = *new std::vector(schedules_here());
  return kind == SiteKey::Kind::kStatic ? one_block : any;
}

uint32_t TunedSite::candidates_of(const SiteKey& key) noexcept {
  if (key.is_loop()) return static_cast<uint32_t>(tuned_schedules(key.kind).size());
  return key.several_nodes ? 2 : 1;
}

TunedSite::TunedSite(const CallSite& call, const SiteKey& key,
                     std::unique_ptr<Remembered> remembered, const std::optional<Sibling>& sibling)
    : address_(call.address),
      key_(key),
      process_(getpid()),
      source_(call.source != nullptr ? call.source : ""),
      remembered_(std::move(remembered)),
      best_(packed(by_default())),
      tuner_(candidates_of(key), static_cast<int>(key.members), grain_of(key.members),
             key.is_loop() ? tune::IfShort::kLeaveAlone : tune::IfShort::kTryOneThread,
             shortest_tuned_ns()) {
  if (remembered_ != nullptr) start_from(*remembered_, tuner_);
  if (remembered_ == nullptr || remembered_->entry == nullptr) {
    if (!sibling) return;
    tuner_.begin_like(sibling->found);
    node_times_.begin_with(sibling->fastest_node);
    fastest_node_.store(sibling->fastest_node, std::memory_order_relaxed);
    best_.store(packed_best(), std::memory_order_relaxed);
    return;
  }
  short_.store(tuner_.is_short(), std::memory_order_relaxed);
  if (!key.is_loop()) at_rest_.store(is_at_rest(), std::memory_order_relaxed);
  best_.store(packed_best(), std::memory_order_relaxed);
  node_times_.begin_with(remembered_->fastest_node);
  fastest_node_.store(remembered_->fastest_node, std::memory_order_relaxed);
}

TunedSite* TunedSite::find(const CallSite& call, const SiteKey& key) {
  TunedSite* const known =
      sites.look(call.address, [&](const TunedSite& s) { return s.is(call, key); });
  return known != nullptr ? known : find_or_make(call, key);
}

// Apart: what each execution does is short.
[[gnu::noinline]] TunedSite* TunedSite::find_or_make(const CallSite& call, const SiteKey& key) {
  const auto is_it = [&](const TunedSite& s) { return s.is(call, key); };
  // Once all are made, profiles are not asked at each execution of those beyond (chains.hpp, C4).
  if (sites.made() == kMost && some_refused.load(std::memory_order_relaxed)) [[unlikely]]
    return sites.look(call.address, is_it);
  auto profiled = team::remembered(call, key);  // not under the Cold lock
  const auto sibling = sibling_of(call, key);
  TunedSite* const site = sites.find(
      call.address, is_it, [&] { return new TunedSite(call, key, std::move(profiled), sibling); });
  if (site == nullptr) some_refused.store(true, std::memory_order_relaxed);
  return site;
}

// Twice as long, which may have more to tell, or half. One that another thread is at is done
// without: nobody waits. In a child of fork() it may be the parent's; that is as good.
std::optional<TunedSite::Sibling> TunedSite::sibling_of(const CallSite& call, const SiteKey& key) {
  for (const int bits : {1, -1}) {
    SiteKey other = key;
    other.trip_bits += bits;
    TunedSite* const site =
        sites.look(call.address, [&](const TunedSite& s) { return s.is(call, other); });
    if (site == nullptr) continue;
    std::optional<tune::SiteTuner::Found> found;
    site->alone_with_tuner([&] { found = site->tuner_.found_for(bits); });
    if (found) return Sibling{*found, site->fastest_node()};
  }
  return std::nullopt;
}

uint64_t TunedSite::packed_best() const { return packed(tuner_.best()); }

void TunedSite::pause() noexcept {
  const timespec a_while{0, 100'000};
  nanosleep(&a_while, nullptr);
}

bool TunedSite::were_too_many() noexcept { return some_refused.load(std::memory_order_relaxed); }

bool TunedSite::is_of_this_process() const noexcept { return process_ == getpid(); }

std::vector<TunedSite*> TunedSite::all() {
  std::vector<TunedSite*> found;
  sites.for_each([&](TunedSite& site) { found.push_back(&site); });
  return found;
}

tune::Choice TunedSite::choose(bool* asks_idle) {
  tune::Choice choice = unpacked(best_.load(std::memory_order_relaxed));
  alone_with_tuner([&] {
    choice = tuner_.choose();
    // Among schedules of loops that ask again the second one evens work out; of two ways to cut a
    // loop into blocks it is for the tuner to say.
    if (asks_idle != nullptr) *asks_idle = tuner_.asks_idle() && key_.kind == SiteKey::Kind::kLoop;
  });
  return choice;
}

void TunedSite::learn(tune::Choice choice, double ns, uint64_t trip, std::optional<double> amount,
                      double idle) {
  tuner_.record(choice, ns, trip, amount, idle);
  best_.store(packed_best(), std::memory_order_relaxed);
}

void TunedSite::record(Meeting meeting, tune::Choice choice, double ns, uint64_t trip,
                       std::optional<double> amount, double idle) {
  alone_with_tuner([&] {
    const bool in_doubt = tuner_.in_doubt();
    learn(choice, ns, trip, amount, idle);
    rest(meeting, in_doubt);
  });
}

void TunedSite::miss(Meeting meeting) {
  alone_with_tuner([&] {
    learn_nothing();
    rest(meeting, tuner_.in_doubt());
  });
}

void TunedSite::learn_nothing() {
  tuner_.miss();
  best_.store(packed_best(), std::memory_order_relaxed);
}

void TunedSite::rest(Meeting meeting, bool was_in_doubt) noexcept {
  const bool at_rest = !tuner_.in_doubt() && (tuner_.phase() == tune::Phase::kSettled ||
                                              tuner_.phase() == tune::Phase::kLeftAlone);
  quiet_.change(meeting.team, meeting.number, at_rest && tuner_.best() == by_default(),
                was_in_doubt);
}

bool TunedSite::wants_this() noexcept {
  if (!at_rest_.load(std::memory_order_relaxed)) return true;
  const uint64_t met = met_.fetch_add(1, std::memory_order_relaxed);
  return tune::Quiet::is_probed(met, tune::Quiet::rarity(0, met));
}

bool TunedSite::is_best_alone() const noexcept {
  return unpacked(best_.load(std::memory_order_relaxed)).threads == 1;
}

// Of taskloops and regions.
bool TunedSite::is_at_rest() const {
  if (tuner_.in_doubt()) return false;
  if (tuner_.phase() != tune::Phase::kSettled) return tuner_.phase() == tune::Phase::kLeftAlone;
  // A taskloop's crew is better than none where all threads are best, too.
  return key_.kind == SiteKey::Kind::kRegion ? tuner_.best() == by_default() : tuner_.is_short();
}

void TunedSite::record(tune::Choice choice, double ns, uint64_t trip,
                       std::span<const NodeTime> nodes, std::optional<double> amount) {
  alone_with_tuner([&] {
    learn(choice, ns, trip, amount);
    rest();
    if (nodes.empty()) return;
    for (const NodeTime& time : nodes) node_times_.record(time.node, time.ns);
    fastest_node_.store(node_times_.fastest(), std::memory_order_relaxed);
  });
}

void TunedSite::miss() {
  alone_with_tuner([&] {
    learn_nothing();
    rest();
  });
}

void TunedSite::rest() noexcept {
  const bool at_rest = is_at_rest();
  if (!at_rest && !tuner_.in_doubt()) met_.store(0, std::memory_order_relaxed);
  at_rest_.store(at_rest, std::memory_order_relaxed);
  short_.store(tuner_.is_short(), std::memory_order_relaxed);
}

void TunedRun::begin(TunedSite& site, const Team& team, loop::Plan& plan) {
  site_ = &site;
  weighs_ = false;
  choice_ = site.choose(&weighs_);
  const loop::Selection& selection = tuned_schedules(site.key().kind)[choice_.candidate];
  const auto members = static_cast<uint32_t>(choice_.threads);
  plan_ = plan;
  plan_.members = members;
  plan_.lanes = plan.lanes.first(members);
  plan_.chunk = selection.chunk;
  plan_.values = selection.values;
  if (choice_.threads == team.size) {
    plan_.shape = &team.shape();
  } else {
    if (shape_members_ != choice_.threads || shape_as_of_ != team.arrangements()) {
      shape_.emplace(team.shape_of_first(choice_.threads));
      shape_members_ = choice_.threads;
      shape_as_of_ = team.arrangements();
    }
    plan_.shape = &*shape_;
  }
  row_ = &loop::fitting(*selection.row, plan_);
  remember(site.call(), *row_, plan_);
  worked_.store(0, std::memory_order_relaxed);
  latest_.store(0, std::memory_order_relaxed);
  ended_.store(0, std::memory_order_relaxed);
  cancelled_.store(false, std::memory_order_relaxed);
  start_meter(meter_, members);
  start_ = plat::now();
}

void TunedRun::count_from(const Member& member) noexcept {
  meter_.enter(static_cast<uint32_t>(member.id), counter_of(*member.worker));
}

void TunedRun::count_to(const Member& member) noexcept {
  if (member.id < choice_.threads)
    meter_.leave(static_cast<uint32_t>(member.id), counter_of(*member.worker));
}

void TunedRun::end(const Member& member, bool cancelled) noexcept {
  if (cancelled) cancelled_.store(true, std::memory_order_relaxed);
  if (meter_.is_on()) [[unlikely]]
    count_to(member);
  if (weighs_ && member.id < choice_.threads) [[unlikely]]
    worked_.fetch_add(plat::now() - start_, std::memory_order_relaxed);
  const auto size = static_cast<uint32_t>(member.team->size);
  if (ended_.fetch_add(1, std::memory_order_acq_rel) + 1 != size) return;  // U2
  const TunedSite::Meeting meeting{member.team->number, member.meeting};
  if (cancelled_.load(std::memory_order_relaxed)) return site_->miss(meeting);
  const auto ns = static_cast<double>(plat::now() - start_);
  std::optional<double> amount;
  if (meter_.is_on()) [[unlikely]] {
    amount = meter_.total();
    if (!amount) return site_->miss(meeting);
  }
  site_->record(meeting, choice_, ns, plan_.trip, amount, weighs_ ? idle(ns) : 0);
}

void TunedRun::weigh_from() noexcept {
  const uint64_t late = plat::now() - start_;
  worked_.fetch_sub(late, std::memory_order_relaxed);
  uint64_t seen = latest_.load(std::memory_order_relaxed);
  while (late > seen && !latest_.compare_exchange_weak(seen, late, std::memory_order_relaxed)) {
  }
}

// As if all had begun when the last one did: of an even loop nothing is left.
double TunedRun::idle(double ns) const noexcept {
  const auto worked = static_cast<double>(worked_.load(std::memory_order_relaxed));
  const auto latest = static_cast<double>(latest_.load(std::memory_order_relaxed));
  return 1 - (worked / choice_.threads + latest) / ns;
}

}  // namespace vicino::team
