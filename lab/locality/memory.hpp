// memory.hpp: the memory model. Every count of the lab follows from these rules and from the
// numbers of parameters.toml: with both the self-test can be worked out by hand.
//
//  R1 Time. Each CPU has a clock. An instruction costs cpi hundredths of a cycle, the kernel's too;
//     PAUSE costs lat_pause more. All further cycles are stalls: core.hpp (R10 to R13) says how
//     long a core waits for a line that takes as long as the rules below say.
//  R2 Accesses. Only loads and stores of data by user code count: no instruction fetches, no page
//     walks, nothing that the kernel does, no prefetching, and no access to the kernel's half of
//     the addresses. An access touches the lines that it covers in order, as QEMU issues it: a
//     16-byte access is two of 8. A locked instruction is a load and a store, and its load is a store
//     to these rules: it asks for the line as its own.
//  R3 L2. Each CPU has its own. A load of a line that it holds is free, and so is a store to a line
//     that it holds modified. Any other access is a miss, or a store to a line that is shared (R4).
//  R4 Owning. Before a CPU stores to a line, all other L2s lose it. If the CPU's L3 holds the line
//     shared and other L3s hold it too, these lose it: this is one upgrade, which costs
//     lat_transfer_other if one of them is in another package, else lat_transfer_same. The L3 and
//     the L2 then hold the line modified. An L3 that holds a line alone needs no upgrade.
//  R5 L3. Each group of CPUs has one. A miss of the L2 that the L3 answers costs lat_l3 and counts
//     as an L3 hit; it costs lat_transfer_group if another L2 of the group holds the line modified.
//     A load makes such a line shared; a store does R4.
//  R6 Beyond. If another L3 holds the line modified, the line comes from there: this is a transfer,
//     for lat_transfer_same or lat_transfer_other. Otherwise it comes from the memory of its home
//     node, even if other L3s hold it: for lat_local, lat_same_package or lat_other_package, by the
//     distance from the CPU's node to the home. Where lat_hop is not 0, other packages differ:
//     each unit of the nodes' distance beyond 10 costs lat_hop beside lat_local, for transfers beside
//     lat_transfer_other. A load leaves all copies shared, and a modified copy is written back
//     to its home; if there was no copy the line is exclusive. A store leaves no other copy.
//  R7 Filling. A new line replaces the least recently used one of its set; an L3 sees only the uses
//     that an L2 has missed. A line that leaves an L3 leaves the L2s of the group, and is written
//     back if it was modified; a line that leaves an L2 stays in the L3. A write-back is local if
//     the home is the node of the L3's first CPU; it does not wait.
//  R8 Bandwidth. A line that is read from memory or written back uses the home's controller and the
//     link of the L3 group; one that passes between packages uses the link of the two. A line takes
//     the longer the more is asked of these: bandwidth.hpp.
//  R9 Lockstep. CPUs take turns of a quantum of cycles, so that none runs far ahead: lockstep.hpp.
//  R14 Hands. A line changes hands one CPU at a time: a transfer or an upgrade begins when the one
//     before it, of the same line, has ended. So updates of one line by many CPUs come one after
//     the other. Only the latest kHands lines are remembered.
//
// Cost  A hit is one scan of a set (or one comparison, filter.hpp). Each line of guest memory has
//       four bytes of directory, touched only where the guest's programs touch the line.
// Not   modelled: banks, DRAM pages, snoop filters, the order in which requests for a line are served.
//
// Invariants (check())
//  I1 include  a line that an L2 holds, its L3 holds.
//  I2 single   a line that an L3 holds exclusive or modified is in no other L3.
//  I3 track    the directory names exactly the L3s that hold a line.
//  I4 owner    a line modified in an L2 is modified in its L3 and in no other L2.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "locality/bandwidth.hpp"
#include "locality/cache.hpp"
#include "locality/counters.hpp"
#include "locality/filter.hpp"
#include "locality/machine.hpp"
#include "locality/parameters.hpp"

namespace vicino::lab {

// How long a line takes, and whether the program waits for it whatever its core may overlap (R13).
struct Answer {
  std::uint64_t latency = 0;  // 0: the L2 had it
  bool in_order = false;
};

class Memory {
 public:
  Memory(const Machine& machine, const Parameters& parameters);

  // One line of a load or store (R2), asked for at a time of the CPU's clock.
  Answer access(int cpu, std::uint64_t line, bool store, std::uint64_t now, Counters& count);

  // The time of the round has moved on by that many cycles (R8, R9).
  void drain(std::uint64_t cycles) { bandwidth_.drain(cycles); }

  Filter& filter() { return filter_; }
  const LineMap& lines() const { return lines_; }

  State l2_state(int cpu, std::uint64_t line) const { return l2_[cpu].state(line); }
  State l3_state(int group, std::uint64_t line) const { return l3_[group].cache.state(line); }

  // The first invariant that does not hold for a line; empty if all do.
  std::string check(std::uint64_t line) const;

 private:
  struct Group {
    Cache cache;
    std::vector<int> cpus;
    int node;  // of its first CPU
    int package;
  };
  struct Free {
    void operator()(std::uint32_t* words) const { std::free(words); }
  };

  Answer own(int cpu, std::uint64_t line, Counters& count);
  Answer from_l3(int cpu, std::uint64_t line, bool store, Counters& count);
  Answer from_beyond(int cpu, std::uint64_t line, bool store, Counters& count);
  std::uint64_t read_memory(int cpu, std::uint64_t line, Counters& count);
  std::uint64_t transfer(int cpu, const Group& from, Counters& count);
  std::uint64_t latency_between(const Group& to, const Group& from) const;
  std::uint64_t in_turn(std::uint64_t line, std::uint64_t now, std::uint64_t latency);
  void write_back(const Group& from, std::uint64_t line, Counters& count);
  void fill_l3(int group, std::uint64_t line, State state, Counters& count);
  void share_elsewhere(int group, std::uint64_t line, Counters& count);
  // Returns whether one of them held the line modified.
  bool share_in_l2s(const Group& group, std::uint64_t line);
  void drop_from_l2s(const Group& group, std::uint64_t line, int except);

  // Returns how long it takes until the farthest copy is gone; 0 if no other L3 had one.
  std::uint64_t drop_elsewhere(int group, std::uint64_t line);

  int owner_elsewhere(int group, std::uint64_t line) const;
  std::uint32_t holders_but(int group, std::uint64_t line) const {
    return directory_[line] & ~(1u << group);
  }

  Machine machine_;
  Parameters parameters_;
  LineMap lines_;
  Bandwidth bandwidth_;
  Filter filter_;
  std::vector<Cache> l2_;
  std::vector<Group> l3_;
  static constexpr std::size_t kHands = 4096;
  struct Hand {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint64_t arrives = 0;
  };
  std::vector<Hand> hands_;  // R14; a line's place is its number's last bits
  std::unique_ptr<std::uint32_t[], Free> directory_;  // calloc: pages appear when they are touched
};

}  // namespace vicino::lab
