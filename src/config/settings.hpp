// settings.hpp: every setting of the runtime, as one value.
//
// Why    The runtime reads its environment once, and the result is this plain struct: a test makes
//        one by hand, the team copies its part into ICVs, and nothing later calls getenv.
// Where  Each setting has one row in table.cpp; the parser, the help, docs/reference/settings.md and
//        OMP_DISPLAY_ENV all come from that table.
#pragma once

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/allocator.hpp"
#include "config/environment.hpp"
#include "config/initial.hpp"
#include "config/share.hpp"
#include "config/threads_reserve.hpp"
#include "loop/parameters.hpp"
#include "metric/objective.hpp"
#include "task/registry.hpp"
#include "topo/bind.hpp"

namespace vicino::config {

// Values for what a variable leaves to the library if it is not set.
inline constexpr const char* kToStderr = "-";
inline constexpr std::uint64_t kForever = UINT64_MAX;  // of blocktime_ns: never sleep

enum class WaitPolicy : std::uint8_t { kUnset, kActive, kPassive };
enum class DisplayEnv : std::uint8_t { kFalse, kTrue, kVerbose };
enum class TargetOffload : std::uint8_t { kDefault, kMandatory, kDisabled };
// How loops that ask once for their bounds are cut. kAuto: as kKinds where cores differ (team/kinds.hpp).
enum class StaticLoops : std::uint8_t { kAuto, kEqual, kKinds, kMeasured, kTuned };
// Which threads get which part of a taskloop.
enum class Taskloop : std::uint8_t { kFlat, kHierarchical, kIlan };
// Which tasks are run again as a graph.
enum class Taskgraph : std::uint8_t { kOff, kSite };
// Which new tasks are calls, of those that may be: short ones, none, all, or some at random.
struct TaskCalls {
  enum Way : std::uint8_t { kShort, kNone, kAll, kDrawn };
  Way way = kShort;
  std::uint64_t seed = 0;  // of kDrawn

  bool operator==(const TaskCalls&) const = default;
};
// What may run with fewer threads than it asks for.
enum class Mold : std::uint8_t { kNone, kRegions };
// Whether ranks of an MPI program share a machine (topo/rank_share.hpp).
enum class Sharing : std::uint8_t { kAuto, kOff };
// Whether `vicino run` loads the PMPI layer into programs that use MPI.
enum class MpiLayer : std::uint8_t { kAuto, kOff };
// Whether libraries are known (known_modules.hpp). Random: each region that may have fewer threads has some number, for tests.
enum class Known : std::uint8_t { kOn, kOff, kRandom };
// What happens to pages that one thread filled: tried and kept if the program gains, left, or placed at once.
enum class Pages : std::uint8_t { kAuto, kOff, kBlocks, kInterleave };
enum class ForceReduction : std::uint8_t { kUnset, kCritical, kAtomic, kTree };

// Where a setting's value came from, for OMP_DISPLAY_ENV=verbose. Sources are tried strongest
// first, so a source that is present before the winner was malformed, and a source behind the
// winner was never looked at.
struct Origin {
  static constexpr std::int8_t kDefault = -1;
  static constexpr std::int8_t kDerived = -2;  // from other settings

  std::int8_t winner = kDefault;  // else an index into the row's sources
  std::uint8_t present = 0;       // bit i: source i was set

  bool operator==(const Origin&) const = default;
};
inline constexpr std::size_t kMaxSettings = 57;

struct Settings {
  // Threads. Lists are per nesting level; the last value holds for all deeper levels.
  std::vector<int> num_threads;  // empty: as many as the machine and its quota allow
  bool dynamic = false;
  int max_active_levels = 1;
  int thread_limit = kUnlimited;
  ThreadsReserve threads_reserve;
  int num_teams = 0;           // 0: the library's choice
  int teams_thread_limit = 0;  // 0: none
  std::size_t stack_size = 0;  // bytes of a worker's stack; 0: the system's default (ulimit -s)

  // Places. `places` is OMP_PLACES as written, for topo to parse against the machine.
  std::vector<topo::Bind> proc_bind;  // empty: unset, threads stay near their data
  std::string places;
  // A primary thread is bound to its place only while its outermost region runs.
  bool frees_primary = false;
  std::string machine_file;  // a recorded machine (hwloc XML) instead of the real one
  std::string hw_subset;     // the part of the machine to use, as topo/hw_subset.hpp has it
  Sharing ranks = Sharing::kAuto;
  Share share;  // of one user: all of the machine
  bool lend = false;  // cores between ranks
  MpiLayer mpi = MpiLayer::kAuto;  // read by `vicino run`

  // Loops.
  Schedule run_schedule;
  loop::Selection vicino_schedule;
  std::string config_file;  // rules for single loops (rules.hpp)
  StaticLoops static_loops = StaticLoops::kAuto;
  bool explore = true;   // the tuner may try schedules and numbers of threads
  int thread_step = 0;   // between the numbers of threads that are tried; 0: by the machine
  std::string explain;  // what the tuner found: empty, kToStderr or a file
  metric::Objective objective = metric::Objective::kTime;  // what the tuner minimises
  std::string profile;                                     // what it learnt in earlier runs
  int process = 0;  // the process that tells if it has nothing to explain or to learn; 0: none

  // Waiting.
  WaitPolicy wait_policy = WaitPolicy::kUnset;
  std::optional<std::uint64_t> blocktime_ns;  // kForever: never sleep; unset: learned
  bool cancellation = false;

  // Reductions.
  bool deterministic_reduction = false;
  ForceReduction force_reduction = ForceReduction::kUnset;

  // Tasks, devices, memory.
  int max_task_priority = 0;
  Taskloop taskloop = Taskloop::kIlan;
  Taskgraph taskgraph = Taskgraph::kOff;
  Mold mold = Mold::kNone;
  Known known = Known::kOn;
  TaskCalls task_calls;
  int task_scheduler = task::kDefaultScheduler;  // index into task::kRows
  std::string coarsen;                           // of task graphs; empty: as the program says
  std::optional<int> default_device;  // unset: 0, unless there must be a device
  TargetOffload target_offload = TargetOffload::kDefault;
  ChosenAllocator allocator;
  Pages pages = Pages::kAuto;

  // Tools.
  bool tool = true;
  std::string tool_libraries;
  std::string tool_verbose_init;  // empty: disabled; else stdout, stderr or a file

  // What is shown.
  DisplayEnv display_env = DisplayEnv::kFalse;
  bool display_affinity = false;
  std::string affinity_format;  // empty: kDefaultAffinityFormat
  bool warnings = true;
  std::string stats;       // empty: none; kToStderr; else a file for JSON
  std::string report;      // the same
  std::string trace;       // the name of the file; empty: none
  std::string job_report;  // of all ranks; read by the PMPI layer
  bool lists_settings = false;  // KMP_SETTINGS
  bool version = false;    // KMP_VERSION: say which library this is

  std::array<Origin, kMaxSettings> origins{};  // by row of the table
  std::uint64_t without_effect = 0;            // bit i: variable i of variables_without_effect()

  bool operator==(const Settings&) const = default;
};

// The settings of this process: parsed at first use, when warnings are written to stderr, and the
// same object ever after, also while the process exits. Thread-safe; callable before main.
const Settings& settings() noexcept;

// The variable that gave the setting of this row of the table, for messages: GOMP_CPU_AFFINITY may have given what
// OMP_PLACES is for. The row's name if none did.
std::string_view variable_of(const Settings& settings, std::string_view name) noexcept;

// For fork(): no other thread reads the settings meanwhile.
void hold_settings() noexcept;
void release_settings() noexcept;

// Pure: the same environment always gives the same settings. Each malformed variable adds one
// warning, without the `vicino: ` in front, and the next source or the default holds.
Settings parse(const Environment& environment, std::vector<std::string>& warnings);

// What OMP_DISPLAY_ENV prints; `verbose` adds Vicino's own settings and which variable won. Pure as
// well: a caller that knows the machine fills in num_threads and places first.
std::string display_env(const Settings& settings, bool verbose);

// What KMP_SETTINGS prints: the variables that are set, as they are, and then all settings as they hold.
std::string list_settings(const Settings& settings, const Environment& environment);

// The table as text: for `vicino --help` and its manual page, and as docs/reference/settings.md.
std::string settings_help();
std::string settings_markdown();

}  // namespace vicino::config
