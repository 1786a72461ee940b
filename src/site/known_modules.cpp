#include "site/known_modules.hpp"

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/kept_errno.hpp"
#include "base/open_file.hpp"
#include "site/code.hpp"
#include "site/site_rule.hpp"
#include "sync/cold.hpp"

namespace vicino::site {
namespace {

using config::FewerThreads;

struct Region {
  FewerThreads fewer;
  std::string module;  // its name, if so
  bool had_fewer = false;
};

// Programs whose regions are made as they run have no end of them. The others are taken for unknown.
constexpr std::size_t kMost = 1 << 16;

// Under the Cold lock.
struct Known {
  std::unordered_map<const void*, Region> regions;
  uint64_t unloaded = 0;  // what unloaded_objects() was when the first of them was looked up
  std::set<std::string> with_fewer;  // modules
};
Known& known() {
  static auto& all = *new Known;  // threads outlive main()
  return all;
}

std::optional<FewerThreads> looked_up(const void* function, uint64_t unloaded) {
  const sync::Cold cold;
  if (std::exchange(known().unloaded, unloaded) != unloaded) known().regions.clear();
  const auto& regions = known().regions;
  if (const auto region = regions.find(function); region != regions.end())
    return region->second.fewer;
  if (regions.size() == kMost) return FewerThreads::kUnknown;
  return std::nullopt;
}

}  // namespace

FewerThreads fewer_threads(const void* function) {
  if (const auto its = looked_up(function, unloaded_objects())) return *its;
  const KeptErrno kept;  // readlink() says EINVAL of what is no link
  // Not under the Cold lock, before which the loader's is taken.
  const std::string path = name_of(object_at(function));
  Region region{config::fewer_threads(path, module_rules()), {}};
  if (region.fewer == FewerThreads::kUnknown)  // Debian's libblas.so.3 is a link to that of BLIS or of another
    region.fewer = config::fewer_threads(behind_links(path), module_rules());
  const std::size_t name = path.rfind('/') + 1;  // npos + 1 is 0
  if (region.fewer == FewerThreads::kAllowed) region.module = path.substr(name, path.find('.', name) - name);
  const sync::Cold cold;
  return known().regions.try_emplace(function, std::move(region)).first->second.fewer;
}

void note_fewer_threads(const void* function) {
  const sync::Cold cold;
  const auto region = known().regions.find(function);
  if (region != known().regions.end() && !std::exchange(region->second.had_fewer, true))
    known().with_fewer.insert(region->second.module);
}

std::string modules_with_fewer() {
  const sync::Cold cold;
  const std::set<std::string>& names = known().with_fewer;
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : name == *names.rbegin() ? " and " : ", ") + name;
  return text;
}

}  // namespace vicino::site
