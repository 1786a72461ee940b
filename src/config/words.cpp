#include "config/words.hpp"

#include <algorithm>
#include <span>

namespace vicino::config {
namespace {

constexpr std::array<std::string_view, 8> kAllocators{
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",   "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};
constexpr std::array<std::string_view, 5> kSpaces{"omp_default_mem_space",
                                                  "omp_large_cap_mem_space", "omp_const_mem_space",
                                                  "omp_high_bw_mem_space", "omp_low_lat_mem_space"};

bool one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::any_of(names, [&](std::string_view known) { return same_word(known, name); });
}

bool is_trait(std::string_view item) {
  const Halves trait = split_first(item, '=');
  return !trait.head.empty() && trait.rest && !trim(*trait.rest).empty();
}

}  // namespace

std::optional<std::string> Allocator::parse(std::string_view text) {
  const Halves halves = split_first(text, ':');
  const bool good = halves.rest
                        ? one_of(kSpaces, halves.head) && for_each_item(*halves.rest, is_trait)
                        : one_of(kAllocators, halves.head) || one_of(kSpaces, halves.head);
  if (!good) return std::nullopt;
  return std::string(trim(text));
}

}  // namespace vicino::config
