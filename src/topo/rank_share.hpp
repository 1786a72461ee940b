// rank_share.hpp: the share of the machine that this process takes as a rank of an MPI program, and
// the masks of its threads.
//
// Which  Every rank that may run on all CPUs takes the share that ranks.hpp gives it. A rank with fewer
//        CPUs was bound by its launcher, by a shell, or by the program itself, and keeps what it
//        was given. The kernel tells which of the two it is: it leaves of a mask of all CPUs those
//        of the process's cpuset, so a process with just these was not bound.
// Mask   A thread that uses OpenMP runs on the share from its first construct on: a root if it may
//        run wherever the process may, and each thread of Vicino's. A mask that the program gives to
//        a thread stays. While a thread starts another one or a process, it has all CPUs of the
//        process again (abi/children.cpp).
// Cost   without a launcher, one comparison where a thread meets OpenMP first. With one, the topology
//        of the whole machine is read when the program first asks for a number of threads.
#pragma once

#include <optional>
#include <string>

#include "topo/ranks.hpp"

namespace vicino::topo {

// Tells this layer of the ranks; called before the first allowance(). `instead`: why the process
// keeps all CPUs in spite of them, to be read after "because "; empty if it does not.
void set_ranks(Ranks ranks, std::string instead);

// The ranks, if a launcher has told of any.
const Ranks* ranks() noexcept;

// The CPUs of this rank if it takes its share of `mask`, the process's mask; none if it keeps that.
std::optional<CpuSet> find_share(const CpuSet& mask);

// The CPUs of this rank and the reason, for people; empty if there are no ranks.
std::string describe_share();

// Gives the calling thread the share, if there is one and the thread has all CPUs of the process.
void enter_share() noexcept;
// Gives the calling thread all CPUs of the process, if it has just the share. True if it did.
bool leave_share() noexcept;
// The share, if the calling thread has just that; else null. It allocates nothing.
const CpuSet* share_of_caller() noexcept;
// Whether enter_share() gives threads this mask, and leave_share() that one.
bool is_share(const CpuSet& mask) noexcept;
bool is_outside_share(const CpuSet& mask) noexcept;

}  // namespace vicino::topo
