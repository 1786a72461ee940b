#include "topo/ranks.hpp"

#include <algorithm>
#include <vector>

#include "base/even_cut.hpp"

namespace vicino::topo {
namespace {

// The domains of the level that run number `part` has if they are cut into `parts` runs.
CpuSet run_of(const Machine& machine, Level level, int part, int parts) {
  const EvenCut cut(machine.count(level), parts);
  const auto first = static_cast<size_t>(cut.start(part));
  CpuSet cpus;
  for (const Domain& domain :
       machine.domains(level).subspan(first, static_cast<size_t>(cut.size(part))))
    cpus |= domain.cpus;
  return cpus;
}

int cores_in(const Machine& machine, const CpuSet& cpus) {
  return static_cast<int>(
      std::ranges::count_if(machine.domains(Level::kCore),
                            [&](const Domain& core) { return core.cpus.intersects(cpus); }));
}

// Whether a cut between domains of the level leaves no rank with much less than an equal part: the
// program would wait for that rank.
bool divides_well(const Machine& machine, Level level, int ranks) {
  if (machine.count(level) < ranks) return false;
  const int cores = machine.count(Level::kCore);
  for (int rank = 0; rank < ranks; ++rank) {
    const int its_own = cores_in(machine, run_of(machine, level, rank, ranks));
    if (int64_t{8} * its_own * ranks < int64_t{7} * cores) return false;
  }
  return true;
}

int kind_of(const Machine& machine, const Domain& core) {
  return machine.pu_of(core.cpus.first())->kind;
}

// The cores of each kind are cut apart from the others. Where they are not divisible, the ranks that
// got one more of the last kind get no more of the next, so that the sums differ by at most one.
CpuSet cores_of_each_kind(const Machine& machine, int rank, int ranks) {
  CpuSet cpus;
  int turn = 0;  // the rank that gets the first run
  for (int kind = machine.kinds() - 1; kind >= 0; --kind) {
    std::vector<const Domain*> cores;
    for (const Domain& core : machine.domains(Level::kCore))
      if (kind_of(machine, core) == kind) cores.push_back(&core);
    const EvenCut cut(static_cast<int>(cores.size()), ranks);
    const int part = (rank - turn + ranks) % ranks;
    for (int i = cut.start(part); i < cut.start(part) + cut.size(part); ++i)
      cpus |= cores[static_cast<size_t>(i)]->cpus;
    turn = (turn + cut.longer()) % ranks;
  }
  return cpus;
}

}  // namespace

CpuSet share_of(const Machine& machine, int rank, int size) {
  const int threads = machine.count(Level::kThread);
  if (size > threads)
    return machine.domains(Level::kThread)[static_cast<size_t>(rank % threads)].cpus;
  if (size > machine.count(Level::kCore)) return run_of(machine, Level::kThread, rank, size);
  if (machine.kinds() == 1)
    for (const Level level : {Level::kNode, Level::kCacheGroup})
      if (divides_well(machine, level, size)) return run_of(machine, level, rank, size);
  return cores_of_each_kind(machine, rank, size);
}

}  // namespace vicino::topo
