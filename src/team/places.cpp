#include "team/places.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

#include "base/first_made.hpp"
#include "base/kept_errno.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "site/tuned_site.hpp"
#include "sync/cold.hpp"
#include "topo/near.hpp"
#include "topo/process_mask.hpp"

namespace vicino::team {
namespace {

topo::PlaceList read() {
  const config::Settings& settings = config::settings();  // first: they may name another machine
  const topo::Machine& machine = topo::Machine::here();
  const std::string& text = settings.places;
  if (text.empty()) return topo::default_places(machine);
  const std::string variable(config::variable_of(settings, "OMP_PLACES"));
  auto parsed = topo::parse_places(text, machine);
  if (!parsed) {
    const std::string instead = topo::readable_places(text, machine);
    say("%s: '%s': %s; using %s", variable.c_str(), text.c_str(), parsed.error().c_str(),
        instead.c_str());
    if (instead == "cores") return topo::default_places(machine);
    parsed = topo::parse_places(instead, machine);
  }
  for (const std::string& note : parsed->notes) say("%s: %s", variable.c_str(), note.c_str());
  return *std::move(parsed);
}

// A list of spots. The older ones are kept, because a thread may be reading one.
struct Spots {
  topo::PlaceList list;
  const Spots* older;
};
// The present one. Memory order:
//  (1) the release that publishes a list pairs with
//  (2) the acquire of a thread that reads it.
constinit plat::atomic<const Spots*> present_spots{nullptr};

}  // namespace

constinit plat::atomic<bool> machine_is_met{false};

void read_machine() {
  places();
  site::tuned_schedules(site::SiteKey::Kind::kLoop);
  machine_is_met.store(true, std::memory_order_release);  // (3)
}

void meet_machine_first() {
  const KeptErrno kept;
  const sync::FirstCall first;
  read_machine();
}

const topo::PlaceList& places() {
  static constinit FirstMade<const topo::PlaceList> list;
  return list.get(read);
}

int num_places() {
  meet_machine();
  return places().size();
}

topo::Partition places_in(topo::Partition partition) {
  return partition.size > 0 ? partition : topo::Partition{0, num_places()};
}

const topo::PlaceList& spots() noexcept {
  const Spots* const present = present_spots.load(std::memory_order_acquire);  // (2)
  return present != nullptr ? present->list : places();
}

int add_spot(const CpuSet& cpus) {
  constexpr int kMost = 1 << 12;
  const sync::Cold cold;  // one thread adds at a time
  const topo::PlaceList& list = spots();
  const auto known = std::ranges::find(list.places, cpus);
  const auto number = static_cast<int>(known - list.places.begin());
  if (known != list.places.end()) return number;
  if (number >= places().size() + kMost) return -1;
  // Relaxed: only this thread, which is in Cold, may change it.
  auto* const longer = new Spots{list, present_spots.load(std::memory_order_relaxed)};
  longer->list.places.push_back(cpus);
  present_spots.store(longer, std::memory_order_release);  // (1)
  return number;
}

std::vector<int> spots_on(int spot, topo::Level level, int first, int members) {
  const topo::Machine& machine = topo::Machine::here();
  const CpuSet whole = spots()[spot];
  std::vector<int> parts;
  int last = -1;
  for (const int domain : topo::domains_near(machine, level, whole, first, members)) {
    const int part =
        domain == last ? parts.back() : add_spot(topo::cpus_near(machine, level, domain, whole));
    parts.push_back(part >= 0 ? part : spot);
    last = domain;
  }
  return parts;
}

bool binds_near() noexcept { return config::settings().proc_bind.empty(); }

bool run_on(const CpuSet& cpus) noexcept {
  if (topo::Machine::here().recorded()) return false;
  return topo::run_on(0, cpus);
}

void keep_mask_from_new_threads() noexcept {
  if (topo::Machine::here().recorded()) return;  // its CPUs are not this machine's
  const auto mask = topo::process_mask().to_kernel();
  const sync::Cold cold;  // no other root may change the attributes between the reading and setting
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  pthread_attr_setaffinity_np(&attributes, mask.size_bytes(),
                              reinterpret_cast<const cpu_set_t*>(mask.data()));
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

}  // namespace vicino::team
