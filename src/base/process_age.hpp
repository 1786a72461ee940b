// process_age.hpp: how long this process has been running.
#pragma once

namespace vicino {

// Seconds since the process began, by the kernel's clock of a hundredth of a second; 0: unknown.
double process_age();

}  // namespace vicino
