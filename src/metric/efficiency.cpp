#include "metric/efficiency.hpp"

#include <algorithm>

namespace vicino::metric {

void Lost::add_region(uint64_t ns, std::span<const uint64_t> worked) noexcept {
  uint64_t most = 0, sum = 0;
  for (const uint64_t its : worked) {
    most = std::max(most, std::min(its, ns));
    sum += std::min(its, ns);
  }
  useful += sum;
  scheduling += (ns - most) * worked.size();
  imbalance += most * worked.size() - sum;
}

void Lost::add(const Lost& more) noexcept {
  useful += more.useful;
  imbalance += more.imbalance;
  scheduling += more.scheduling;
  serial += more.serial;
}

void Lost::add_rest(uint64_t whole, uint64_t in_regions, uint64_t by_threads, int team) noexcept {
  const uint64_t alone = whole - std::min(in_regions, whole);
  const uint64_t all = whole * static_cast<uint64_t>(team);
  useful += alone;
  serial += all - std::min(all, by_threads + alone);
}

Efficiency Lost::efficiency() const noexcept {
  const auto ratio = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
  };
  const uint64_t with_scheduling = useful + scheduling, in_regions = with_scheduling + imbalance;
  return {ratio(useful, in_regions + serial), ratio(with_scheduling, in_regions),
          ratio(useful, with_scheduling), ratio(in_regions, in_regions + serial)};
}

}  // namespace vicino::metric
