// What launchers of MPI programs say, and what is said of settings that stand against it.
#include <gmock/gmock.h>

#include "config/launchers.hpp"
#include "config_parse.hpp"

namespace vicino::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Found {
  std::optional<topo::Ranks> ranks;
  std::vector<std::string> warnings;
};

Found find(const std::vector<std::string>& variables) {
  std::vector<const char*> entries;
  for (const std::string& variable : variables) entries.push_back(variable.c_str());
  Found found;
  found.ranks = find_ranks(Environment(entries), found.warnings);
  return found;
}

TEST(Launchers, EachHasItsOwnVariables) {
  const struct {
    std::vector<std::string> variables;
    topo::Ranks ranks;
  } kCases[] = {
      {{"OMPI_COMM_WORLD_LOCAL_SIZE=4", "OMPI_COMM_WORLD_LOCAL_RANK=1"}, {"Open MPI", 1, 4}},
      {{"MPI_LOCALRANKID=0", "MPI_LOCALNRANKS=2"}, {"Hydra (MPICH, Intel MPI)", 0, 2}},
      {{"MV2_COMM_WORLD_LOCAL_SIZE=3", "MV2_COMM_WORLD_LOCAL_RANK=2"}, {"MVAPICH2", 2, 3}},
      {{"SLURM_GTIDS=4,5,6,7", "SLURM_LOCALID=3"}, {"Slurm", 3, 4}},
      {{"SLURM_GTIDS=0", "SLURM_LOCALID=0"}, {"Slurm", 0, 1}},  // a batch script
      {{"LOCAL_RANK=2", "LOCAL_WORLD_SIZE=8"}, {"torchrun", 2, 8}},
      {{"SLURM_GTIDS=0", "SLURM_LOCALID=0", "LOCAL_RANK=1", "LOCAL_WORLD_SIZE=2"},
       {"torchrun", 1, 2}},
  };
  for (const auto& each : kCases) {
    const Found found = find(each.variables);
    EXPECT_EQ(found.ranks, each.ranks) << each.ranks.launcher;
    EXPECT_THAT(found.warnings, IsEmpty());
  }
}

TEST(Launchers, JobsAreToldApart) {
  const auto job = [](std::string_view launcher, std::vector<const char*> variables) {
    return find_job(Environment(variables), launcher);
  };
  EXPECT_EQ(job("Open MPI", {"OMPI_MCA_ess_base_jobid=12", "A=1"}).text,
            "OMPI_MCA_ess_base_jobid=12\n");
  EXPECT_EQ(job("Open MPI", {"PMIX_NAMESPACE=prterun-1@1"}).text, "PMIX_NAMESPACE=prterun-1@1\n");
  EXPECT_EQ(job("Slurm", {"SLURM_STEP_ID=3", "SLURM_JOB_ID=7", "SLURM_LOCALID=0"}).text,
            "SLURM_JOB_ID=7\nSLURM_STEP_ID=3\n");
  EXPECT_EQ(job("Hydra (MPICH, Intel MPI)", {"MPI_LOCALRANKID=0"}), (lend::Job{"", "hydra_"}));
  EXPECT_EQ(job("MVAPICH2", {}), (lend::Job{"", "mpispawn"}));
  EXPECT_EQ(job("another", {"SLURM_JOB_ID=7"}), lend::Job());
}

TEST(Launchers, WhatKeepsCoresFromBeingLent) {
  const topo::Ranks two{"Slurm", 0, 2}, one{"Slurm", 0, 1};
  Settings settings;
  EXPECT_EQ(why_not_lent(settings, two), "");
  EXPECT_THAT(why_not_lent(settings, one), HasSubstr("one rank"));
  EXPECT_THAT(why_not_lent(settings, std::nullopt), HasSubstr("no launcher"));
  settings.proc_bind = {topo::Bind::kClose};
  EXPECT_THAT(why_not_lent(settings, two), HasSubstr("OMP_PROC_BIND"));
  settings.proc_bind.clear();
  settings.hw_subset = "1c";
  EXPECT_THAT(why_not_lent(settings, two), HasSubstr("KMP_HW_SUBSET"));
}

TEST(Launchers, MpirunIsRightInAJobOfSlurm) {
  EXPECT_EQ(find({"SLURM_GTIDS=0", "SLURM_LOCALID=0", "OMPI_COMM_WORLD_LOCAL_SIZE=4",
                  "OMPI_COMM_WORLD_LOCAL_RANK=1"})
                .ranks,
            (topo::Ranks{"Open MPI", 1, 4}));
  EXPECT_EQ(
      find({"SLURM_GTIDS=0", "SLURM_LOCALID=0", "MPI_LOCALNRANKS=2", "MPI_LOCALRANKID=1"}).ranks,
      (topo::Ranks{"Hydra (MPICH, Intel MPI)", 1, 2}));
}

TEST(Launchers, NothingFollowsFromOneVariableOrFromThoseOfAJob) {
  for (const std::vector<std::string>& variables : std::vector<std::vector<std::string>>{
           {},
           {"OMPI_COMM_WORLD_LOCAL_SIZE=4"},
           {"OMPI_COMM_WORLD_LOCAL_RANK=4"},
           {"OMPI_COMM_WORLD_LOCAL_SIZE=4", "OMPI_COMM_WORLD_LOCAL_RANKS=1"},
           {"SLURM_LOCALID=0", "SLURM_TASKS_PER_NODE=4(x2)", "SLURM_NTASKS_PER_NODE=4"},
           {"PMIX_RANK=1", "PMIX_NAMESPACE=x"}}) {
    const Found found = find(variables);
    EXPECT_EQ(found.ranks, std::nullopt);
    EXPECT_THAT(found.warnings, IsEmpty());
  }
}

TEST(Launchers, AMalformedValueIsNamedAndNotUsed) {
  const struct {
    std::string size, rank, complaint;
  } kCases[] = {
      {"x", "0", "OMPI_COMM_WORLD_LOCAL_SIZE='x': not a positive integer"},
      {"", "0", "OMPI_COMM_WORLD_LOCAL_SIZE='': not a positive integer"},
      {"0", "0", "OMPI_COMM_WORLD_LOCAL_SIZE='0': not a positive integer"},
      {"-1", "0", "OMPI_COMM_WORLD_LOCAL_SIZE='-1': not a positive integer"},
      {"99999999999999999999", "0", "OMPI_COMM_WORLD_LOCAL_SIZE='99999999999999999999': not"},
      {"4", "4",
       "OMPI_COMM_WORLD_LOCAL_RANK='4': not an integer from 0 to 3 "
       "(OMPI_COMM_WORLD_LOCAL_SIZE='4')"},
      {"4", "-1", "OMPI_COMM_WORLD_LOCAL_RANK='-1': not an integer from 0 to 3"},
      {"4", "1\x1b", "OMPI_COMM_WORLD_LOCAL_RANK='1?': not an integer"},
  };
  for (const auto& each : kCases) {
    const Found found = find(
        {"OMPI_COMM_WORLD_LOCAL_SIZE=" + each.size, "OMPI_COMM_WORLD_LOCAL_RANK=" + each.rank});
    EXPECT_EQ(found.ranks, std::nullopt);
    EXPECT_THAT(found.warnings, ElementsAre(HasSubstr(each.complaint)));
  }
  for (const char* list : {"1,", ",", "1,x", "1(x2)", "1 2"})
    EXPECT_THAT(find({std::string("SLURM_GTIDS=") + list, "SLURM_LOCALID=0"}).warnings,
                ElementsAre(HasSubstr("': not a comma-separated list of integers; taking no")));
}

TEST(Launchers, AMalformedOneDoesNotHideTheNext) {
  const Found found = find({"OMPI_COMM_WORLD_LOCAL_SIZE=x", "OMPI_COMM_WORLD_LOCAL_RANK=0",
                            "SLURM_GTIDS=0,1", "SLURM_LOCALID=1"});
  EXPECT_EQ(found.ranks, (topo::Ranks{"Slurm", 1, 2}));
  EXPECT_THAT(found.warnings, testing::SizeIs(1));
}

TEST(Launchers, AShareIsSaidByHand) {
  EXPECT_EQ(ranks_by(parse_these({}).settings.share), std::nullopt);
  EXPECT_EQ(ranks_by(parse_these({"VICINO_SHARE=3/4"}).settings.share),
            (topo::Ranks{"VICINO_SHARE", 3, 4}));
  for (const std::string wrong : {"4/4", "4", "/", "1/", "/2", "-1/2", "0/0", "1/2/3", "0/2000000"})
    EXPECT_THAT(parse_these({"VICINO_SHARE=" + wrong}).warnings,
                ElementsAre("VICINO_SHARE='" + wrong +
                            "': not one share of several, counted from 0, as in 0/4 or 3/4; using "
                            "the default: 0/1"));
}

TEST(Launchers, SettingsThatSayWhereThreadsRunAreStronger) {
  const auto why = [](std::initializer_list<std::string> variables) {
    return why_not_shared(parse_these(variables).settings);
  };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({"OMP_NUM_THREADS=3"}), "");
  EXPECT_EQ(why({"OMP_PROC_BIND=close"}), "");
  EXPECT_EQ(why({"VICINO_RANKS=auto"}), "");
  EXPECT_EQ(why({"VICINO_RANKS=off"}), "VICINO_RANKS is off");
  EXPECT_THAT(why({"OMP_PLACES=cores"}), HasSubstr("OMP_PLACES"));
  EXPECT_EQ(why({"GOMP_CPU_AFFINITY=0 1"}), "GOMP_CPU_AFFINITY says where threads run");
  EXPECT_EQ(why({"KMP_AFFINITY=scatter"}), "KMP_AFFINITY says where threads run");
  EXPECT_THAT(why({"OMP_PROC_BIND=false"}), HasSubstr("OMP_PROC_BIND"));
  EXPECT_THAT(why({"VICINO_MACHINE=m.xml"}), HasSubstr("VICINO_MACHINE"));
  EXPECT_THAT(parse_these({"VICINO_RANKS=4"}).warnings,
              ElementsAre("VICINO_RANKS='4': not auto or off; using the default: auto"));
}

}  // namespace
}  // namespace vicino::config
