#include "topo/recorded.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/uncancelled.hpp"
#include "topo/module.hpp"

namespace vicino::topo {
namespace {

constexpr const char* kModule = "libvicino-hwloc.so";

// Held while a machine is read, and by fork(): a child cannot load a module if another thread of its parent was
// loading one. It is taken after all other locks.
pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

struct Reading {
  Reading() noexcept { hold_reading(); }
  ~Reading() { release_reading(); }
  Reading(const Reading&) = delete;
};

Error not_loaded(const std::string& path, const std::string& why) {
  return {"\"" + path + "\" is a recorded machine, which " + kModule + " reads, and that " + why};
}

// The module stays loaded: its results may point into it, and it is called only once or twice.
Result<ModuleEntry*> load_module(const std::string& path) {
  std::string why = "cannot be found";
  for (const std::string& file : module_paths(own_folder(), kModule)) {
    if (access(file.c_str(), R_OK) != 0) continue;
    void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module != nullptr) {
      if (void* const entry = dlsym(module, kModuleEntry))
        return reinterpret_cast<ModuleEntry*>(entry);
    }
    const char* const error = dlerror();
    why = std::string("cannot be loaded (") + (error != nullptr ? error : "no reason given") + ")";
  }
  return not_loaded(path, why);
}

}  // namespace

void hold_reading() noexcept { pthread_mutex_lock(&reading); }
void release_reading() noexcept { pthread_mutex_unlock(&reading); }

std::string module_version() {
  return VICINO_VERSION " " __VERSION__ " " + std::to_string(sizeof(Hardware));
}

Result<Hardware> read_recorded(const std::string& path, const CpuSet& own) {
  const Uncancelled uncancelled;
  if (getauxval(AT_SECURE) != 0)
    return Error{"a recorded machine is not read in a set-user-id program"};
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return Error{"\"" + path + "\" is not a plain file"};
  const Reading alone;
  const Result<ModuleEntry*> entry = load_module(path);
  if (!entry) return Error{entry.error()};
  Hardware hardware;
  std::string error;
  if ((*entry)(module_version().c_str(), path.c_str(), own, hardware, error)) return hardware;
  return error.empty() ? not_loaded(path, "is of another build") : Error{error};
}

}  // namespace vicino::topo
