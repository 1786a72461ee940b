// doctor_run.hpp: runs a program once on Vicino for `vicino doctor`, and gathers what the run tells.
#pragma once

#include <optional>
#include <string>

#include "doctor_surrounding.hpp"
#include "process.hpp"

namespace vicino::cli {

// What is known of the program, and of one run of it unless it cannot run on Vicino. Needs a HeldSignals. Throws
// Failure if the program fails or does not end in time, and Interrupted for a signal.
Program examine(const Words& command, Environment environment, std::optional<Seconds> timeout,
                std::vector<std::string>& not_seen);

// A line of the file that tools/doctor/waits.cpp writes; nothing if it makes no sense.
std::optional<Meeting> read_meeting(const std::string& line);

// Adds what a file of VICINO_REPORT says. False if it is no report.
bool read_report(const std::string& text, ProgramRun& run);

}  // namespace vicino::cli
