// doctor_surrounding.hpp: what `vicino doctor` has seen of a process's surrounding, and of one run of a program.
//
// Why    The facts are gathered first, into plain values. Conditions (doctor_finding.hpp) only read them, so a test
//        feeds them with made-up facts, and a recorded machine (VICINO_MACHINE) with another machine's.
// Not    complete: what cannot be read is named in `not_seen`, and the facts about it are as if nothing were wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_set.hpp"
#include "config/settings.hpp"
#include "environment.hpp"
#include "source_lines.hpp"
#include "topo/machine.hpp"
#include "tune/profile.hpp"

namespace vicino::cli {

// Another process that has an OpenMP runtime and several threads, and is using CPUs.
struct Neighbour {
  int process = 0;
  std::string name;     // of its program
  std::string runtime;  // the file's name
  int threads = 0;
  CpuSet cpus{};         // that it may use
  double uses = 0;       // CPUs, while it was watched
  double waits = 0;      // for so many more, since other threads had them
  bool dynamic = false;  // it has OMP_DYNAMIC=true
};

// CPUs whose clock is governed alike. Frequencies are in kHz, as in /sys; 0 if they are unknown.
struct Clock {
  CpuSet cpus{};
  std::string governor, driver;
  uint64_t lowest = 0, highest = 0;  // that the governor may choose
  uint64_t possible = 0;             // that the processor has
};

// An OpenMP runtime that a program is linked with, and the file that asks for it.
struct LinkedRuntime {
  std::string name;  // "libgomp.so.1"
  std::string user;
  bool is_fortran = false;  // the file needs gfortran's library, too
};

// A runtime besides Vicino that was loaded in the run.
struct LoadedRuntime {
  std::string path;
  std::string user, entry;  // a library whose calls of `entry` went there; empty if there is none
};

// A barrier, or a region's end, and the work that its team's threads had done since the one before.
struct Meeting {
  std::string where;       // "main+0x3f in app", or "app.c:12"
  CodePlace code{};        // no file: not known
  bool is_single = false;  // the work was that of a `single`
  // The library gave out the iterations of some loop: in a block for each thread, or as they came.
  bool has_blocks = false, has_chunks = false;
  uint64_t executions = 0;
  int threads = 0;          // of the largest team
  uint64_t work_ns = 0;     // CPU time, of all threads
  uint64_t longest_ns = 0;  // of each execution's busiest thread, added up
  std::vector<uint64_t> by_thread{};

  double mean_ns() const { return static_cast<double>(work_ns) / threads; }
};

// Regions of one kind, as the run's report has them.
struct RegionKind {
  int threads = 0, asked = 0;
  bool by_clause = false, inner = false, alone = false;
  uint64_t regions = 0, ns = 0;
};

// What one run of the program has told. Nothing is judged here.
struct ProgramRun {
  double seconds = 0;      // wall time
  double cpu_seconds = 0;  // of all threads
  bool reported = false;
  int cpus = 0;  // for a team, as the library saw it
  std::vector<LoadedRuntime> runtimes{};
  std::vector<RegionKind> regions{};
  std::vector<std::string> remarks{};
  std::vector<Meeting> meetings{};
  tune::Profile learnt{};

  // What a part is compared with. A run that waited for CPUs of others has more wall time than work.
  double busy_ns() const { return 1e9 * std::min(seconds, cpu_seconds); }
};

struct Program {
  std::string command;  // as a shell takes it
  std::string refusal;  // why it cannot run on Vicino: "it is statically linked"
  std::string library;  // libvicino.so
  std::vector<LinkedRuntime> linked{};
  std::optional<ProgramRun> run{};
};

struct Surrounding {
  // Variables of OpenMP runtimes, in the order of the environment, and others that look like misspelt ones.
  std::vector<std::pair<std::string, std::string>> variables{};
  // What Vicino makes of them, and what it warns of.
  config::Settings settings{};
  std::vector<std::string> warnings{};

  bool recorded = false;  // the machine is another one, read from a file
  CpuSet cpus{};
  CpuSet obtainable{};      // what taskset could give: the CPUs of the cpuset
  std::string bound_since;  // the outermost ancestor with the same mask: "slurmstepd (process 12)"
  bool is_rank = false;     // one of several processes of an MPI program
  double quota = std::numeric_limits<double>::infinity();
  std::string quota_group;              // its folder
  uint64_t periods = 0, throttled = 0;  // of the group's life
  std::optional<CpuSet> places{};       // all CPUs of OMP_PLACES
  std::vector<Neighbour> neighbours{};

  // NUMA nodes, by the kernel's numbers: those of the CPUs that have memory; those that pages may lie on; and, if a
  // policy (numactl) and not a cpuset decides that, its name.
  CpuSet nodes{}, memory_nodes{};
  std::string memory_policy;
  bool balancing = false;
  std::string huge_pages;  // "always", "madvise", "never"
  std::vector<Clock> clocks{};

  std::optional<Program> program{};
  std::vector<std::string> not_seen{};  // "the clock's governor"

  // Reads `settings` and `warnings` from the variables.
  void read_settings();
  int default_team() const;
  int team() const;  // what a program gets that asks for no number
};

// Gathers all but the program. `root` is put before every path of /proc and /sys, for tests.
Surrounding look_around(const Environment& environment, const topo::Machine& machine,
                        const std::string& root = "");

// The OpenMP runtimes that a program and its libraries are linked with.
std::vector<LinkedRuntime> linked_runtimes(const std::filesystem::path& program,
                                           const Environment& environment);

}  // namespace vicino::cli
