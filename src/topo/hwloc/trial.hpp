// trial.hpp: whether hwloc survives reading a file.
//
// Why    hwloc 2.9 trusts a file that has the form of a recorded machine: sets that are missing, or that
//        contradict each other, crash it. That must not end the program that the file was given to. So a
//        child reads the file first.
// Not    fork(): its handlers are the program's, and Vicino's own, which take locks; and the child's end would
//        send SIGCHLD to a program that has no child.
#pragma once

#include <string>

namespace vicino::topo {

// True if the child ended in good order, whatever it found in the file, or if it cannot be made. A child
// that does not end within some seconds is killed.
bool survives_reading(const std::string& path) noexcept;

}  // namespace vicino::topo
