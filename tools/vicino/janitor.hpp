// janitor.hpp: removes a folder when this process has ended, whatever it has become by then.
//
// Why    `run` executes the program in its own place: signals, job control, the terminal and the
//        exit status are then exactly the program's. But nobody is left to clean up. A waiting
//        parent would do it, at the price of imitating all of those.
// How    A grandchild in a session of its own: not a child of the program, which may wait for any
//        of its children, and not hit by the terminal's Ctrl-C. It holds no file of the program's,
//        or a pipe out of it would never end.
#pragma once

#include <filesystem>

namespace vicino::cli {

// False if no janitor could be started.
bool start_janitor(const std::filesystem::path& folder);

}  // namespace vicino::cli
