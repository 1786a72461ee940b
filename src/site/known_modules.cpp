#include "site/known_modules.hpp"

#include <set>

#include "config/known_modules.hpp"
#include "site/code.hpp"
#include "site/site_rule.hpp"
#include "site/sites.hpp"

namespace vicino::site {

bool OfKnownModule::may_have_fewer_threads(const void* address) noexcept {
  uint8_t state = state_.load(std::memory_order_relaxed);
  if (state == kUnknown) {
    const std::string path = name_of(object_at(address));
    state = config::may_have_fewer(path, module_rules()) ? kYes : kNo;
    state_.store(state, std::memory_order_relaxed);
  }
  return state == kYes;
}

std::string modules_with_fewer() {
  std::set<std::string> names;
  for (const Site* site : all_sites()) {
    if (!site->known_module.had_fewer()) continue;
    const std::string path = name_of(object_at(site->address()));
    const std::size_t name = path.rfind('/') + 1;  // npos + 1 is 0
    names.insert(path.substr(name, path.find('.', name) - name));
  }
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : name == *names.rbegin() ? " and " : ", ") + name;
  return text;
}

}  // namespace vicino::site
