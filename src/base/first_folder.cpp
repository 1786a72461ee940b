#include "base/first_folder.hpp"

#include <limits.h>
#include <unistd.h>

namespace vicino {
namespace {

constinit char folder[PATH_MAX] = "";

// Before the library's other constructors, which may ask.
[[gnu::constructor(101)]] void note_folder() {
  if (getcwd(folder, sizeof folder) == nullptr) folder[0] = '\0';
}

}  // namespace

std::string from_first_folder(const std::string& path) {
  if (path.starts_with('/') || folder[0] != '/') return path;
  return std::string(folder) + "/" + path;
}

}  // namespace vicino
