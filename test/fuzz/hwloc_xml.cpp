// Recorded machines: a file that hwloc survives reading in a child (topo/hwloc/trial.hpp) is a machine that keeps
// the invariants of topo/machine.hpp, or is refused. The child may crash: that is hwloc's affair.
#include "target.hpp"
#include "topo/hwloc/reader.hpp"
#include "topo/hwloc/trial.hpp"
#include "topo/places.hpp"

using namespace vicino;

namespace {

void check(const topo::Machine& machine) {
  MUST(machine.check());
  MUST(machine.default_team_size() >= 1);
  for (const char* kind : {"threads", "cores", "ll_caches", "numa_domains", "sockets"})
    MUST(topo::parse_places(kind, machine)->size() > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::File file(fuzz::text_of(data, size));
  if (!topo::survives_reading(file.path())) return 0;
  const auto hardware = topo::read_xml(file.path(), CpuSet::of(0));
  if (hardware)
    check(topo::Machine(*hardware));
  else
    MUST(fuzz::is_plain(hardware.error()));
  return 0;
}
