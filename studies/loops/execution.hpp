// execution.hpp: a program's loops on a simulated machine, one after the other, with one schedule.
//
// Rules
//  E1 work    An iteration computes for its cycles and waits for memory: bytes in order at the core's
//             rate, random accesses at their latency over the core's misses in flight.
//  E2 caches  Bytes that an iteration reads again come from its own cache group's cache if that
//             group had them last, and has had no more than the cache holds since then; from memory
//             otherwise. A table that fills at most kTable of the cache is in it.
//  E3 shares  Threads of a core share its work (Parameters::two, four) and its rate. Requesters of one
//             group, of a node or of the link between packages wait longer for memory by
//             (1 + sum of (demand / rate)^4)^(1/4): b(n) = ((n b1)^-4 + B^-4)^(-1/4) for each alone.
//             Demand is what they would get unloaded. A node loses `loss` of its rate for each
//             requester too many.
//  E4 pieces  Shares change when members begin or end. A member looks at them anew for each piece of
//             work of about a kPieces-th of the loop.
//  E5 clocks  Core c runs at the clock times 1 + spread z; z is normal and depends on the seed and c.
//  E6 ends    Members begin one after the other, in a tree; the loop ends with a barrier, in a tree.
//  E7 parts   A loop with more than kMostClaims claims of one counter is executed in part: every k-th
//             chunk, and its time is multiplied.
// What claims cost follows from the schedule's own atomics (plat/sim/team.hpp), and `claim` for each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loop_run.hpp"
#include "program.hpp"

namespace loops {

struct Setting {
  uint32_t threads = 1;
  uint64_t seed = 1;
  bool fixed = false;  // all cores at Parameters::fixed_ghz
  uint32_t deque = 1;  // members whose updates are counted together
};

struct Outcome {
  double ns = 0;
  double work =
      0;  // of all members, as if each were alone on the machine and found nothing in caches
  uint64_t iterations = 0, claims = 0, steals = 0;
  double reused = 0;            // of the bytes that may be in a cache, the part that was
  std::vector<double> updates;  // of a chunk's size, by deque
};

class Execution {
 public:
  Execution(const Parameters& parameters, const vicino::loop::Selection& schedule,
            const Setting& setting);
  Outcome run(const Program& program);

  static constexpr double kTable = 0.75;
  static constexpr uint64_t kPieces = 64;
  static constexpr uint64_t kMostClaims = 100'000;

 private:
  struct Spot {
    uint32_t core, group, package;
    double clock;  // of the core
  };
  // What a piece of work takes, in nanoseconds, if its member is alone.
  struct Piece {
    double work = 0, near = 0, memory = 0;
    double bytes[2] = {};  // from each package's memory
    double alone() const { return work + near + memory; }
  };
  // What a member asks for while it runs a piece, as parts of its time and as rates.
  struct Demand {
    double work = 0, node[2] = {};
    double all() const { return node[0] + node[1]; }
  };
  struct Owner {
    struct Touch {
      uint32_t group = UINT32_MAX;
      double at = 0;  // bytes that the group had touched by then
    } before, last;   // before: by the loops before the one that `last` is of
    uint64_t loop = 0;
  };

  vicino::loop::Shape shape() const;
  double execute(const Loop& loop, uint64_t number, Outcome& outcome);
  void run_range(const Loop& loop, vicino::loop::Range range);
  Piece piece_of(const Loop& loop, uint64_t begin, uint64_t end, double found) const;
  double find_in_caches(const Loop& loop, uint64_t begin, uint64_t end);
  double touch(Owner& owner, uint32_t group, double bytes);
  void spend(const Piece& piece);
  void ask(const Demand& demand, double sign);
  double duration(const Piece& piece) const;
  const Spot& here() const { return spots_[team_.member()]; }

  const Parameters parameters_;
  const vicino::loop::Selection schedule_;
  const Setting setting_;
  const uint32_t per_core_;
  vicino::sim::Team team_;
  cluster::LoopRun run_;
  std::vector<Spot> spots_;
  vicino::loop::Shape shape_;

  struct Core {
    double work = 0, rate = 0;
    int running = 0;
  };
  std::vector<Core> cores_;
  std::vector<double> groups_;
  double nodes_[2] = {}, links_[2] = {};  // links_: into a package, from the other
  std::vector<Owner> owners_;             // of the blocks of a program's data
  std::vector<double> touched_;           // bytes, by group
  double quantum_ = 0;                    // ns
  uint64_t loop_ = 0;                     // the present one's number
  double asked_bytes_ = 0, found_bytes_ = 0;
};

}  // namespace loops
