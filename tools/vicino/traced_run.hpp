// traced_run.hpp: a program that is run for its trace.
#pragma once

#include <filesystem>
#include <string>

#include "files.hpp"
#include "program.hpp"

namespace vicino::cli {

// Runs the program on Vicino, in a child, with its trace in a folder of its own.
class TracedRun {
 public:
  // Returns the program's exit status, as a shell has it.
  int run(const Words& program) const;
  struct Traces {
    std::filesystem::path largest;
    int others = 0;
  };
  // Those that the program's processes have left. Throws Failure, with this status, if there is none.
  Traces traces(int failure_status) const;

 private:
  TemporaryFolder folder_{"report"};
};

}  // namespace vicino::cli
