// ranks.hpp: which CPUs of a machine each of several processes takes that belong to one program.
//
// Why    The processes (ranks) of an MPI program that run on one machine have equal work. If none is
//        bound, each of them would start a team of all CPUs.
// How    The machine's CPUs are cut into as many runs as there are ranks, in logical order, so that
//        a run is near itself and neighbouring ranks are near each other. The cut is made between
//        NUMA nodes if that makes the ranks nearly equal; else between cache groups, if that does;
//        else between cores. Where there are more ranks than cores, it is made between hardware
//        threads; and where there are more ranks than these, ranks share them in turn.
// Kinds  Where cores differ, each rank gets its part of each kind: ranks with weaker cores would keep
//        the others waiting.
//
// Invariants, for the shares of all ranks of a machine
//  R1 cover   each CPU is in a share, if there are at least as many CPUs as ranks; no share is empty.
//  R2 apart   no two ranks share a CPU where there are enough CPUs, nor a core where there are
//             enough cores.
//  R3 even    the numbers of domains that two ranks get, of the level at which the machine is cut,
//             differ by at most one.
#pragma once

#include <string>

#include "topo/machine.hpp"

namespace vicino::topo {

// What a launcher of MPI programs has told this process.
struct Ranks {
  std::string launcher;  // its name, for people
  int rank = 0;          // of this process among the program's processes on this machine
  int size = 1;          // how many these are
  friend bool operator==(const Ranks&, const Ranks&) = default;
};

// The CPUs of rank `rank` of `size`; 0 <= rank < size.
CpuSet share_of(const Machine& machine, int rank, int size);

}  // namespace vicino::topo
