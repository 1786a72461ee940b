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

std::vector<double> Times::Half::all() const {
  if (count < 2) return {static_cast<double>(first)};
  std::vector<double> all(kept, kept + size());
  std::ranges::sort(all);
  all.resize(all.size() - all.size() / 8);
  return all;
}

double Times::Half::mean() const {
  const std::vector<double> times = all();
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

double Times::Half::variance() const {
  const std::vector<double> times = all();
  const double middle = mean();
  double squares = 0;
  for (const double ns : times) squares += (ns - middle) * (ns - middle);
  const auto n = static_cast<double>(times.size());
  return n < 2 ? 0 : squares / (n - 1) / n;
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
  Gain gain;
  double before = 0, after = 0, variance = 0, all = 0, known = 0;
  for (const Row& row : rows_) {
    if (row.before.count == 0) continue;
    const double mean = row.before.mean();
    all += mean * static_cast<double>(row.before.count);
    if (row.after.count == 0) continue;
    known += mean * static_cast<double>(row.before.count);
    const auto weight = static_cast<double>(row.after.count);
    before += weight * mean;
    after += weight * row.after.mean();
    variance += weight * weight * (row.before.variance() + row.after.variance());
    gain.samples =
        std::max(gain.samples, static_cast<int>(std::min<uint64_t>(row.after.count, kKept)));
    gain.before_ns += static_cast<uint64_t>(mean);
    gain.after_ns += static_cast<uint64_t>(row.after.mean());
  }
  if (before <= 0 || known < all / 2) return {};
  gain.share = (before - after) / before;
  gain.variance = variance / before / before;
  return gain;
}

}  // namespace vicino::pages
