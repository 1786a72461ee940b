// Tests of the conditions of `vicino doctor` on made-up facts: machines, policies and neighbours that are not here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "doctor_finding.hpp"
#include "doctor_run.hpp"
#include "doctor_variables.hpp"

namespace vicino::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A machine of two nodes of four CPUs where nothing is wrong.
Surrounding healthy() {
  Surrounding facts;
  facts.cpus = facts.obtainable = CpuSet::range(0, 8);
  facts.nodes = facts.memory_nodes = CpuSet::range(0, 2);
  facts.huge_pages = "madvise";
  facts.clocks = {{.cpus = CpuSet::range(0, 8),
                   .governor = "schedutil",
                   .driver = "acpi-cpufreq",
                   .lowest = 1'500'000,
                   .highest = 3'000'000,
                   .possible = 3'000'000}};
  facts.read_settings();
  return facts;
}

Surrounding with(std::vector<std::pair<std::string, std::string>> variables,
                 Surrounding facts = healthy()) {
  facts.variables = std::move(variables);
  facts.read_settings();
  return facts;
}

std::vector<std::string> found_in(const Surrounding& facts) {
  std::vector<std::string> names;
  for (const Finding& each : findings_of(facts)) names.push_back(each.condition);
  return names;
}

Neighbour copy() {
  return {.process = 12,
          .name = "train",
          .runtime = "libgomp.so.1",
          .threads = 8,
          .cpus = CpuSet::range(0, 8),
          .uses = 5.5};
}

// A program whose run took a second on two threads.
Surrounding with_run(ProgramRun run) {
  Surrounding facts = healthy();
  facts.cpus = facts.obtainable = CpuSet::range(0, 2);
  run.seconds = 1;
  run.cpu_seconds = 2;
  run.cpus = 2;
  facts.program = Program{.command = "./app", .refusal = {}, .library = "/v/libvicino.so"};
  facts.program->linked = {{"libgomp.so.1", "/w/app"}};
  facts.program->run = std::move(run);
  return facts;
}

Meeting meeting(uint64_t executions, std::vector<uint64_t> by_thread, uint64_t longest) {
  Meeting made{.where = "main+0x1 in app",
               .executions = executions,
               .threads = static_cast<int>(by_thread.size())};
  for (const uint64_t each : by_thread) made.work_ns += each;
  made.longest_ns = longest;
  made.by_thread = std::move(by_thread);
  return made;
}

TEST(Doctor, AHealthyMachineHasNoFindings) { EXPECT_THAT(found_in(healthy()), IsEmpty()); }

TEST(Doctor, OneCpuIsToldOnlyIfThereCouldBeMore) {
  Surrounding facts = healthy();
  facts.cpus = CpuSet::of(3);
  facts.nodes = CpuSet::of(0);
  EXPECT_THAT(found_in(facts), ElementsAre("one-cpu"));
  EXPECT_EQ(findings_of(facts)[0].times, 8);
  EXPECT_EQ(findings_of(facts)[0].mend, "taskset -pc 0-7 $$");
  facts.obtainable = facts.cpus;  // a cpuset, which taskset cannot widen
  EXPECT_THAT(found_in(facts), IsEmpty());
  facts.obtainable = CpuSet::range(0, 8);
  facts.quota = 1;
  EXPECT_THAT(found_in(facts), IsEmpty());
  facts.quota = 8;
  facts.is_rank = true;
  EXPECT_THAT(found_in(facts), IsEmpty());
}

TEST(Doctor, ThreadsAreJudgedByTheQuota) {
  Surrounding facts = healthy();
  facts.quota = 1.5;
  facts.quota_group = "/sys/fs/cgroup/job";
  facts.throttled = 5;
  facts.periods = 9;
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "2"}}, facts)), IsEmpty());
  facts = with({{"OMP_NUM_THREADS", "3"}}, facts);
  EXPECT_THAT(found_in(facts), ElementsAre("threads"));
  EXPECT_THAT(findings_of(facts)[0].seen,
              ElementsAre("OMP_NUM_THREADS=3", HasSubstr("1.5 CPUs (/sys/fs/cgroup/job)"),
                          HasSubstr("5 of 9 periods")));
  // Two threads that poll have one and a half CPUs.
  EXPECT_THAT(found_in(with({{"OMP_WAIT_POLICY", "active"}}, facts)), ElementsAre("polling"));
  facts.quota = 2;
  EXPECT_THAT(found_in(with({{"OMP_WAIT_POLICY", "active"}}, facts)), IsEmpty());
}

TEST(Doctor, InnerLevelsMultiplyThreadsIfTheyMayBeActive) {
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "4,4"}})), ElementsAre("threads"));
  EXPECT_EQ(findings_of(with({{"OMP_NUM_THREADS", "4,4"}}))[0].mend, "export OMP_NUM_THREADS=4,2");
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "4,2"}})), IsEmpty());
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "4,4"}, {"OMP_DYNAMIC", "true"}})), IsEmpty());
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "4,4"}, {"OMP_THREAD_LIMIT", "8"}})), IsEmpty());
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "4,4"}, {"OMP_MAX_ACTIVE_LEVELS", "1"}})),
              ElementsAre("contradiction"));
}

TEST(Doctor, PlacesMustHoldTheTeam) {
  Surrounding facts = with({{"OMP_PLACES", "{0:4}"}});
  facts.places = CpuSet::range(0, 4);
  EXPECT_THAT(found_in(facts), ElementsAre("places"));
  EXPECT_EQ(findings_of(facts)[0].times, 2);
  EXPECT_EQ(findings_of(facts)[0].mend, "export OMP_NUM_THREADS=4");
  EXPECT_THAT(found_in(with({{"OMP_PLACES", "{0:4}"}, {"OMP_NUM_THREADS", "4"}}, facts)),
              IsEmpty());
}

TEST(Doctor, NeighboursMatterOnSharedCpusAndWithoutDynamic) {
  Surrounding facts = healthy();
  facts.neighbours = {copy()};
  EXPECT_THAT(found_in(facts), ElementsAre("neighbours"));
  EXPECT_EQ(findings_of(facts)[0].mend, "export OMP_DYNAMIC=true");
  EXPECT_THAT(findings_of(facts)[0].cost, testing::EndsWith("add VICINO_KNOWN=random to try that."));
  EXPECT_THAT(found_in(with({{"OMP_DYNAMIC", "true"}}, facts)), IsEmpty());
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "2"}}, facts)), IsEmpty());
  EXPECT_EQ(findings_of(with({{"OMP_PROC_BIND", "true"}}, facts))[0].mend,
            "unset OMP_PROC_BIND OMP_PLACES; export OMP_DYNAMIC=true");
  facts.neighbours[0].cpus = CpuSet::range(8, 8);
  EXPECT_THAT(found_in(facts), IsEmpty());
  facts.neighbours[0] = copy();
  facts.neighbours[0].uses = 0.3;
  EXPECT_THAT(found_in(facts), IsEmpty());
}

TEST(Doctor, MemoryMustBeOnTheNodesOfTheCpus) {
  Surrounding facts = healthy();
  facts.memory_nodes = CpuSet::of(1);
  facts.memory_policy = "to bind pages";
  EXPECT_THAT(found_in(facts), ElementsAre("memory"));
  EXPECT_EQ(findings_of(facts)[0].mend, "numactl --localalloc COMMAND");
  facts.memory_policy.clear();
  EXPECT_THAT(findings_of(facts)[0].seen[1], HasSubstr("the cpuset allows memory of nodes 1"));
  EXPECT_THAT(findings_of(facts)[0].mend, HasSubstr("node1/cpulist"));
  facts.nodes = CpuSet::of(1);  // threads there, too
  EXPECT_THAT(found_in(facts), IsEmpty());
  facts.nodes = CpuSet::of(0);
  EXPECT_THAT(found_in(facts), ElementsAre("memory"));
}

TEST(Doctor, TheKernelsPagesMatterOnSeveralNodes) {
  Surrounding facts = healthy();
  facts.balancing = true;
  facts.huge_pages = "always";
  EXPECT_THAT(found_in(facts), ElementsAre("balancing", "huge-pages"));
  for (const Finding& each : findings_of(facts)) EXPECT_TRUE(each.is_note) << each.condition;
  {  // What is wrong comes first.
    Surrounding slow = facts;
    slow.clocks[0].highest = 2'000'000;
    EXPECT_THAT(found_in(slow), ElementsAre("clock", "balancing", "huge-pages"));
    EXPECT_FALSE(findings_of(slow)[0].is_note);
  }
  facts.nodes = facts.memory_nodes = CpuSet::of(0);
  EXPECT_THAT(found_in(facts), IsEmpty());
}

TEST(Doctor, APowersavingGovernorIsSlowByItsDriver) {
  Surrounding facts = healthy();
  facts.clocks[0].governor = "powersave";
  EXPECT_THAT(found_in(facts), ElementsAre("clock"));
  EXPECT_EQ(findings_of(facts)[0].times, 2);
  EXPECT_THAT(findings_of(facts)[0].seen[0], HasSubstr("1500 to 3000 MHz"));
  facts.clocks[0].driver = "intel_cpufreq";  // intel_pstate, passive
  EXPECT_THAT(found_in(facts), ElementsAre("clock"));
  for (const char* driver : {"intel_pstate", "amd-pstate-epp"}) {
    facts.clocks[0].driver = driver;
    EXPECT_THAT(found_in(facts), IsEmpty()) << driver;
  }
  facts.clocks[0].highest = 2'000'000;
  EXPECT_THAT(found_in(facts), ElementsAre("clock"));
  EXPECT_EQ(findings_of(facts)[0].times, 1.5);
  facts.clocks[0].cpus = CpuSet::range(8, 4);  // other CPUs
  EXPECT_THAT(found_in(facts), IsEmpty());
}

TEST(Doctor, ARecordedMachineIsJudgedByWhatItTells) {
  Surrounding facts = healthy();
  facts.recorded = facts.balancing = true;
  facts.memory_nodes = CpuSet();
  facts.huge_pages = "always";
  EXPECT_THAT(found_in(facts), IsEmpty());
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "9"}}, facts)), ElementsAre("threads"));
}

TEST(Doctor, TheMostCostlyComesFirst) {
  Surrounding facts =
      with({{"OMP_NUM_THREADS", "16"}, {"OMP_WAIT_POLICY", "active"}, {"OMP_PLACE", "cores"}});
  facts.clocks[0].governor = "powersave";
  EXPECT_THAT(found_in(facts), ElementsAre("clock", "threads", "polling", "misspelt"));
}

TEST(Doctor, NamesAreComparedByTheirLetters) {
  EXPECT_EQ(edits_between("", "ab"), 2u);
  EXPECT_EQ(edits_between("OPM", "OMP"), 1u);
  EXPECT_EQ(edits_between("kitten", "sitting"), 3u);
  EXPECT_EQ(meant_by("OMP_NUM_THREADS"), "");
  EXPECT_EQ(meant_by("OMP_NUM_THREAD"), "OMP_NUM_THREADS");
  EXPECT_EQ(meant_by("OMP_NUM_THREADS_DEV_3"), "");
  EXPECT_EQ(meant_by("OMP_NUM_THREADS_DEV_"), "OMP_NUM_THREADS_ALL");
  EXPECT_EQ(meant_by("MPI_NUM_THREADS"), "");
  EXPECT_EQ(meant_by("VICINO_OF_ANOTHER_PROGRAM"), "");
  EXPECT_EQ(meant_by("PATH"), "");
  EXPECT_EQ(meant_by("OMP"), "");
}

TEST(Doctor, UnevenWorkIsTold) {
  ProgramRun run;
  run.meetings = {meeting(10, {100'000'000, 300'000'000}, 300'000'000)};
  Surrounding facts = with_run(run);
  ASSERT_THAT(found_in(facts), ElementsAre("uneven"));
  EXPECT_NEAR(findings_of(facts)[0].times, 1 / 0.9, 1e-9);
  EXPECT_THAT(findings_of(facts)[0].seen,
              ElementsAre(HasSubstr("10 executions on 2 threads, 30 ms"), HasSubstr("25 %, 75 %"),
                          HasSubstr("100 ms of 300 ms")));
  EXPECT_EQ(
      findings_of(facts)[0].mend,
      "vicino convert --in-place SOURCE.c, or schedule(runtime) by hand in place of its clause");
  facts.program->linked = {{"libgomp.so.1", "/w/app", true}};
  EXPECT_THAT(findings_of(facts)[0].mend, HasSubstr("!$omp do"));
  facts.program->linked = {{"libomp.so.5", "/w/app"}};
  Meeting& uneven = facts.program->run->meetings[0];
  uneven.where = "a b.c:12";
  EXPECT_EQ(
      findings_of(facts)[0].mend,
      "vicino convert --in-place 'a b.c', or schedule(runtime) by hand in place of its clause");
  uneven.where = "solve.F90:12";
  EXPECT_THAT(findings_of(facts)[0].mend, HasSubstr("!$omp do"));
  facts.variables = {{"OMP_SCHEDULE", "static"}};
  EXPECT_THAT(findings_of(facts)[0].mend, HasSubstr("!$omp do"));
  uneven.has_blocks = true;
  EXPECT_THAT(findings_of(facts)[0].mend, StartsWith("OMP_SCHEDULE=auto vicino run"));
  facts.variables = {{"OMP_SCHEDULE", "auto"}};
  EXPECT_THAT(findings_of(facts)[0].mend, HasSubstr("!$omp do"));
  // Uneven by turns: as much is lost.
  facts.program->run->meetings = {meeting(10, {200'000'000, 200'000'000}, 300'000'000)};
  EXPECT_THAT(found_in(facts), ElementsAre("uneven"));
  facts.program->run->meetings[0].is_single = true;
  EXPECT_THAT(found_in(facts), IsEmpty());
  // Pieces that threads take as they come, with other processes on their cores.
  facts.program->run->meetings[0].is_single = false;
  facts.program->run->meetings[0].has_chunks = true;
  EXPECT_THAT(findings_of(facts)[0].mend, StartsWith("vicino run --schedule nich"));
  facts.program->run->remarks = {"other processes wanted the CPUs in 7 of 10 looks"};
  EXPECT_THAT(found_in(facts), ElementsAre("crowded"));
  facts.program->run->remarks.clear();
  facts.program->run->regions = {{.threads = 2, .asked = 2, .alone = true, .regions = 3, .ns = 9}};
  EXPECT_THAT(found_in(facts), IsEmpty());
  facts.program->run->regions.clear();
  // A tenth of its time.
  facts.program->run->meetings = {meeting(10, {400'000'000, 500'000'000}, 500'000'000)};
  EXPECT_THAT(found_in(facts), IsEmpty());
  facts.program->run->meetings = {
      meeting(10, {10'000'000, 30'000'000}, 30'000'000)};  // 1 % of the run
  EXPECT_THAT(found_in(facts), IsEmpty());
}

TEST(Doctor, SmallRegionsAreToldIfThereAreManyAndTheyTakeTime) {
  ProgramRun run;
  run.meetings = {meeting(100'000, {50'000'000, 50'000'000}, 50'000'000)};
  run.regions = {{.threads = 2, .asked = 2, .regions = 100'000, .ns = 100'000'000}};
  EXPECT_THAT(found_in(with_run(run)), ElementsAre("small"));
  run.regions[0].ns = 10'000'000;
  EXPECT_THAT(found_in(with_run(run)), IsEmpty());
  run.regions[0].ns = 100'000'000;
  run.meetings = {meeting(100'000, {250'000'000, 250'000'000}, 250'000'000)};
  EXPECT_THAT(found_in(with_run(run)), IsEmpty());
}

TEST(Doctor, RuntimesAreCountedByFile) {
  Surrounding facts = with_run({});
  EXPECT_THAT(found_in(facts), IsEmpty());
  // A wheel's copy that no library is bound to, in a program that has no other: Python.
  facts.program->run->runtimes = {{.path = "/w/libgomp-a3.so.1", .user = {}, .entry = {}}};
  facts.program->linked.clear();
  EXPECT_THAT(found_in(facts), IsEmpty());
  facts.program->run->runtimes.push_back(
      {.path = "/x/libiomp5.so", .user = "/x/libmkl.so", .entry = "__kmpc_fork_call"});
  EXPECT_THAT(found_in(facts), ElementsAre("runtimes", "foreign"));
  EXPECT_EQ(findings_of(facts)[1].mend,
            "mv /x/libiomp5.so /x/libiomp5.so.own && ln -s /v/libvicino.so /x/libiomp5.so");
}

TEST(Doctor, RegionsAreComparedWithWhatTheyAskFor) {
  ProgramRun run;
  run.regions = {{.threads = 2, .asked = 8, .regions = 5, .ns = 1000}};
  EXPECT_THAT(found_in(with_run(run)), ElementsAre("fewer"));
  EXPECT_THAT(found_in(with({{"OMP_DYNAMIC", "true"}}, with_run(run))), IsEmpty());
  run.remarks = {
      "4 threads were asked for in 9 regions, and fewer were used, as other processes wanted the "
      "CPUs: what is known of "
      "lib_lightgbm allows that"};
  EXPECT_THAT(found_in(with_run(run)), IsEmpty());
  run.remarks.clear();
  run.regions[0].inner = true;
  EXPECT_THAT(found_in(with_run(run)), IsEmpty());
  run.regions = {{.threads = 8, .asked = 8, .by_clause = true, .regions = 5, .ns = 1000}};
  EXPECT_THAT(found_in(with_run(run)), ElementsAre("clause"));
  EXPECT_THAT(found_in(with({{"OMP_NUM_THREADS", "8"}}, with_run(run))), ElementsAre("threads"));
}

TEST(Doctor, AChoiceThatIsForgottenIsToldIfFindingItTookTime) {
  tune::ProfileEntry entry;
  entry.key.objective = "time";
  entry.where = "solve";
  entry.progress = tune::Progress::kSettled;
  entry.by_default = {.with = {"static", 2, {}}, .cost = 100};
  entry.best = {.with = {"guided", 2, {}}, .cost = 60};
  entry.executions = 10;
  entry.iterations = 1000;
  entry.total_ns = 200'000'000;
  entry.explored_ns = 100'000'000;
  ProgramRun run;
  run.learnt = {entry};
  EXPECT_THAT(found_in(with_run(run)), ElementsAre("profile"));
  EXPECT_THAT(findings_of(with_run(run))[0].seen[0], HasSubstr("guided on 2 threads"));
  EXPECT_THAT(found_in(with({{"VICINO_PROFILE", "kept"}}, with_run(run))), IsEmpty());
  run.learnt[0].explored_ns = 1'000'000;
  EXPECT_THAT(found_in(with_run(run)), IsEmpty());
}

TEST(Doctor, RemarksOfACrowdAreTold) {
  ProgramRun run;
  run.remarks = {"40 % of f was static",
                 "other processes wanted the CPUs for 1 s, and so on: OMP_DYNAMIC=true lets"};
  EXPECT_THAT(found_in(with_run(run)), ElementsAre("crowded"));
}

TEST(Doctor, ARunsFilesAreNotTrusted) {
  EXPECT_EQ(read_meeting(""), std::nullopt);
  EXPECT_EQ(read_meeting("10 0 5 1000000000 0 3 3 1 2 /w/app"), std::nullopt);
  EXPECT_EQ(read_meeting("10 0 5 2 0 30 20 10"), std::nullopt);
  const auto good = read_meeting("10 0 5 2 1 30 20 10 20 /w/no such app");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->where, "no such app+0x10");
  EXPECT_EQ(good->code, (CodePlace{"/w/no such app", "", 0xf}));
  EXPECT_TRUE(good->is_single);
  EXPECT_THAT(good->by_thread, ElementsAre(10, 20));
  ProgramRun run;
  EXPECT_FALSE(read_report("", run));
  EXPECT_FALSE(read_report("{\"other_runtimes\": 3}", run));
}

// Folders like /proc and /sys.
class Root {
 public:
  Root() {
    std::string name = (std::filesystem::temp_directory_path() / "vicino-doctor-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Root() { std::filesystem::remove_all(path_); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path_ + file).parent_path());
    std::ofstream(path_ + file) << text;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

topo::Machine two_nodes() {
  topo::Hardware hardware;
  for (int cpu = 0; cpu < 4; ++cpu)
    hardware.pus.push_back({.os_index = cpu,
                            .core = cpu,
                            .cache_group = cpu / 2,
                            .node = cpu / 2,
                            .package = 0,
                            .kind = 0});
  hardware.node_os = {0, 2};
  hardware.package_os = {0};
  hardware.memories = {{.os_index = 0, .bytes = 1, .node = 0, .sort = {}},
                       {.os_index = 2, .bytes = 1, .node = 1, .sort = {}}};
  hardware.online = CpuSet::range(0, 4);
  return topo::Machine(hardware);
}

TEST(Doctor, FactsAreReadFromTheSystemsFiles) {
  const Root root;
  root.write("/proc/self/status", "Name:\tx\nMems_allowed_list:\t0,7\n");
  root.write("/proc/sys/kernel/numa_balancing", "1\n");
  root.write("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  for (int cpu = 0; cpu < 4; ++cpu) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/";
    root.write(folder + "scaling_governor", cpu < 3 ? "powersave\n" : "performance\n");
    root.write(folder + "scaling_driver", "acpi-cpufreq\n");
    root.write(folder + "scaling_min_freq", "800000\n");
    root.write(folder + "scaling_max_freq", "3200000\n");
    root.write(folder + "cpuinfo_max_freq", "3200000\n");
  }
  const std::string own = "/proc/" + std::to_string(getpid()) + "/status";
  root.write(own, "Name:\tx\nPPid:\t5\n");
  root.write("/proc/5/status", "Name:\tshell\nPPid:\t2\nCpus_allowed_list:\t0-3\n");
  root.write("/proc/2/status", "Name:\tslurmstepd\nPPid:\t1\nCpus_allowed_list:\t0-3\n");
  root.write("/proc/1/status", "Name:\tinit\nPPid:\t0\nCpus_allowed_list:\t0-63\n");
  const Surrounding facts = look_around(Environment(), two_nodes(), root.path());
  EXPECT_EQ(facts.nodes.to_list(), "0,2");
  EXPECT_EQ(facts.memory_nodes.to_list(), "0");
  EXPECT_TRUE(facts.balancing);
  EXPECT_EQ(facts.huge_pages, "always");
  ASSERT_EQ(facts.clocks.size(), 2u);
  EXPECT_EQ(facts.clocks[0].cpus.to_list(), "0-2");
  EXPECT_EQ(facts.clocks[0].lowest, 800'000u);
  EXPECT_EQ(facts.bound_since, "process 2 (slurmstepd)");
  EXPECT_THAT(found_in(facts), testing::Contains("clock"));
  EXPECT_THAT(found_in(facts), testing::Contains("memory"));
}

TEST(Doctor, WhatCannotBeReadIsNamed) {
  const Root root;
  const Surrounding facts = look_around(Environment(), two_nodes(), root.path());
  EXPECT_THAT(facts.not_seen,
              ElementsAre(HasSubstr("cpuset"), HasSubstr("balances"), HasSubstr("huge pages"),
                          HasSubstr("other processes"), HasSubstr("governor")));
  EXPECT_EQ(facts.memory_nodes, facts.nodes);
}

}  // namespace
}  // namespace vicino::cli
