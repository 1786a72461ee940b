#include "run.hpp"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/open_file.hpp"
#include "command.hpp"
#include "config/numbers.hpp"
#include "library.hpp"
#include "missing_functions.hpp"
#include "mpi_layer.hpp"
#include "process.hpp"
#include "refusal.hpp"
#include "sanitizer.hpp"
#include "say.hpp"
#include "settings_check.hpp"
#include "share.hpp"

namespace vicino::cli {
namespace {

struct RunOptions {
  std::string threads;
  std::string schedule;
  std::string config;
  std::string pages;
  std::string share;
  bool explain = false;
  std::string profile;     // empty: none
  std::string report;      // the same
  std::string job_report;  // the same
  std::string trace;       // the same
  std::vector<std::string> variables;
};

constexpr const char* kReportToStderr = "-";

// The file's absolute name, for the program may run in another folder.
std::string absolute(const std::string& file) {
  std::error_code error;
  const std::filesystem::path its = std::filesystem::absolute(file, error);
  if (error)
    throw Failure(kRunFailed, fmt::format("run: '{}' is in the working folder, which cannot be "
                                          "found: {}",
                                          file, error.message()));
  return its.native();
}

// A report's setting.
std::string where_to(const std::string& report) {
  return report == kReportToStderr ? "true" : absolute(report);
}

// An older trace: the program finds by this name what it has written itself, and nothing else.
void remove_old_trace(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored))
    std::filesystem::remove(behind_links(name), ignored);
}

constexpr const char* kDescription =
    R"(Runs the program with Vicino in the place of the OpenMP runtime that it was
built with. The program need not be recompiled or relinked.

If the program uses Open MPI or MPICH, a library that sees how long each MPI
call waits for other ranks is loaded too (VICINO_MPI). A file of --job-report
gets JSON if its name ends in .json, text otherwise, a file of --report JSON.

A folder in which the names of all known OpenMP runtimes are links to
libvicino.so is put first in LD_LIBRARY_PATH, and the library is put first in
LD_PRELOAD; what these variables held follows. Then the program replaces
vicino in the same process, so signals, the terminal, job control and the
exit status are its own. Programs that it starts inherit the environment and
run on Vicino too.

With --share 4 the program is one of four equal users of this machine, and takes
a quarter of its CPUs that no other program has which was started so; 1/4 is the
second quarter, whoever has it.

This cannot work for programs that are statically linked, run with another
user's privileges, have 32 bits, or use musl: vicino runs such a program with a
warning.
)";

constexpr const char* kExitStatus =
    R"(The program's exit status. If the program could not be started: 125 if vicino
failed, 126 if the program cannot be executed, 127 if it is not there.
)";

constexpr const char* kVariables =
    R"(VICINO_LIBRARY names the library to use in place of the installed one.
vicino settings lists the variables that the runtime reads, vicino schedules
the schedules.
)";

constexpr const char* kExamples =
    R"(  vicino run --threads 8 -- gmx mdrun -s water.tpr
  vicino run --schedule nich,group=4 --profile --explain ./app
  mpirun -n 4 vicino run --job-report ./app
)";

bool wants_job_report(const Environment& environment) {
  const auto value = environment.get("VICINO_JOB_REPORT");
  return value && !value->empty() && config::Flag::parse(*value) != false;
}

int run(const RunOptions& options, const Words& program) {
  if (program.empty()) throw Failure(kRunFailed, "run: no program is given");
  Environment environment = Environment::of_process();
  for (const std::string& variable : options.variables) environment.assign(variable);
  if (!options.threads.empty()) environment.set("OMP_NUM_THREADS", options.threads);
  if (!options.schedule.empty()) environment.set("VICINO_SCHEDULE", options.schedule);
  if (options.explain) environment.set("VICINO_EXPLAIN", "true");
  if (!options.pages.empty()) environment.set("VICINO_PAGES", options.pages);
  if (!options.share.empty()) environment.set("VICINO_SHARE", take_share(options.share));
  if (!options.report.empty()) environment.set("VICINO_REPORT", where_to(options.report));
  if (!options.trace.empty()) {
    environment.set("VICINO_TRACE", where_to(options.trace));
    remove_old_trace(options.trace);
  }
  if (!options.job_report.empty())
    environment.set("VICINO_JOB_REPORT", where_to(options.job_report));
  if (options.explain || !options.profile.empty() || !options.report.empty() ||
      !options.trace.empty())
    expect_report(environment);
  if (!options.config.empty()) environment.set("VICINO_CONFIG", absolute(options.config));
  if (!options.profile.empty()) environment.set("VICINO_PROFILE", absolute(options.profile));
  run_on_vicino(program, std::move(environment));
}

}  // namespace

// A signal that would end this command ends the program, and what that leaves is told all the same. Those of the terminal
// reach the program by themselves, and once is enough.
int run_beside(std::string_view command, const Words& program, const std::string& variable,
               const std::string& value) {
  std::fflush(nullptr);
  signal(SIGCHLD, SIG_DFL);  // a parent may have left it ignored, which would hide the exit status
  sigset_t held = stopping_signals(), before;
  sigaddset(&held, SIGCHLD);
  sigprocmask(SIG_BLOCK, &held, &before);
  const pid_t child = fork();
  if (child < 0)
    throw Failure(kRunFailed,
                  fmt::format("{}: no process can be made: {}", command, strerror(errno)));
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // this command may be killed
    try {
      Environment environment = Environment::of_process();
      environment.set(variable, value);
      expect_report(environment);
      run_on_vicino(program, std::move(environment));
    } catch (const Failure& failure) {
      complain(failure.what());
      _exit(failure.status());
    }
  }
  int status = 0;
  siginfo_t got{};
  while (waitpid(child, &status, WNOHANG) == 0)
    if (const int each = sigwaitinfo(&held, &got);
        each > 0 && each != SIGCHLD && got.si_code != SI_KERNEL)
      kill(child, each);
  constexpr timespec kNow{0, 0};
  while (sigtimedwait(&held, nullptr, &kNow) > 0) {  // one for both has ended the program
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return WIFSIGNALED(status) ? kSignal + WTERMSIG(status) : WEXITSTATUS(status);
}

void expect_report(Environment& environment) {
  environment.set("VICINO_PROCESS", std::to_string(getpid()));
}

void run_on_vicino(const Words& program, Environment environment) {
  const auto path = find_program(program[0]);
  const auto library = find_library(kRunFailed);
  if (const auto refusal = refusal_of(path, library); refusal && refusal->has_runtime) {
    const bool starts_others = refusal->is_script && !refusal->is_harmed;
    warn(fmt::format("'{}' keeps its own OpenMP runtime: {}{}", program[0], refusal->reason,
                     starts_others ? "; programs that it starts run on Vicino" : ""));
    if (refusal->is_harmed) execute(program, environment);
  }
  if (const std::string missing = missing_for(path, environment, library); !missing.empty())
    throw Failure(kRunFailed, fmt::format("{}; '{}' runs on its own runtime, without 'vicino run'",
                                          missing, program[0]));
  allow_sanitizer(path, environment);
  const MpiLayer layer = mpi_layer_for(path, environment, library);
  if (!layer.why_not.empty() && wants_job_report(environment))
    warn(fmt::format("there is no report of the job: {}", layer.why_not));
  ReplacementFolder folder(library);
  folder.apply_to(environment, layer.file);
  folder.remove_after_this_process();
  execute(program, environment);
}

Command add_run(CLI::App& root) {
  CLI::App* app = root.add_subcommand("run", "Run a program on Vicino");
  auto options = std::make_shared<RunOptions>();
  app->add_option("--threads", options->threads, "Threads of a team (OMP_NUM_THREADS)")
      ->type_name("N")
      ->check(setting("OMP_NUM_THREADS"));
  app->add_option("--schedule", options->schedule, "Schedule of loops (VICINO_SCHEDULE)")
      ->type_name("S")
      ->check(setting("VICINO_SCHEDULE"));
  app->add_option("--config", options->config, "Schedules for single loops (VICINO_CONFIG)")
      ->type_name("FILE")
      ->check(rules_file());
  app->add_option("--pages", options->pages, "Pages that one thread filled (VICINO_PAGES)")
      ->type_name("HOW")
      ->check(setting("VICINO_PAGES"));
  app->add_option("--share", options->share,
                  "Be one of N equal users of the machine (VICINO_SHARE)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return is_share(text)
                   ? std::string()
                   : "'" + text + "': not a positive integer, nor one share of several, as in 0/4";
      });
  app->add_flag("--explain", options->explain, "Explain what was chosen, and why (VICINO_EXPLAIN)");
  app->add_flag("--profile{vicino.profile}", options->profile,
                "Keep what is learnt in vicino.profile (VICINO_PROFILE)")
      ->type_name("[=FILE]");
  app->add_flag("--report{-}", options->report,
                "Report what ran where, and how well (VICINO_REPORT)")
      ->type_name("[=FILE]");
  app->add_flag("--trace{vicino.pftrace}", options->trace,
                "Write what each thread did, for Perfetto (VICINO_TRACE)")
      ->type_name("[=FILE]")
      ->check([](const std::string& file) {
        return file == "-" ? "'-': a trace needs a file, or a named pipe" : "";
      });
  app->add_flag("--job-report{-}", options->job_report,
                "Report how long MPI ranks wait (VICINO_JOB_REPORT)")
      ->type_name("[=FILE]");
  app->add_option("--env", options->variables, "Set a variable for the program; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(assignment());
  return {.app = app,
          .synopsis = "[options] [--] program [argument...]",
          .sections = {{"Description", kDescription},
                       {"Exit status", kExitStatus},
                       {"Environment", kVariables},
                       {"Examples", kExamples}},
          .takes_program = true,
          .action = [options](const Words& program) { return run(*options, program); }};
}

}  // namespace vicino::cli
