// version.hpp: which Vicino this is, with the commit that it was built from.
//
// The build writes the definition (cmake/version.cmake). It is the only object that a new commit changes, so
// code that is content with the number uses VICINO_VERSION, which is a constant.
#pragma once

namespace vicino {

// "0.1.0+g0123456789ab", and ".dirty" behind it if sources had been changed since that commit;
// "0.1.0+unknown" if the sources came without git and without their commit. It lives as long as the process.
const char* version() noexcept;

}  // namespace vicino
