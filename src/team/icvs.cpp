#include "team/icvs.hpp"

#include "base/first_made.hpp"
#include "config/settings.hpp"
#include "lend/lending.hpp"
#include "memory/allocator.hpp"
#include "topo/allowance.hpp"

namespace vicino::team {

int default_threads() {
  return lend::is_on() ? lend::most_threads() : topo::allowance().default_team_size();
}

memory::Allocator* allocator_of(const config::ChosenAllocator& chosen) {
  memory::Allocator* const own = chosen.own ? memory::make(*chosen.own) : nullptr;
  return own != nullptr ? own : memory::find(chosen.predefined);
}

Icvs Icvs::initial() {
  const config::Settings& s = config::settings();
  Icvs icvs;
  icvs.nthreads = s.num_threads.empty() ? default_threads() : s.num_threads[0];
  icvs.max_active_levels = s.max_active_levels;
  icvs.thread_limit = s.thread_limit;
  icvs.allocator = allocator_of(s.allocator);
  icvs.run_schedule = s.run_schedule;
  icvs.bind = s.proc_bind.empty() ? topo::Bind::kNear : s.proc_bind[0];
  icvs.dynamic = s.dynamic;
  icvs.lends = lend::is_on();
  if (s.cancellation) icvs.special |= Icvs::kCancellation;
  return icvs;
}

const Icvs& initial_icvs() {
  static constinit FirstMade<const Icvs> known;
  return known.get(Icvs::initial);
}

Icvs Icvs::inherited() const {
  Icvs child = *this;
  const auto next = static_cast<size_t>(++child.depth);
  const config::Settings& s = config::settings();
  if (inner_nthreads.data() == nullptr) {
    if (next < s.num_threads.size()) child.nthreads = s.num_threads[next];
  } else if (!inner_nthreads.empty()) {
    child.nthreads = inner_nthreads.front();
    child.inner_nthreads = inner_nthreads.subspan(1);
  }
  if (next < s.proc_bind.size()) child.bind = s.proc_bind[next];
  return child;
}

}  // namespace vicino::team
