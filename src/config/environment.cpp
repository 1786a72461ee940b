#include "config/environment.hpp"

#include <sys/auxv.h>
#include <unistd.h>

namespace vicino::config {

Environment Environment::of_process() noexcept {
  if (getauxval(AT_SECURE) != 0 || environ == nullptr) return {};
  std::size_t count = 0;
  while (environ[count] != nullptr) ++count;
  return Environment(std::span<const char* const>(environ, count));
}

std::optional<std::string_view> Environment::get(std::string_view name) const noexcept {
  for (std::string_view entry : entries_)
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  return std::nullopt;
}

}  // namespace vicino::config
