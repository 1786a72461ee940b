// process.hpp: runs copies of a program: how long they took, what they printed, how they ended.
//
// Why    Measuring should not disturb the program: its output goes to memory files that are not
//        read before it has ended, and this process sleeps until then.
// How    Each copy is a process group of its own, so that an interrupt or a timeout reaches all
//        that it started, and nothing of it runs on into the next measurement.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "environment.hpp"
#include "program.hpp"

namespace vicino::cli {

using Seconds = std::chrono::duration<double>;

struct Outcome {
  // Seconds; from the common start of all copies; CPU times include awaited children.
  double wall = 0, user = 0, system = 0;
  int wait_status = 0;
  bool timed_out = false;
  bool given_up = false;  // it was stopped because another copy had failed
  int interrupted = 0;    // the signal that this process got meanwhile
  std::string out, err;

  bool succeeded() const noexcept { return wait_status == 0 && !timed_out && interrupted == 0; }
};

// "exit status 3", "signal 11 (Segmentation fault)"
std::string how_it_ended(const Outcome& outcome);

// Those by which a user ends a command.
sigset_t stopping_signals();

// Blocks the signals that stop a measurement, so that run_together() can take them. Ctrl-Z is blocked
// too: otherwise the clock would run on while the program may or may not be stopped.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

// Thrown when this process got a signal that stops it; the program has been stopped by then.
struct Interrupted {
  int signal;
};

// Runs `count` copies at once. Needs a HeldSignals. If this process's standard input is a file, each
// copy reads that file from its present position; otherwise the standard input of a copy is empty.
// Throws Failure if the program cannot be started.
std::vector<Outcome> run_together(const Words& command, const Environment& environment,
                                  std::optional<Seconds> timeout, int count);

}  // namespace vicino::cli
