// job.hpp: the times of all ranks of a job, and what they say about it.
//
// Terms  Those of POP, the Performance Optimisation and Productivity centre of excellence:
//          load balance              mean / longest of the ranks' computing times
//          communication efficiency  longest computing time / time of the job
//          parallel efficiency       their product: mean computing time / time of the job
//        Computing is what a rank does outside of the MPI calls that can wait. The times are of the
//        thread that has begun MPI; the call sites count all threads.
// Not    dependent on an MPI: the unit tests compile this without one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vicino::pmpi {

// What one rank did at one call site.
struct SiteTimes {
  std::string call;   // "MPI_Barrier"
  std::string key;    // the same in all ranks that have the same program
  std::string place;  // "exchange+0x2c in solver"
  std::string from;   // "step, main": the callers, innermost first
  uint64_t calls = 0, bytes = 0, ns = 0, waiting_ns = 0;
};

struct RankTimes {
  std::string host;
  uint64_t wall_ns = 0;  // from the end of MPI_Init to the begin of MPI_Finalize
  uint64_t inside_ns = 0, waiting_ns = 0;
  std::vector<SiteTimes> sites;

  uint64_t compute_ns() const noexcept { return wall_ns > inside_ns ? wall_ns - inside_ns : 0; }
  uint64_t calls() const noexcept;
};

// A rank's times as bytes, for a message to a process on a machine of the same kind.
std::string packed(const RankTimes& times);
// False if the bytes are not whole.
bool unpack(std::string_view bytes, RankTimes& times);

// One call site in all ranks. A rank that never came there waited 0 ns.
struct SiteOfJob {
  SiteTimes all;  // sums
  uint64_t ranks = 0;
  uint64_t least_waiting_ns = 0, most_waiting_ns = 0;
  uint64_t most_at = 0;  // the rank that waited most
};

struct Job {
  std::string mpi;
  std::string program;
  std::vector<RankTimes> ranks;  // by rank
  std::vector<SiteOfJob> sites;  // the one that waited most first

  uint64_t wall_ns() const noexcept;  // the longest of a rank
  double mean_compute_ns() const noexcept;
  uint64_t longest_compute_ns() const noexcept;
  uint64_t longest_compute_at() const noexcept;

  // From 0 to 1; 1 if there is nothing to divide.
  double load_balance() const noexcept;
  double communication_efficiency() const noexcept;
  double parallel_efficiency() const noexcept;
};

Job job_of(std::string mpi, std::string program, std::vector<RankTimes> ranks);

std::string as_text(const Job& job);
std::string as_json(const Job& job);

}  // namespace vicino::pmpi
