// report.hpp: VICINO_REPORT: what OpenMP did in a process, for its users.
//
// Why    "Does it run on Vicino at all, and on how many threads?" is the first question about a
//        program by others. The answer needs the loaded libraries, the regions and the settings in
//        one place, from each process of a program that starts others.
// How    A process that ends by exit() or by returning from main() writes its report in one write,
//        so that the reports of several processes do not mix. A process that has not used OpenMP
//        writes none, unless it is the one that `vicino run --report` became.
// Not    for processes that end by _exit(), by a signal or by becoming another program: no code of
//        a library runs then.
#pragma once

#include <string>
#include <vector>

#include "event/useful.hpp"
#include "region/foreign.hpp"
#include "site/counts.hpp"

namespace vicino::region {

struct Report {
  int process = 0;
  std::string program;
  double seconds = 0;  // since the process was started; 0: unknown
  std::string vicino;  // the library's file
  std::vector<ForeignRuntime> foreign;
  uint64_t all_regions = 0;
  std::vector<site::RegionSum> regions;
  event::Use use;
  std::vector<std::string> places;  // of use.constructs
  int cpus = 0;                     // that a team may use; 0: OpenMP was not used
  std::vector<std::string> settings;
  std::string binding;
  bool bound_by_another = false;
  std::vector<std::string> remarks;  // Vicino's decisions and advice
};

// The report of this process, as it is now.
Report report_now();

// When the process ends: writes the report to standard error or into a file, if VICINO_REPORT says
// so.
void report_if_asked();

std::string as_text(const Report& report);
std::string as_json(const Report& report);

}  // namespace vicino::region
