#include "sanitizer.hpp"

#include <algorithm>
#include <array>

#include "linked_files.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

// gcc's, and clang's with -shared-libasan.
constexpr std::array<std::string_view, 2> kRuntimes = {"libasan.so", "libclang_rt.asan"};

bool names_runtime(std::string_view text) {
  return std::ranges::any_of(
      kRuntimes, [=](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

bool is_linked_with_runtime(const fs::path& program, const Environment& environment) {
  return any_linked_file(program, environment, [](const fs::path&, const Needs& needs) {
    return std::ranges::any_of(needs.libraries, names_runtime);
  });
}

}  // namespace

void allow_sanitizer(const fs::path& program, Environment& environment) {
  if (!names_runtime(environment.get("LD_PRELOAD").value_or("")) &&
      !is_linked_with_runtime(program, environment))
    return;
  environment.prepend("ASAN_OPTIONS", "verify_asan_link_order=0", ':');
}

}  // namespace vicino::cli
