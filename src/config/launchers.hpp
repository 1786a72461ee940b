// launchers.hpp: what the launcher of an MPI or PyTorch program has told this process of the ranks beside it.
//
// Why    MPI can be asked only after MPI_Init(), and by a program that is linked with it. Launchers
//        tell the same by environment variables, before the program begins.
// Not    SLURM_NTASKS_PER_NODE and SLURM_TASKS_PER_NODE: they belong to the job, and a batch script
//        has them too, though it is one process.
//        PMIx: PMIX_RANK tells the rank in the whole program. The number of ranks on the machine
//        (PMIX_LOCAL_SIZE) is a key of its library's interface, not a variable. Launchers that speak
//        PMIx and tell more are in the table: Open MPI's mpirun, and srun.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/environment.hpp"
#include "config/settings.hpp"
#include "lend/job.hpp"
#include "topo/ranks.hpp"

namespace vicino::config {

// The share that VICINO_SHARE names, if it is not all of the machine.
std::optional<topo::Ranks> ranks_by(const Share& share);

// The ranks of the first launcher that has set both of its variables well. Variables that make no
// sense add a warning, and count as not set. Pure.
std::optional<topo::Ranks> find_ranks(const Environment& environment,
                                      std::vector<std::string>& warnings);

// What this launcher, one of those that find_ranks() knows, tells of the job. Pure.
lend::Job find_job(const Environment& environment, std::string_view launcher);

// Why this process lends no cores to other ranks, to be read after "because "; empty if these settings
// allow it.
std::string why_not_lent(const Settings& settings, const std::optional<topo::Ranks>& ranks);

// Why this process does not share the machine with other ranks, to be read after "because "; empty
// if these settings allow it.
std::string why_not_shared(const Settings& settings);

}  // namespace vicino::config
