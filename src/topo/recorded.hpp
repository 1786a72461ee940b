// recorded.hpp: machines that were recorded in hwloc's XML; a module of Vicino's own reads them.
//
// Why    hwloc reads its own format best, but it brings libraries into the process (with its
//        plugins also those of OpenCL, X11 and OpenGL), and takes milliseconds at each start. So
//        libvicino.so does not depend on it: libvicino-hwloc.so does, and is loaded only for a
//        recorded machine, that is, for tests and for people who study another machine's shape.
// Where  The module is searched for beside the file that contains this code: module.hpp.
// Not    in a set-user-id program: the user who starts it would choose the code that it runs.
#pragma once

#include <string>
#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

// The machine of the file. If hwloc's own variable HWLOC_THISSYSTEM says that the file describes
// this machine, only the CPUs of `own` count, and Hardware::recorded is false.
Result<Hardware> read_recorded(const std::string& path, const CpuSet& own);

// For fork(): no thread of this layer reads a recorded machine, or the loader's list of objects, in
// between. The child releases what its parent held.
void hold_reading() noexcept;
void release_reading() noexcept;

// The function that the module exports under the name kModuleEntry. The first argument proves that
// one build made both sides: the other arguments are C++ objects, whose memory either side may
// free.
using ModuleEntry = bool(const char* version, const char* path, const CpuSet& own,
                         Hardware& hardware, std::string& error);
inline constexpr const char* kModuleEntry = "vicino_read_by_hwloc";
// A module of another build reads no argument but this string.
std::string module_version();

}  // namespace vicino::topo
