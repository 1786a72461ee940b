#include "topo/module.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include <memory>

namespace vicino::topo {
namespace {

struct Free {
  void operator()(char* text) const noexcept { free(text); }
};

}  // namespace

std::string own_folder() {
  Dl_info info;
  void* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&own_folder), &info, &map, RTLD_DL_LINKMAP) == 0) return {};
  const char* name = static_cast<const link_map*>(map)->l_name;
  if (*name == '\0') name = "/proc/self/exe";  // the program itself, which has no name here
  const std::unique_ptr<char, Free> real(realpath(name, nullptr));
  if (real == nullptr) return {};
  const std::string path(real.get());
  return path.substr(0, path.rfind('/'));
}

std::vector<std::string> module_paths(const std::string& folder, const std::string& name) {
  std::vector<std::string> paths;
  if (folder.empty()) return paths;
  for (const char* below : {"/vicino/", "/../", "/../lib/vicino/", "/../" VICINO_LIBDIR "/vicino/"})
    paths.push_back(folder + below + name);
  return paths;
}

}  // namespace vicino::topo
