#include "pages/times.hpp"

#include <algorithm>
#include <cmath>

namespace vicino::pages {

void Times::Half::note(uint64_t ns) noexcept {
  if (count++ == 0)
    first = ns;
  else
    kept[(count - 2) % kKept] = ns;
}

int Times::Half::size() const noexcept {
  return static_cast<int>(std::min<uint64_t>(count > 1 ? count - 1 : count, kKept));
}

double Times::Half::median() const {
  if (count < 2) return static_cast<double>(first);
  std::vector<uint64_t> sorted(kept, kept + size());
  std::ranges::sort(sorted);
  const size_t n = sorted.size();
  return static_cast<double>(sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double Times::Half::spread() const {
  if (count < 2) return 0;
  const double middle = median();
  double sum = 0;
  for (int i = 0; i < size(); ++i) sum += std::abs(static_cast<double>(kept[i]) - middle);
  return sum / size() / std::sqrt(size());
}

void Times::note(const void* name, uint64_t ns) {
  auto row = std::ranges::find(rows_, name, &Row::name);
  if (row == rows_.end()) row = rows_.insert(row, {name, {}, {}});
  (is_after_ ? row->after : row->before).note(ns);
}

void Times::begin_after() {
  for (Row& row : rows_) row.after = {};
  is_after_ = true;
}

Times::Gain Times::gain() const {
  Gain gain;
  double before = 0, after = 0, spread = 0, all = 0, known = 0;
  for (const Row& row : rows_) {
    if (row.before.count == 0) continue;
    const double median = row.before.median();
    all += median * static_cast<double>(row.before.count);
    if (row.after.count == 0) continue;
    known += median * static_cast<double>(row.before.count);
    const auto weight = static_cast<double>(row.after.count);
    before += weight * median;
    after += weight * row.after.median();
    spread += weight * (row.before.spread() + row.after.spread());
    gain.samples =
        std::max(gain.samples, static_cast<int>(std::min<uint64_t>(row.after.count, kKept)));
    gain.before_ns += static_cast<uint64_t>(median);
    gain.after_ns += static_cast<uint64_t>(row.after.median());
  }
  if (before <= 0 || known < all / 2) return {};
  gain.share = (before - after) / before;
  gain.noise = spread / before;
  return gain;
}

}  // namespace vicino::pages
