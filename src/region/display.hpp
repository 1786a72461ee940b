// display.hpp: the settings, as OMP_DISPLAY_ENV and omp_display_env() show them.
#pragma once

namespace vicino::region {

// With the machine's defaults where the user set nothing.
void display_env(bool verbose);

// By OMP_DISPLAY_ENV, KMP_SETTINGS and KMP_VERSION, once in a process and its children by fork().
void display_env_if_asked();

}  // namespace vicino::region
