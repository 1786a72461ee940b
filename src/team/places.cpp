#include "team/places.hpp"

#include <pthread.h>
#include <sched.h>

#include "base/say.hpp"
#include "config/settings.hpp"
#include "sync/cold.hpp"

namespace vicino::team {
namespace {

topo::PlaceList read() {
  const topo::Machine& machine = topo::Machine::here();
  const std::string& text = config::settings().places;
  if (text.empty()) return topo::default_places(machine);
  auto parsed = topo::parse_places(text, machine);
  if (!parsed) {
    say("OMP_PLACES='%s': %s; using cores", text.c_str(), parsed.error().c_str());
    return topo::default_places(machine);
  }
  for (const std::string& note : parsed->notes) say("OMP_PLACES: %s", note.c_str());
  return *std::move(parsed);
}

}  // namespace

const topo::PlaceList& places() {
  static const topo::PlaceList* const list = new topo::PlaceList(read());  // outlives main()
  return *list;
}

bool run_on(const CpuSet& cpus) noexcept {
  if (topo::Machine::here().recorded()) return false;
  const std::vector<unsigned long> mask = cpus.to_kernel();
  return sched_setaffinity(0, mask.size() * sizeof mask[0],
                           reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

void keep_mask_from_new_threads() noexcept {
  if (topo::Machine::here().recorded()) return;  // its CPUs are not this machine's
  const std::vector<unsigned long> mask = topo::Machine::here().cpus().to_kernel();
  const sync::Cold cold;  // no other root may change the attributes between the reading and setting
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  pthread_attr_setaffinity_np(&attributes, mask.size() * sizeof mask[0],
                              reinterpret_cast<const cpu_set_t*>(mask.data()));
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

}  // namespace vicino::team
