// trial.hpp: whether hwloc survives reading a file.
//
// Why    hwloc 2.9 trusts a file that has the form of a recorded machine: sets that are missing, or that
//        contradict each other, crash it. That must not end the program that the file was given to. So a
//        child reads the file first.
// Not    fork(): its handlers are the program's, and Vicino's own, which take locks; and the child's end would
//        send SIGCHLD to a program that has no child. The price: if another thread is in malloc() at that
//        moment, the child waits for ever for its lock. So a child that takes too long is replaced.
#pragma once

#include <string>

namespace vicino::topo {

// True if a child ended in good order, whatever it found in the file, or if none can be made. A child that
// does not end within some seconds is killed; after three of them the answer is false.
bool survives_reading(const std::string& path) noexcept;

}  // namespace vicino::topo
