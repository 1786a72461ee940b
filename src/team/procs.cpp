#include "team/procs.hpp"

#include "config/settings.hpp"
#include "team/worker.hpp"
#include "topo/allowance.hpp"
#include "topo/process_mask.hpp"

namespace vicino::team {

int usable_cpus() {
  config::settings();  // read now, for they may name another machine
  const topo::Allowance& allowed = topo::allowance();
  const int all = allowed.cpus.count();
  // The initial thread's mask, which others inherit, may still be another runtime's.
  if (allowed.recorded || topo::bound_by_another_runtime()) return all;
  if (topo::has_mask(0, topo::process_mask())) return all;
  const Narrowed narrowed = narrowed_mask();
  if (narrowed.otherwise == &topo::process_mask()) return all;
  const CpuSet now = narrowed.otherwise != nullptr ? *narrowed.otherwise : topo::mask_of_thread(0);
  if (now.empty()) return all;  // the kernel refuses to tell
  const int both = (now & allowed.cpus).count();
  return (allowed.is_share || allowed.is_subset) && both > 0 ? both : now.count();
}

}  // namespace vicino::team
