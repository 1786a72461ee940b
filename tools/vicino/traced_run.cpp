#include "traced_run.hpp"

#include "run.hpp"
#include "say.hpp"

namespace vicino::cli {

int TracedRun::run(const Words& program) const {
  return run_beside("report", program, "VICINO_TRACE", folder_.path() / "trace.pftrace");
}

TracedRun::Traces TracedRun::traces(int failure_status) const {
  Traces found;
  uintmax_t size = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    if (file.file_size() == 0) continue;
    if (!found.largest.empty()) ++found.others;
    if (file.file_size() <= size) continue;
    size = file.file_size();
    found.largest = file.path();
  }
  if (found.largest.empty()) throw Failure(failure_status, "report: the program has left no trace");
  return found;
}

}  // namespace vicino::cli
