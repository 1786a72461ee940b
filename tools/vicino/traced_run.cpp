#include "traced_run.hpp"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.hpp"
#include "say.hpp"

namespace vicino::cli {

TracedRun::TracedRun() {
  std::string name = std::filesystem::temp_directory_path() / "vicino-report-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw Failure(kRunFailed, fmt::format("report: {}: {}", name, strerror(errno)));
  folder_ = name;
}

TracedRun::~TracedRun() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

// An interrupt from the terminal reaches the program, too, and ends it; its trace is told of all the same.
int TracedRun::run(const Words& program) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    throw Failure(kRunFailed, fmt::format("report: no process can be made: {}", strerror(errno)));
  if (child == 0) {
    try {
      Environment environment = Environment::of_process();
      environment.set("VICINO_TRACE", (folder_ / "trace.pftrace").native());
      expect_report(environment);
      run_on_vicino(program, std::move(environment));
    } catch (const Failure& failure) {
      complain(failure.what());
      _exit(failure.status());
    }
  }
  for (const int signal : {SIGINT, SIGQUIT}) ::signal(signal, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? kSignal + WTERMSIG(status) : WEXITSTATUS(status);
}

std::filesystem::path TracedRun::trace() const {
  std::filesystem::path largest;
  uintmax_t size = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_)) {
    if (file.file_size() <= size) continue;
    size = file.file_size();
    largest = file.path();
  }
  if (largest.empty()) throw Failure(kProgramFailed, "report: the program has left no trace");
  return largest;
}

}  // namespace vicino::cli
