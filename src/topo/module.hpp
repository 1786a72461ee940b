// module.hpp: Vicino's own modules, libraries that are loaded where they are needed: where they may lie.
#pragma once

#include <string>
#include <vector>

namespace vicino::topo {

// The folder of the file that contains this code, with links resolved: a program may have loaded
// the library through a link that lies elsewhere. "" if the system does not tell.
std::string own_folder();

// The paths where the module of this file name may be if a library or a program of Vicino's lies in `folder`, best first:
// an installation and a build tree have folders of the same shape.
std::vector<std::string> module_paths(const std::string& folder, const std::string& name);

}  // namespace vicino::topo
