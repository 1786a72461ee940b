// janitor.hpp: removes a folder when this process has ended, whatever program it runs by then.
//
// Why    `vicino run` replaces itself with the program, so that signals, job control, the terminal
//        and the exit status are exactly the program's. Then no process of Vicino is left to clean
//        up. A waiting parent could clean up, but it would have to imitate all of these.
// How    The janitor is a grandchild in a session of its own. So it is no child of the program,
//        which may wait for any of its children, and the terminal's Ctrl-C does not reach it. It
//        closes all files that it inherits from the program, because a pipe out of the program
//        would never end otherwise.
#pragma once

#include <filesystem>

namespace vicino::cli {

// False if no janitor could be started.
bool start_janitor(const std::filesystem::path& folder);

}  // namespace vicino::cli
