#include "config/table.hpp"

#include "config/affinity.hpp"
#include "config/affinity_format.hpp"
#include "config/allocator.hpp"
#include "config/kmp_affinity.hpp"
#include "config/numbers.hpp"
#include "config/schedule.hpp"
#include "config/threads_reserve.hpp"
#include "config/units.hpp"
#include "config/words.hpp"
#include "graph/passes.hpp"
#include "topo/hw_subset.hpp"

namespace vicino::config {
namespace {

using S = Settings;

template <auto kMember, class Codec>
bool parse_into(std::string_view text, Settings& settings) {
  auto value = Codec::parse(text);
  if (value) settings.*kMember = *std::move(value);
  return value.has_value();
}

template <auto kMember, class Codec>
constexpr Source from(std::string_view variable) {
  Source source{variable, []() -> std::string_view { return Codec::kAccepted; },
                parse_into<kMember, Codec>};
  if constexpr (requires { Codec::explain(variable); }) source.explain = Codec::explain;
  if constexpr (requires { Codec::remark(variable); }) source.remark = Codec::remark;
  return source;
}

template <auto kMember, class Codec>
std::string show(const Settings& settings) {
  return Codec::format(settings.*kMember);
}

// KMP_ENABLE_TASK_THROTTLING=false: a new task always waits, however many do.
struct ThrottlingFlag {
  static constexpr std::string_view kAccepted = Flag::kAccepted;
  static std::optional<TaskCalls> parse(std::string_view text) noexcept {
    const auto throttles = Flag::parse(text);
    if (!throttles) return std::nullopt;
    return TaskCalls{*throttles ? TaskCalls::kShort : TaskCalls::kNone};
  }
};

struct FormatText : Text {
  static constexpr std::string_view kAccepted = "text with fields such as %n, %8A and %{host}";
  static std::string format(const std::string& value) {
    return value.empty() ? std::string(kDefaultAffinityFormat) : value;
  }
};

struct PlacesText : Text {
  static constexpr std::string_view kAccepted =
      "threads, cores, ll_caches, numa_domains or sockets, with (count) or without; or a list of "
      "places such as {0:4},{4:4} or {0:4}:2:4";
};

// The grammar is checked here; whether the machine has so much, when it is known.
struct HwSubsetText : Text {
  static constexpr std::string_view kAccepted =
      "numbers of units from the top down, as in 2s,4c@1,2t, *c:eff1 or :1s,6t";
  static std::optional<std::string> parse(std::string_view text) {
    if (!topo::parse_hw_subset(text)) return std::nullopt;
    return std::string(text);
  }
  static std::string explain(std::string_view text) { return topo::parse_hw_subset(text).error(); }
};

struct FileName : Text {
  static constexpr std::string_view kAccepted = "the name of a file";
};

struct RulesFile : Text {
  static constexpr std::string_view kAccepted = "the name of a file of rules (TOML)";
};

struct FileList : Text {
  static constexpr std::string_view kAccepted = "names of files, with colons between";
};

struct TaskCallsText {
  static constexpr std::string_view kAccepted =
      "short, none, all or a number up to 18446744073709551614, the seed";
  static std::optional<TaskCalls> parse(std::string_view text) noexcept {
    if (const auto way = find_word(kWords, text)) return TaskCalls{.way = *way};
    const auto seed = parse_digits(text);
    if (!seed || *seed == UINT64_MAX) return std::nullopt;  // that may stand for a larger one
    return TaskCalls{.way = TaskCalls::kDrawn, .seed = *seed};
  }
  static std::string format(TaskCalls value) {
    if (value.way == TaskCalls::kDrawn) return std::to_string(value.seed);
    for (const auto& word : kWords)
      if (word.value == value.way) return upper_case(word.text);
    return {};
  }

 private:
  static constexpr std::array<Word<TaskCalls::Way>, 3> kWords{
      {{"short", TaskCalls::kShort}, {"none", TaskCalls::kNone}, {"all", TaskCalls::kAll}}};
};

// Instead of the coarse strings in the program.
struct CoarseText : Text {
  static constexpr std::string_view kAccepted =
      "automatic, none, or passes from left to right, as in SD(300)F(32)";
  static std::optional<std::string> parse(std::string_view text) {
    if (text == graph::kAutomatic || text == graph::kNoPass) return std::string(text);
    if (text.empty() || !graph::parse_coarse_string(text)) return std::nullopt;
    return std::string(text);
  }
};

// Whether to count, and where to.
struct StatsText {
  static constexpr std::string_view kAccepted =
      "false; true, for text on standard error; or the name of a file, for JSON, in which %p "
      "stands for the process's number";
  static std::optional<std::string> parse(std::string_view text) {
    if (const auto flag = Flag::parse(text)) return *flag ? kToStderr : "";
    return Text::parse(text);
  }
  static std::string format(const std::string& value) {
    return value.empty() ? "FALSE" : value == kToStderr ? "TRUE" : value;
  }
};

struct ExplainText : StatsText {
  static constexpr std::string_view kAccepted =
      "false; true, for standard error; or the name of a file, in which %p stands for the process's "
      "number";
};

struct TraceText : StatsText {
  static constexpr std::string_view kAccepted =
      "false; true, for vicino.pftrace; or the name of a file or a pipe, in which %p stands for the "
      "process's number";
  static std::optional<std::string> parse(std::string_view text) {
    if (const auto flag = Flag::parse(text)) return *flag ? "vicino.pftrace" : "";
    return Text::parse(text);
  }
};

// The same for all ranks of an MPI program, of which one writes.
struct JobReportText : StatsText {
  static constexpr std::string_view kAccepted =
      "false; true, for text on standard error; or the name of a file, for JSON if it ends in "
      ".json and text otherwise";
};

constexpr bool kStandard = true;
constexpr bool kVerbose = false;

constexpr Row kRows[] = {
    // Threads
    {"OMP_NUM_THREADS",
     "one thread for each CPU that the affinity mask, the cpuset and the CPU quota leave",
     "Threads of a parallel region, one value for each nesting level.",
     kStandard,
     show<&S::num_threads, PositiveList>,
     {from<&S::num_threads, PositiveList>("OMP_NUM_THREADS"),
      from<&S::num_threads, PositiveList>("OMP_NUM_THREADS_ALL")}},
    {"OMP_DYNAMIC",
     "false",
     "Whether the runtime may use fewer threads than were asked for: so that other processes keep "
     "their CPUs, and where fewer are faster.",
     kStandard,
     show<&S::dynamic, Flag>,
     {from<&S::dynamic, Flag>("OMP_DYNAMIC"),
      from<&S::dynamic, Flag>("OMP_DYNAMIC_ALL")}},
    {"VICINO_MOLD",
     "none",
     "What may run with fewer threads than it asks for, if that is faster: none, or regions, as "
     "with OMP_DYNAMIC.",
     kVerbose,
     show<&S::mold, Choice<MoldWords>>,
     {from<&S::mold, Choice<MoldWords>>("VICINO_MOLD")}},
    {"VICINO_KNOWN",
     "on",
     "Libraries that are known to give the same results with any number of threads (LightGBM, "
     "faiss, FFTW, tesseract and others), and those that are known to need all (OpenBLAS, XGBoost); "
     "VICINO_CONFIG adds more. on: regions of the former leave other processes CPUs, those of the latter "
     "do not even with OMP_DYNAMIC; off; random: each region that may have fewer threads has some "
     "number, to try a library.",
     kVerbose,
     show<&S::known, Choice<KnownWords>>,
     {from<&S::known, Choice<KnownWords>>("VICINO_KNOWN")}},
    {"OMP_MAX_ACTIVE_LEVELS",
     "1, or no limit if OMP_NUM_THREADS or OMP_PROC_BIND has more than one value",
     "How deep parallel regions of more than one thread may nest.",
     kStandard,
     show<&S::max_active_levels, Natural>,
     {from<&S::max_active_levels, Limit<0>>("OMP_MAX_ACTIVE_LEVELS"),
      from<&S::max_active_levels, Limit<0>>("OMP_MAX_ACTIVE_LEVELS_ALL"),
      from<&S::max_active_levels, Nesting>("OMP_NESTED")}},
    {"OMP_THREAD_LIMIT",
     "no limit",
     "Threads that may take part at once in the parallel regions that one thread of the program leads.",
     kStandard,
     show<&S::thread_limit, Positive>,
     {from<&S::thread_limit, Limit<1>>("OMP_THREAD_LIMIT"),
      from<&S::thread_limit, Limit<1>>("OMP_THREAD_LIMIT_ALL"),
      from<&S::thread_limit, Limit<1>>("KMP_DEVICE_THREAD_LIMIT"),
      from<&S::thread_limit, Limit<1>>("KMP_ALL_THREADS")}},
    {"OMP_THREADS_RESERVE",
     "structured(1),free_agent(0)",
     "Threads that are kept for teams (structured) and for free agents, which run tasks with "
     "threadset(omp_pool). Where OMP_THREAD_LIMIT is set, each kind may have what the other leaves "
     "of it. A number alone is for teams; a kind alone keeps all threads for itself.",
     kStandard,
     show<&S::threads_reserve, ThreadsReserveText>,
     {from<&S::threads_reserve, ThreadsReserveText>("OMP_THREADS_RESERVE")}},
    {"OMP_NUM_TEAMS",
     "1",
     "Teams of a teams region that says no number; 0 counts as 1.",
     kStandard,
     show<&S::num_teams, Natural>,
     {from<&S::num_teams, Natural>("OMP_NUM_TEAMS"),
      from<&S::num_teams, Natural>("OMP_NUM_TEAMS_ALL")}},
    {"OMP_TEAMS_THREAD_LIMIT",
     "no limit",
     "Threads of each team of a teams region; 0 is no limit.",
     kStandard,
     show<&S::teams_thread_limit, Natural>,
     {from<&S::teams_thread_limit, Natural>("OMP_TEAMS_THREAD_LIMIT"),
      from<&S::teams_thread_limit, Natural>("OMP_TEAMS_THREAD_LIMIT_ALL")}},
    {"OMP_STACKSIZE",
     "the system's, as ulimit -s gives it",
     "Stack of each thread that the runtime makes.",
     kStandard,
     show<&S::stack_size, Bytes<1024>>,
     {from<&S::stack_size, Bytes<1024>>("OMP_STACKSIZE"),
      from<&S::stack_size, Bytes<1024>>("OMP_STACKSIZE_ALL"),
      from<&S::stack_size, Bytes<1>>("KMP_STACKSIZE"),
      from<&S::stack_size, Bytes<1024>>("GOMP_STACKSIZE")}},

    // Places
    {"OMP_PROC_BIND",
     "true if places are given; else threads stay on their NUMA nodes or in their cache groups",
     "How threads take their places, one policy for each nesting level.",
     kStandard,
     show<&S::proc_bind, BindList>,
     {from<&S::proc_bind, BindList>("OMP_PROC_BIND"),
      from<&S::proc_bind, BindList>("OMP_PROC_BIND_ALL"),
      from<&S::proc_bind, KmpAffinityBind>("KMP_AFFINITY")}},
    {"OMP_PLACES",
     "the runtime's choice",
     "The places that threads are bound to.",
     kStandard,
     show<&S::places, Text>,
     {from<&S::places, PlacesText>("OMP_PLACES"),
      from<&S::places, KmpAffinityPlaces>("KMP_AFFINITY"),
      from<&S::places, CpuAffinity>("GOMP_CPU_AFFINITY")}},
    {"KMP_AFFINITY",
     "noreset",
     "With reset the primary thread is bound only while an outermost region of several threads runs.",
     kVerbose,
     show<&S::frees_primary, KmpAffinityReset>,
     {from<&S::frees_primary, KmpAffinityReset>("KMP_AFFINITY")}},
    {"KMP_HW_SUBSET",
     "all CPUs of the process",
     "The part of the machine to use: numbers of packages (s), NUMA nodes (n), groups of threads "
     "that share the last level of cache (ll), cores (c) and threads (t) of each unit around them. "
     "A number left out, or *, is all; @N skips N units; :eff0, :intel_atom and so on name the "
     "kind of core; a colon in front leaves out the layers that are not named.",
     kVerbose,
     show<&S::hw_subset, Text>,
     {from<&S::hw_subset, HwSubsetText>("KMP_HW_SUBSET"),
      from<&S::hw_subset, HwSubsetText>("KMP_PLACE_THREADS")}},
    {"VICINO_RANKS",
     "auto",
     "Whether each rank of an MPI program takes its share of the CPUs if its launcher has not bound "
     "it: auto, or off. It does not if OMP_PLACES is set or OMP_PROC_BIND is false.",
     kVerbose,
     show<&S::ranks, Choice<SharingWords>>,
     {from<&S::ranks, Choice<SharingWords>>("VICINO_RANKS")}},
    {"VICINO_SHARE",
     "0/1",
     "Which of several equal users of this machine the program is: 1/4 takes the second quarter of "
     "the CPUs, as a rank of an MPI program does. It is stronger than what a launcher says.",
     kVerbose,
     show<&S::share, ShareText>,
     {from<&S::share, ShareText>("VICINO_SHARE")}},
    {"VICINO_LEND",
     "false",
     "Whether ranks of an MPI program lend their cores to each other while they wait. A team may then "
     "have as many threads as the ranks of this machine have CPUs, and gets those of its rank's share "
     "and one for each core that is lent. Nothing is lent if OMP_PLACES, OMP_PROC_BIND or "
     "KMP_HW_SUBSET is set.",
     kVerbose,
     show<&S::lend, Flag>,
     {from<&S::lend, Flag>("VICINO_LEND")}},
    {"VICINO_MPI",
     "auto",
     "Whether vicino run loads a library into programs that use Open MPI or MPICH that sees how long "
     "each call waits for other processes: auto, or off.",
     kVerbose,
     show<&S::mpi, Choice<MpiLayerWords>>,
     {from<&S::mpi, Choice<MpiLayerWords>>("VICINO_MPI")}},
    {"VICINO_MACHINE",
     "the machine that the program runs on",
     "A recorded machine (hwloc XML) to use instead of the real one; threads are not bound then.",
     kVerbose,
     show<&S::machine_file, Text>,
     {from<&S::machine_file, FileName>("VICINO_MACHINE"),
      from<&S::machine_file, FileName>("HWLOC_XMLFILE")}},

    // Loops
    {"OMP_SCHEDULE",
     "auto, which leaves the choice to Vicino for each loop",
     "Schedule of loops that say schedule(runtime).",
     kStandard,
     show<&S::run_schedule, ScheduleText>,
     {from<&S::run_schedule, ScheduleText>("OMP_SCHEDULE"),
      from<&S::run_schedule, ScheduleText>("OMP_SCHEDULE_ALL")}},
    {"VICINO_SCHEDULE",
     "each loop's own schedule",
     "The schedule of all loops but those that say static or nothing, sections, loops of Vicino's headers that name one, "
     "and loops whose chunks must come in order if the schedule cannot do that.",
     kVerbose,
     show<&S::vicino_schedule, SchedulerText>,
     {from<&S::vicino_schedule, SchedulerText>("VICINO_SCHEDULE")}},
    {"VICINO_CONFIG",
     "none",
     "Schedules for single loops, by file, line or function; stronger than VICINO_SCHEDULE. And "
     "libraries whose regions may have fewer threads.",
     kVerbose,
     show<&S::config_file, Text>,
     {from<&S::config_file, RulesFile>("VICINO_CONFIG")}},
    {"VICINO_STATIC",
     "auto",
     "How static loops without a chunk that clang or flang compiled are cut: equal, in equal "
     "blocks; kinds, by the speeds that the kinds of cores were seen to have, where a team has "
     "several; auto, as kinds on a machine with one NUMA node, unless reductions must be "
     "deterministic, else as equal; measured, in blocks that took equally long when the loop last ran; "
     "tuned, in either way and with as many threads as proved best.",
     kVerbose,
     show<&S::static_loops, Choice<StaticWords>>,
     {from<&S::static_loops, Choice<StaticWords>>("VICINO_STATIC")}},
    {"VICINO_EXPLORE",
     "true",
     "Whether the tuner tries schedules, numbers of threads and steal policies and keeps what is "
     "best; if not, loops of schedule(auto) are static, and taskloops and regions have all "
     "threads.",
     kVerbose,
     show<&S::explore, Flag>,
     {from<&S::explore, Flag>("VICINO_EXPLORE")}},
    {"VICINO_THREAD_STEP",
     "a NUMA node's share of the team; for a team that fits into one, a quarter of the team",
     "The step between the numbers of threads that the tuner tries; more than half of a team "
     "counts as half; 0 leaves it to the machine.",
     kVerbose,
     show<&S::thread_step, Natural>,
     {from<&S::thread_step, Natural>("VICINO_THREAD_STEP")}},
    {"VICINO_OBJECTIVE",
     "time",
     "What the tuner minimises for loops, taskloops and regions. If the kernel does not grant the "
     "counter, one line says so and time is used.",
     kVerbose,
     show<&S::objective, Choice<ObjectiveWords>>,
     {from<&S::objective, Choice<ObjectiveWords>>("VICINO_OBJECTIVE")}},
    {"VICINO_EXPLAIN",
     "false",
     "Tells when the program ends what the tuner tried for each loop, taskloop, region and "
     "automatic task graph, what it chose, and why.",
     kVerbose,
     show<&S::explain, ExplainText>,
     {from<&S::explain, ExplainText>("VICINO_EXPLAIN")}},
    {"VICINO_PROFILE",
     "none",
     "Keeps what the tuner learnt: the file is read at the start, and added to when the program "
     "ends.",
     kVerbose,
     show<&S::profile, Text>,
     {from<&S::profile, FileName>("VICINO_PROFILE")}},
    {"VICINO_PROCESS",
     "none",
     "The number of the process that tells if it has nothing to explain, to report or to add to "
     "the profile, even if it has not used OpenMP; vicino run and vicino explain set it.",
     kVerbose,
     show<&S::process, Natural>,
     {from<&S::process, Natural>("VICINO_PROCESS")}},

    // Waiting
    {"OMP_WAIT_POLICY",
     "learned: threads spin as long as spinning recently paid, then sleep; at once while other "
     "processes want the CPUs",
     "Whether waiting threads should spin (active) or sleep (passive).",
     kStandard,
     show<&S::wait_policy, Choice<WaitPolicyWords>>,
     {from<&S::wait_policy, Choice<WaitPolicyWords>>("OMP_WAIT_POLICY"),
      from<&S::wait_policy, Choice<WaitPolicyWords>>("OMP_WAIT_POLICY_ALL"),
      from<&S::wait_policy, Choice<LibraryWords>>("KMP_LIBRARY")}},
    {"KMP_BLOCKTIME",
     "follows OMP_WAIT_POLICY",
     "How long a waiting thread spins before it sleeps; a spin counts as 10 ns.",
     kVerbose,
     show<&S::blocktime_ns, BlockTime>,
     {from<&S::blocktime_ns, BlockTime>("KMP_BLOCKTIME"),
      from<&S::blocktime_ns, SpinCount>("GOMP_SPINCOUNT")}},
    {"OMP_CANCELLATION",
     "false",
     "Whether the cancel construct has an effect.",
     kStandard,
     show<&S::cancellation, Flag>,
     {from<&S::cancellation, Flag>("OMP_CANCELLATION")}},

    // Reductions
    {"VICINO_DETERMINISTIC_REDUCTION",
     "false",
     "Whether reductions combine in one order, so that a run repeats to the last bit.",
     kVerbose,
     show<&S::deterministic_reduction, Flag>,
     {from<&S::deterministic_reduction, Flag>("VICINO_DETERMINISTIC_REDUCTION"),
      from<&S::deterministic_reduction, Flag>("KMP_DETERMINISTIC_REDUCTION")}},
    {"KMP_FORCE_REDUCTION",
     "the runtime's choice",
     "The method of all reductions, where the compiler offers it.",
     kVerbose,
     show<&S::force_reduction, Choice<ReductionWords>>,
     {from<&S::force_reduction, Choice<ReductionWords>>("KMP_FORCE_REDUCTION")}},

    // Tasks, devices, memory
    {"VICINO_TASKS",
     "dfwsrpt",
     "Where explicit tasks wait and in which order threads look for them.",
     kVerbose,
     show<&S::task_scheduler, TaskSchedulerText>,
     {from<&S::task_scheduler, TaskSchedulerText>("VICINO_TASKS")}},
    {"VICINO_TASK_CALLS",
     "short",
     "Which new tasks run at once, as a call, instead of waiting for a thread: those of a thread "
     "that has many waiting, and short ones, if no thread looks for a task; none; all; or some at "
     "random, by the seed given. All and a seed are for tests and comparisons. A task that may not "
     "be a call never is one. KMP_ENABLE_TASK_THROTTLING=false means none, and true short.",
     kVerbose,
     show<&S::task_calls, TaskCallsText>,
     {from<&S::task_calls, TaskCallsText>("VICINO_TASK_CALLS"),
      from<&S::task_calls, ThrottlingFlag>("KMP_ENABLE_TASK_THROTTLING")}},
    {"VICINO_COARSEN",
     "as the program says",
     "How task graphs of vicino/graph.h are coarsened, in the place of each coarse string that the "
     "program gives.",
     kVerbose,
     show<&S::coarsen, CoarseText>,
     {from<&S::coarsen, CoarseText>("VICINO_COARSEN")}},
    {"VICINO_TASKLOOP",
     "ilan",
     "How taskloops are divided: flat; hierarchical, where each NUMA node gets the part that a "
     "static loop gives to its threads; ilan, as hierarchical, with the threads, nodes and steal "
     "policy that proved best.",
     kVerbose,
     show<&S::taskloop, Choice<TaskloopWords>>,
     {from<&S::taskloop, Choice<TaskloopWords>>("VICINO_TASKLOOP")}},
    {"VICINO_TASKGRAPH",
     "off",
     "Tasks with depend clauses that a thread generates again and again in the same order: off runs "
     "them one by one; site recognises them by their place in the program and their dependences, "
     "and runs them as a coarsened graph.",
     kVerbose,
     show<&S::taskgraph, Choice<TaskgraphWords>>,
     {from<&S::taskgraph, Choice<TaskgraphWords>>("VICINO_TASKGRAPH")}},
    {"OMP_MAX_TASK_PRIORITY",
     "0",
     "The largest value of a task's priority clause that makes a difference.",
     kStandard,
     show<&S::max_task_priority, Natural>,
     {from<&S::max_task_priority, Limit<0>>("OMP_MAX_TASK_PRIORITY")}},
    {"OMP_DEFAULT_DEVICE",
     "0",
     "Device of target constructs that name none. Without libomptarget the host stands in for any.",
     kStandard,
     [](const S& settings) { return Natural::format(settings.default_device.value_or(0)); },
     {from<&S::default_device, Natural>("OMP_DEFAULT_DEVICE")}},
    {"OMP_TARGET_OFFLOAD",
     "default",
     "Target constructs where there is no device: default and disabled run them on the host; "
     "mandatory ends the program.",
     kStandard,
     show<&S::target_offload, Choice<OffloadWords>>,
     {from<&S::target_offload, Choice<OffloadWords>>("OMP_TARGET_OFFLOAD")}},
    {"OMP_ALLOCATOR",
     "omp_default_mem_alloc",
     "Allocator of allocations that name none.",
     kStandard,
     show<&S::allocator, AllocatorText>,
     {from<&S::allocator, AllocatorText>("OMP_ALLOCATOR")}},
    {"VICINO_PAGES",
     "auto",
     "Pages that one thread filled, where a team's threads belong to several NUMA nodes: auto, they "
     "are moved if the program gains by it; off, they stay; blocks or interleave, they are placed "
     "so at once.",
     kVerbose,
     show<&S::pages, Choice<PagesWords>>,
     {from<&S::pages, Choice<PagesWords>>("VICINO_PAGES")}},

    // Tools
    {"OMP_TOOL",
     "enabled",
     "Whether performance tools (OMPT) are looked for.",
     kStandard,
     show<&S::tool, Enabled>,
     {from<&S::tool, Enabled>("OMP_TOOL")}},
    {"OMP_TOOL_LIBRARIES",
     "none",
     "Libraries in which to look for a tool.",
     kStandard,
     show<&S::tool_libraries, Text>,
     {from<&S::tool_libraries, FileList>("OMP_TOOL_LIBRARIES")}},
    {"OMP_TOOL_VERBOSE_INIT",
     "disabled",
     "Where to report how tools were looked for.",
     kStandard,
     show<&S::tool_verbose_init, VerboseInit>,
     {from<&S::tool_verbose_init, VerboseInit>("OMP_TOOL_VERBOSE_INIT")}},

    // What is shown
    {"OMP_DISPLAY_ENV",
     "false",
     "Prints the settings when they are read, or when the program ends if nothing has used OpenMP; "
     "verbose also says where each came from.",
     kStandard,
     show<&S::display_env, DisplayEnvWord>,
     {from<&S::display_env, DisplayEnvWord>("OMP_DISPLAY_ENV")}},
    {"KMP_SETTINGS",
     "false",
     "Prints, when OMP_DISPLAY_ENV would, the variables that are set, and then all settings as they hold.",
     kVerbose,
     show<&S::lists_settings, Flag>,
     {from<&S::lists_settings, Flag>("KMP_SETTINGS")}},
    {"OMP_DISPLAY_AFFINITY",
     "false",
     "Prints where each thread sits when that changes.",
     kStandard,
     show<&S::display_affinity, Flag>,
     {from<&S::display_affinity, Flag>("OMP_DISPLAY_AFFINITY")}},
    {"OMP_AFFINITY_FORMAT",
     kDefaultAffinityFormat,
     "What OMP_DISPLAY_AFFINITY prints for a thread; fields begin with %.",
     kStandard,
     show<&S::affinity_format, FormatText>,
     {from<&S::affinity_format, FormatText>("OMP_AFFINITY_FORMAT")}},
    {"VICINO_STATS",
     "false",
     "Counts what each thread does, and tells it when the program ends.",
     kVerbose,
     show<&S::stats, StatsText>,
     {from<&S::stats, StatsText>("VICINO_STATS")}},
    {"VICINO_REPORT",
     "false",
     "Tells when the program ends which OpenMP runtimes were in the process, which of them ran "
     "parallel regions, how many, of how many threads and how long, how much of that time the threads "
     "worked for the program, and where they were bound.",
     kVerbose,
     show<&S::report, StatsText>,
     {from<&S::report, StatsText>("VICINO_REPORT")}},
    {"VICINO_TRACE",
     "false",
     "Writes what each thread did and when, for Perfetto's viewer: regions, loops with their chunks, "
     "tasks, waits, locks and the tuner's choices. Other processes than the first write files of their "
     "own, with their number in the name. The trace is a tool (OMPT), in the place of the program's own.",
     kVerbose,
     show<&S::trace, TraceText>,
     {from<&S::trace, TraceText>("VICINO_TRACE")}},
    {"VICINO_JOB_REPORT",
     "false",
     "Tells when an MPI program ends under vicino run, in one report of all ranks, how long each "
     "computed and waited, and at which calls. All ranks must have it, or none.",
     kVerbose,
     show<&S::job_report, JobReportText>,
     {from<&S::job_report, JobReportText>("VICINO_JOB_REPORT")}},
    {"KMP_WARNINGS",
     "true",
     "Whether the library warns, for example of a setting that it cannot read.",
     kVerbose,
     show<&S::warnings, Flag>,
     {from<&S::warnings, Flag>("KMP_WARNINGS")}},
    {"KMP_VERSION",
     "false",
     "Prints the library's name and version when the settings are read, as OMP_DISPLAY_ENV does.",
     kVerbose,
     show<&S::version, Flag>,
     {from<&S::version, Flag>("KMP_VERSION")}},
};
static_assert(std::size(kRows) <= kMaxSettings);

constexpr std::string_view kMachine = "the machine is read from /sys; see VICINO_MACHINE";
constexpr std::string_view kWaiting = "waiting is learned; see OMP_WAIT_POLICY and KMP_BLOCKTIME";
constexpr std::string_view kBarriers = "barriers follow the machine's caches and nodes";
constexpr std::string_view kLoops = "see OMP_SCHEDULE and VICINO_SCHEDULE";
constexpr std::string_view kTasks = "Vicino schedules tasks in its own way";
constexpr std::string_view kTeams = "use OMP_NUM_TEAMS, OMP_TEAMS_THREAD_LIMIT and OMP_PROC_BIND";
constexpr std::string_view kHelpers = "there are no hidden helper threads";
constexpr std::string_view kInside = "it sets something inside libomp that is not in Vicino";

constexpr WithoutEffect kWithoutEffect[] = {
    {"KMP_HIDDEN_HELPER_AFFINITY", kHelpers},
    {"KMP_TOPOLOGY_METHOD", kMachine},
    {"KMP_CPUINFO_FILE", kMachine},
    {"KMP_DUPLICATE_LIB_OK", "one Vicino serves every library of the process"},
    {"KMP_INIT_AT_FORK", "a forked child always gets a team of its own"},
    {"KMP_INHERIT_FP_CONTROL", "members of a region always take over their primary thread's floating-point control"},
    {"KMP_HANDLE_SIGNALS", "the library installs no signal handlers"},
    {"KMP_DYNAMIC_MODE", "OMP_DYNAMIC goes by the CPUs, the quota and other processes"},
    {"KMP_LOAD_BALANCE_INTERVAL", "OMP_DYNAMIC goes by the CPUs, the quota and other processes"},
    {"KMP_HOT_TEAMS_MAX_LEVEL", "teams of all levels stay together between parallel regions"},
    {"KMP_HOT_TEAMS_MODE", "threads that a smaller team does not need are kept and sleep"},
    {"KMP_NESTING_MODE", "use OMP_NUM_THREADS with a value for each level"},
    {"KMP_TEAMS_PROC_BIND", kTeams},
    {"KMP_TEAMS_THREAD_LIMIT", kTeams},
    {"KMP_SCHEDULE", kLoops},
    {"KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE", "write the monotonic modifier in the schedule clause"},
    {"KMP_DISP_NUM_BUFFERS", kLoops},
    {"KMP_PLAIN_BARRIER", kBarriers},
    {"KMP_PLAIN_BARRIER_PATTERN", kBarriers},
    {"KMP_FORKJOIN_BARRIER", kBarriers},
    {"KMP_FORKJOIN_BARRIER_PATTERN", kBarriers},
    {"KMP_REDUCTION_BARRIER", kBarriers},
    {"KMP_REDUCTION_BARRIER_PATTERN", kBarriers},
    {"KMP_USE_YIELD", kWaiting},
    {"KMP_SPIN_BACKOFF_PARAMS", kWaiting},
    {"KMP_TPAUSE", kWaiting},
    {"KMP_USER_LEVEL_MWAIT", kWaiting},
    {"KMP_MWAIT_HINTS", kWaiting},
    {"KMP_TASKING", kTasks},
    {"KMP_TASK_STEALING_CONSTRAINT", kTasks},
    {"KMP_TASKLOOP_MIN_TASKS", kTasks},
    {"LIBOMP_USE_HIDDEN_HELPER_TASK", kHelpers},
    {"LIBOMP_NUM_HIDDEN_HELPER_THREADS", kHelpers},
    {"KMP_LOCK_KIND", kInside},
    {"KMP_ADAPTIVE_LOCK_PROPS", kInside},
    {"KMP_NUM_LOCKS_IN_BLOCK", kInside},
    {"KMP_CONSISTENCY_CHECK", kInside},
    {"KMP_STORAGE_MAP", kInside},
    {"KMP_GTID_MODE", kInside},
    {"KMP_ATOMIC_MODE", kInside},
    {"KMP_MALLOC_POOL_INCR", kInside},
    {"KMP_ALIGN_ALLOC", kInside},
    {"KMP_STACKOFFSET", kInside},
    {"KMP_STACKPAD", kInside},
    {"KMP_ALL_THREADPRIVATE", kInside},
    {"KMP_FOREIGN_THREADS_THREADPRIVATE", kInside},
    {"KMP_ABORT_DELAY", kInside},
    {"KMP_FORKJOIN_FRAMES", kInside},
    {"KMP_FORKJOIN_FRAMES_MODE", kInside},
    {"KMP_ITT_PREPARE_DELAY", kInside},
    {"OMP_DEBUG", "Vicino has no library for debuggers (OMPD)"},
    {"GOMP_DEBUG", "Vicino has no debugging output of libgomp's kind"},
};
static_assert(std::size(kWithoutEffect) <= 64, "Settings::without_effect has a bit for each");

}  // namespace

std::span<const Row> rows() noexcept { return kRows; }

std::span<const WithoutEffect> variables_without_effect() noexcept { return kWithoutEffect; }

}  // namespace vicino::config
