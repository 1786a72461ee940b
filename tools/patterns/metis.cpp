// metis.cpp: nested dissection by METIS, or the reason why it cannot be had.
//
// Why    dlopen(): the command line works on machines without METIS, also `vicino run`.
#include "patterns/dissection.hpp"

#ifdef VICINO_METIS
#include <dlfcn.h>
#include <metis.h>

#include <limits>
#include <string>
#endif

namespace vicino::patterns {

#ifdef VICINO_METIS
namespace {

#define VICINO_TEXT(x) #x
#define VICINO_TEXT_OF(x) VICINO_TEXT(x)
constexpr const char* kLibrary = "libmetis.so." VICINO_TEXT_OF(METIS_VER_MAJOR);

// METIS_NodeND(); null if the library cannot be loaded.
auto* node_nd() {
  static void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  return library == nullptr
             ? nullptr
             : reinterpret_cast<decltype(&METIS_NodeND)>(dlsym(library, "METIS_NodeND"));
}

// METIS takes graphs without directions and without edges from a vertex to itself.
Rows neighbours(const Rows& pattern) {
  const uint32_t n = pattern.size();
  std::vector<uint32_t> row, column;
  for (uint32_t i = 0; i < n; ++i)
    for (const uint32_t j : pattern[i]) {
      if (j == i) continue;
      row.insert(row.end(), {i, j});
      column.insert(column.end(), {j, i});
    }
  return pattern_of(n, row, column);  // with the diagonal
}

}  // namespace

Result<std::vector<uint32_t>> dissected_by_metis(const Rows& pattern) {
  auto* const order_by_metis = node_nd();
  if (order_by_metis == nullptr)
    return Error{std::string(kLibrary) + " cannot be loaded (Debian: libmetis5)"};
  constexpr auto kMost = static_cast<size_t>(std::numeric_limits<idx_t>::max());
  if (2 * pattern.items().size() > kMost)
    return Error{"METIS takes at most " + std::to_string(kMost / 2) + " entries; the matrix has " +
                 std::to_string(pattern.items().size())};
  const Rows all = neighbours(pattern);
  std::vector<idx_t> first{0}, columns;
  for (uint32_t i = 0; i < all.size(); ++i) {
    for (const uint32_t j : all[i])
      if (j != i) columns.push_back(static_cast<idx_t>(j));
    first.push_back(static_cast<idx_t>(columns.size()));
  }
  auto n = static_cast<idx_t>(all.size());
  std::vector<idx_t> order(all.size()), number(all.size());
  if (n == 0) return std::vector<uint32_t>();
  const int status = order_by_metis(&n, first.data(), columns.data(), nullptr, nullptr,
                                    order.data(), number.data());
  if (status != METIS_OK) return Error{"METIS_NodeND ended with " + std::to_string(status)};
  return std::vector<uint32_t>(order.begin(), order.end());
}
#else
Result<std::vector<uint32_t>> dissected_by_metis(const Rows&) {
  return Error{
      "this Vicino was built without METIS. Install it (Debian: libmetis-dev) and build again"};
}
#endif

}  // namespace vicino::patterns
