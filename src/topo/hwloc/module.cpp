// module.cpp: the function that libvicino-hwloc.so offers to libvicino.so; see topo/recorded.hpp.
#include <string.h>

#include "topo/hwloc/reader.hpp"
#include "topo/recorded.hpp"

using namespace vicino;
using namespace vicino::topo;

extern "C" [[gnu::visibility("default")]] bool vicino_read_by_hwloc(const char* version,
                                                                    const char* path,
                                                                    const CpuSet& own,
                                                                    Hardware& hardware,
                                                                    std::string& error) {
  if (module_version() != version) return false;
  Result<Hardware> read = read_xml(path, own);
  if (read)
    hardware = *std::move(read);
  else
    error = read.error();
  return read.ok();
}
static_assert(std::is_same_v<decltype(vicino_read_by_hwloc), ModuleEntry>);
