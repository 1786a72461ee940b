#include "traced_run.hpp"

#include "run.hpp"
#include "say.hpp"

namespace vicino::cli {

int TracedRun::run(const Words& program) const {
  return run_beside("report", program, "VICINO_TRACE", folder_.path() / "trace.pftrace");
}

std::filesystem::path TracedRun::trace(int failure_status) const {
  std::filesystem::path largest;
  uintmax_t size = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    if (file.file_size() <= size) continue;
    size = file.file_size();
    largest = file.path();
  }
  if (largest.empty()) throw Failure(failure_status, "report: the program has left no trace");
  return largest;
}

}  // namespace vicino::cli
