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

}  // namespace vicino::config
