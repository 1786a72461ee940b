#include "traced_run.hpp"

#include "run.hpp"
#include "say.hpp"

namespace vicino::cli {

int TracedRun::run(const Words& program) const {
  return run_beside("report", program, "VICINO_TRACE", folder_.path() / "trace.pftrace");
}

TracedRun::Traces TracedRun::traces(int failure_status) const {
  Traces found;
  uintmax_t largest_size = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    const uintmax_t size = file.file_size();
    if (size == 0) continue;
    if (!found.largest.empty()) ++found.others;
    if (size <= largest_size) continue;
    largest_size = size;
    found.largest = file.path();
  }
  if (found.largest.empty()) throw Failure(failure_status, "report: the program has left no trace");
  return found;
}

}  // namespace vicino::cli
