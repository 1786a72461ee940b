#include "config/launchers.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "config/text.hpp"

namespace vicino::config {
namespace {

constexpr int kMostRanks = Share::kMost;  // on one machine

// How many numbers a comma-separated list has; none if it has something else.
std::optional<std::uint64_t> count_of_list(std::string_view text) noexcept {
  std::uint64_t count = 0;
  const bool good = for_each_item(text, [&](std::string_view item) {
    ++count;
    return parse_digits(item).has_value();
  });
  return good ? std::optional(count) : std::nullopt;
}

struct Launcher {
  std::string_view name;  // for people
  std::string_view size;  // the variable that tells how many ranks are on this machine
  std::string_view rank;  // the variable that tells which of them this is, from 0 on
  std::optional<std::uint64_t> (*parse_size)(std::string_view);
  std::string_view accepted;  // of `size`
  // The variables that together name the job; or, where there are none, what the name of the process
  // begins with that starts the ranks of a machine (lend/job.hpp).
  std::array<std::string_view, 2> job;
  std::string_view starter;
};

constexpr std::string_view kCount = "a positive integer";

constexpr Launcher kLaunchers[] = {
    // torchrun of PyTorch, and the launchers of accelerate and DeepSpeed, in each of their workers. It comes first: in a
    // job of another launcher, that one has started torchrun alone on each machine. Unless told otherwise it also
    // says OMP_NUM_THREADS=1.
    {"torchrun",
     "LOCAL_WORLD_SIZE",
     "LOCAL_RANK",
     parse_digits,
     kCount,
     {"TORCHELASTIC_RUN_ID", "MASTER_PORT"},
     {}},
    // mpirun of Open MPI sets these in each rank ("Environment variables set for MPI applications"
    // in its manual): the ranks of this job on this machine, and the rank's number among them. A rank
    // that mpirun has started within a job of Slurm has variables of both; these are right. Release 4
    // numbers its jobs, with mpirun's number in them; release 5 names them as PMIx does.
    {"Open MPI",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK",
     parse_digits,
     kCount,
     {"OMPI_MCA_ess_base_jobid", "PMIX_NAMESPACE"},
     {}},
    // Hydra is the mpiexec of MPICH and of what is made from it, such as Intel MPI. Its proxy, one on
    // each machine, tells each rank that it starts how many it starts, and the rank's number among
    // them. No variable names the job; the proxies are hydra_pmi_proxy and hydra_bstrap_proxy.
    {"Hydra (MPICH, Intel MPI)",
     "MPI_LOCALNRANKS",
     "MPI_LOCALRANKID",
     parse_digits,
     kCount,
     {},
     "hydra_"},
    // mpirun_rsh of MVAPICH2; its process on each machine, mpispawn, sets these.
    {"MVAPICH2",
     "MV2_COMM_WORLD_LOCAL_SIZE",
     "MV2_COMM_WORLD_LOCAL_RANK",
     parse_digits,
     kCount,
     {},
     "mpispawn"},
    // slurmstepd sets these in each task that it starts: the numbers, in the whole step, of the
    // step's tasks on this machine, as in 4,5,6,7, and the task's number among those on this machine.
    // A batch script is the only task of a step of its own, and so is the shell of salloc, so that
    // both have one rank.
    {"Slurm",
     "SLURM_GTIDS",
     "SLURM_LOCALID",
     count_of_list,
     "a comma-separated list of integers",
     {"SLURM_JOB_ID", "SLURM_STEP_ID"},
     {}},
};

std::optional<std::string_view> value_of(const Environment& environment, std::string_view name) {
  for (const char* entry : environment.entries()) {
    const std::string_view text(entry);
    if (text.starts_with(name) && text.substr(name.size()).starts_with('='))
      return text.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::string complaint(std::string_view variable, std::string_view value,
                      std::string_view accepted) {
  return std::string(variable)
      .append("=")
      .append(quoted(value))
      .append(": not ")
      .append(accepted)
      .append("; taking no share of the machine by it");
}

std::optional<topo::Ranks> ranks_of(const Launcher& launcher, std::string_view size,
                                    std::string_view rank, std::vector<std::string>& warnings) {
  const auto ranks = launcher.parse_size(size);
  if (!ranks || *ranks == 0 || *ranks > kMostRanks) {
    warnings.push_back(complaint(launcher.size, size, launcher.accepted));
    return std::nullopt;
  }
  const auto number = parse_digits(rank);
  if (!number || *number >= *ranks) {
    const std::string accepted = "an integer from 0 to " + std::to_string(*ranks - 1) + " (" +
                                 std::string(launcher.size) + "=" + quoted(size) + ")";
    warnings.push_back(complaint(launcher.rank, rank, accepted));
    return std::nullopt;
  }
  return topo::Ranks{std::string(launcher.name), static_cast<int>(*number),
                     static_cast<int>(*ranks)};
}

std::string says_where(const Settings& settings, std::string_view name) {
  return std::string(variable_of(settings, name)) + " says where threads run";
}

}  // namespace

std::optional<topo::Ranks> ranks_by(const Share& share) {
  if (share.of == 1) return std::nullopt;
  return topo::Ranks{"VICINO_SHARE", share.number, share.of};
}

std::optional<topo::Ranks> find_ranks(const Environment& environment,
                                      std::vector<std::string>& warnings) {
  for (const Launcher& launcher : kLaunchers) {
    const auto size = value_of(environment, launcher.size);
    if (!size) continue;
    const auto rank = value_of(environment, launcher.rank);
    if (!rank) continue;
    if (auto ranks = ranks_of(launcher, *size, *rank, warnings)) return ranks;
  }
  return std::nullopt;
}

lend::Job find_job(const Environment& environment, std::string_view launcher) {
  const auto its = std::ranges::find(kLaunchers, launcher, &Launcher::name);
  if (its == std::end(kLaunchers)) return {};
  lend::Job job{{}, std::string(its->starter)};
  for (const std::string_view variable : its->job)
    if (const auto value = value_of(environment, variable); value && !variable.empty())
      job.text.append(variable).append("=").append(*value).append("\n");
  return job;
}

std::string why_not_lent(const Settings& settings, const std::optional<topo::Ranks>& ranks) {
  if (!ranks) return "no launcher of an MPI program has told of other ranks";
  if (ranks->size == 1) return "there is one rank on this machine";
  if (std::string why = why_not_shared(settings); !why.empty()) return why;
  if (!settings.proc_bind.empty()) return says_where(settings, "OMP_PROC_BIND");
  if (!settings.hw_subset.empty()) return "KMP_HW_SUBSET says which CPUs threads have";
  return {};
}

std::string why_not_shared(const Settings& settings) {
  if (settings.ranks == Sharing::kOff) return "VICINO_RANKS is off";
  if (!settings.machine_file.empty()) return "VICINO_MACHINE names another machine";
  if (!settings.places.empty()) return says_where(settings, "OMP_PLACES");
  if (settings.proc_bind == std::vector{topo::Bind::kFalse})
    return std::string(variable_of(settings, "OMP_PROC_BIND")) + " lets threads run anywhere";
  return {};
}

}  // namespace vicino::config
