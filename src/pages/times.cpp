#include "pages/times.hpp"

#include <algorithm>
#include <numeric>

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

Times::Half::Mean Times::Half::mean() const {
  if (count < 2) return {static_cast<double>(first), 0};
  std::vector<double> times(kept, kept + size());
  std::ranges::sort(times);
  times.resize(times.size() - times.size() / 8);
  const auto n = static_cast<double>(times.size());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / n;
  double squares = 0;
  for (const double ns : times) squares += (ns - mean) * (ns - mean);
  return {mean, n < 2 ? 0 : squares / (n - 1) / n};
}

void Times::note(const void* name, uint64_t ns) {
  auto row = std::ranges::find(rows_, name, &Row::name);
  if (row == rows_.end() && rows_.size() == kMostNames) return;
  if (row == rows_.end()) row = rows_.insert(row, {name, {}, {}});
  (is_after_ ? row->after : row->before).note(ns);
}

void Times::begin_after() {
  for (Row& row : rows_) row.after = {};
  is_after_ = true;
}

Times::Gain Times::gain() const {
  const auto capped = [](uint64_t count) {
    return static_cast<int>(std::min<uint64_t>(count, kKept));
  };
  Gain gain;
  double before = 0, after = 0, variance = 0, all = 0, known = 0;
  for (const Row& row : rows_) {
    if (row.before.count == 0) continue;
    const Half::Mean mean = row.before.mean();
    const double its = mean.ns * static_cast<double>(row.before.count);
    all += its;
    if (row.after.count == 0) continue;
    known += its;
    const Half::Mean later = row.after.mean();
    const auto weight = static_cast<double>(row.after.count);
    before += weight * mean.ns;
    after += weight * later.ns;
    variance += weight * weight * (mean.variance + later.variance);
    gain.samples_before = std::max(gain.samples_before, capped(row.before.count));
    gain.samples = std::max(gain.samples, capped(row.after.count));
    gain.before_ns += static_cast<uint64_t>(mean.ns);
    gain.after_ns += static_cast<uint64_t>(later.ns);
  }
  if (before <= 0 || known < all / 2) return {};
  gain.share = (before - after) / before;
  gain.variance = variance / before / before;
  return gain;
}

}  // namespace vicino::pages
