// icvs.hpp: the internal control variables of one data environment, under OpenMP's names.
#pragma once

#include <climits>
#include <span>

#include "config/initial.hpp"
#include "topo/bind.hpp"

namespace vicino::memory {
class Allocator;
}

namespace vicino::config {
struct ChosenAllocator;
}

namespace vicino::team {

struct Icvs {
  int nthreads = 1;  // nthreads-var at this level
  // The rest of nthreads-var, if a num_threads clause with a list has set it. Without data it is what
  // is left of OMP_NUM_THREADS' list. A team of the regions around has the memory.
  std::span<const int> inner_nthreads;
  int max_active_levels = 1;  // max-active-levels-var
  int thread_limit = config::kUnlimited;
  static constexpr int kUnsetDevice = INT_MIN;  // the settings hold: region/target.hpp
  int default_device = kUnsetDevice;
  memory::Allocator* allocator = nullptr;  // def-allocator-var; never null after initial()
  config::Schedule run_schedule;
  topo::Bind bind = topo::Bind::kFalse;
  bool dynamic = false;
  bool lends = false;  // cores may be lent between ranks (lend/lending.hpp)
  // What few programs have; one byte, so that code without any of it makes one test.
  enum Special : uint8_t {
    kCancellation = 1,  // cancel-var
    kWatched = 2,       // a tool is told what happens: ompt/tool.hpp
  };
  uint8_t special = 0;
  bool is_plain() const noexcept { return special == 0; }
  bool cancellation() const noexcept { return (special & kCancellation) != 0; }
  bool watched() const noexcept { return (special & kWatched) != 0; }
  // How many values of OMP_NUM_THREADS' and OMP_PROC_BIND's lists are used up.
  int depth = 0;
  // The league that the task belongs to: how many teams it has, and which of them this is.
  int league_size = 1;
  int team_num = 0;

  // The ICVs of the initial task; they follow from the settings, the affinity mask and the quota.
  static Icvs initial();

  // The ICVs that the implicit tasks of a region inherit from the task that meets it. They have the
  // lists' next values, if the lists go on.
  Icvs inherited() const;
};

// Those of an initial task, as the settings and the machine give them.
const Icvs& initial_icvs();

// nthreads-var where the settings leave it open.
int default_threads();

// def-allocator-var for a value of OMP_ALLOCATOR. An allocator that the value describes is made, and
// stays.
memory::Allocator* allocator_of(const config::ChosenAllocator& chosen);

}  // namespace vicino::team
