#include "linked_files.hpp"

#include <dlfcn.h>
#include <stdio.h>

#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

using Visit = std::function<bool(const fs::path& file, const Needs& needs)>;

void add_folders(std::vector<fs::path>& folders, std::string_view list, const fs::path& origin) {
  std::istringstream words{std::string(list)};
  for (std::string word; std::getline(words, word, ':');) {
    for (const std::string_view sign : {"${ORIGIN}", "$ORIGIN"})
      if (const size_t at = word.find(sign); at != std::string::npos)
        word.replace(at, sign.size(), origin.string());
    if (!word.empty()) folders.emplace_back(word);
  }
}

// Where the loader looks. The folder of this process's C library stands for the system's list of
// folders, whose form is the C library's own affair.
std::vector<fs::path> folders_for(const fs::path& file, const Needs& needs,
                                  const Environment& environment) {
  std::vector<fs::path> folders;
  for (const std::string& list : needs.search_path) add_folders(folders, list, file.parent_path());
  add_folders(folders, environment.get("LD_LIBRARY_PATH").value_or(""), {});
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&fopen), &info) != 0 && info.dli_fname != nullptr)
    folders.push_back(fs::path(info.dli_fname).parent_path());
  for (const char* folder : {"/usr/local/lib", "/usr/lib", "/lib"}) folders.emplace_back(folder);
  return folders;
}

fs::path find_file(const std::string& name, const std::vector<fs::path>& folders) {
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  return {};
}

bool any(const fs::path& file, const Environment& environment, int levels,
         std::set<std::string>& seen, const Visit& visit) {
  const Needs needs = needs_of(file.string());
  if (visit(file, needs)) return true;
  if (levels == 0) return false;
  const auto folders = folders_for(file, needs, environment);
  for (const std::string& name : needs.libraries) {
    if (!seen.insert(name).second) continue;
    const fs::path library = find_file(name, folders);
    if (!library.empty() && any(library, environment, levels - 1, seen, visit)) return true;
  }
  return false;
}

}  // namespace

bool any_linked_file(const fs::path& program, const Environment& environment, const Visit& visit) {
  constexpr int kLevels = 3;
  std::error_code ignored;
  std::set<std::string> seen;
  return any(fs::canonical(program, ignored), environment, kLevels, seen, visit);
}

}  // namespace vicino::cli
