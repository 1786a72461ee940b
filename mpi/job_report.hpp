// job_report.hpp: VICINO_JOB_REPORT: one report of all ranks, written by rank 0.
//
// How    At the begin of MPI_Finalize the ranks send their times to rank 0, on a communicator of
//        its own, by the PMPI functions. So all ranks of a job must have the setting, or none;
//        launchers give all ranks the same environment.
// Not    for jobs that end by MPI_Abort() or without MPI_Finalize(): nobody can be asked then.
#pragma once

#include <cstdint>

namespace vicino::pmpi {

struct MainTimes {
  uint64_t wall_ns, inside_ns, waiting_ns;
};

// Whether the setting asks for a report. The same in every call.
bool report_is_asked_for() noexcept;

// Collective, between MPI_Init and MPI_Finalize.
void write_job_report(const MainTimes& times);

}  // namespace vicino::pmpi
