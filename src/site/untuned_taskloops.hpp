// untuned_taskloops.hpp: why the tuner does not choose for taskloops that the process has met. The
// report at the process's end tells it where nothing was tuned (explain.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vicino::site {

enum class Untuned : uint8_t {
  kBySetting,  // VICINO_TASKLOOP
  kAtOnce,     // the thread that met it had to run its tasks itself
  kPriority,
  kFewTasks,   // fewer than the team has threads
  kManyTasks,  // more than rows can hold, or than are made beforehand
  kMayCancel,  // tasks that were made beforehand could not be left out
  kTooLittle,  // so far it has taken less time than would pay for trying
};

void note_untuned_taskloop(Untuned why) noexcept;

// One phrase for each reason that was noted.
std::vector<std::string> why_taskloops_are_not_tuned();

}  // namespace vicino::site
