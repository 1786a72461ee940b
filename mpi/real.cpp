#include "real.hpp"

#include <dlfcn.h>

#include "base/say.hpp"
#include "this_mpi.hpp"

namespace vicino::pmpi {

namespace {

void* find_in_mpi(const char* name) noexcept {
  for (const char* library : kLibraries) {
    void* loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded == nullptr) continue;
    void* found = dlsym(loaded, name);
    dlclose(loaded);  // takes back what dlopen() has counted; whoever loaded the library keeps it
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

void* find_object(const char* name) noexcept {
  void* found = dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : find_in_mpi(name);
}

void* find(const char* name) noexcept {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) found = find_in_mpi(name);
  if (found == nullptr) die("%s was called, but no %s in this process has it", name, kMpi);
  return found;
}

}  // namespace vicino::pmpi
