#include "workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/decimal.hpp"
#include "base/hash.hpp"
#include "base/quote.hpp"
#include "loop/static_block.hpp"

namespace cluster {
namespace {

using vicino::sim::picoseconds;
using vicino::sim::Time;

constexpr uint32_t kBodies = 4096, kCells = 2048, kClusters = 3;
constexpr double kMostNs = 1e10;  // so that products with slowness fit in 64 bits

// How dense the bodies of a node are along the loop: clusters, which are half a block wide.
std::vector<double> density(uint64_t seed, uint32_t node) {
  std::vector<double> dense(kBodies);
  for (uint32_t c = 0; c < kClusters; ++c) {
    const double centre = static_cast<double>(mix(seed, node, c) % kBodies);
    constexpr double kWidth = kBodies / (2.0 * kCores);
    for (uint32_t i = 0; i < kBodies; ++i) {
      const double distance = (i - centre) / kWidth;
      dense[i] += std::exp(-distance * distance);
    }
  }
  const double mean = std::accumulate(dense.begin(), dense.end(), 0.0) / kBodies;
  for (double& one : dense) one -= mean;
  return dense;
}

// The largest mean of a block.
double fullest(const std::vector<double>& dense) {
  double most = 0;
  for (uint32_t m = 0; m < kCores; ++m) {
    const vicino::loop::Range block = vicino::loop::static_block(dense.size(), kCores, m);
    double sum = 0;
    for (uint64_t i = block.begin; i < block.end; ++i) sum += dense[i];
    most = std::max(most, sum / static_cast<double>(block.size()));
  }
  return most;
}

Iterations even(uint32_t count, double ns) {
  return std::make_shared<const std::vector<Time>>(count, picoseconds(ns));
}

}  // namespace

uint64_t mix(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  uint64_t z = 0;
  for (const uint64_t each : {a, b, c, d}) z = vicino::splitmix64(z + each);
  return z;
}

Workload Workload::nbody(const Parameters& p, uint64_t seed) {
  Workload nbody("nbody", p.nbody_cache, p.nbody_memory, 3, p.nbody_halo, 1);
  nbody.kind_ = Kind::kClustered;
  nbody.iteration_ = p.nbody_iteration;
  nbody.clustering_ = p.clustering;
  nbody.ranks_ = p.ranks;
  nbody.seed_ = seed;
  return nbody;
}

Workload Workload::snap(const Parameters& p, uint64_t seed) {
  Workload snap("snap", p.snap_cache, p.snap_memory, 2, p.snap_halo, 8);
  snap.kind_ = Kind::kEven;
  snap.iteration_ = p.snap_iteration;
  snap.ranks_ = p.ranks;
  snap.seed_ = seed;
  return snap;
}

vicino::Result<Workload> Workload::trace(const Parameters& p, std::string_view text) {
  std::vector<Time> times;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    if (line.empty()) continue;
    const auto ns = vicino::parse_decimal(line);
    if (!ns || *ns < 0 || *ns > kMostNs)
      return vicino::Error{"line " + std::to_string(number) +
                           " of the trace is to be nanoseconds, from 0 to 10^10, not " +
                           vicino::quoted(line)};
    times.push_back(picoseconds(*ns));
  }
  if (times.empty()) return vicino::Error{"the trace has no iteration"};
  Workload trace("trace", p.nbody_cache, p.nbody_memory, 3, p.nbody_halo, 1);
  trace.same_ = std::make_shared<const std::vector<Time>>(std::move(times));
  return trace;
}

Iterations Workload::iterations(uint32_t node) const {
  if (kind_ == Kind::kSame) return same_;
  const double unit = static_cast<double>(mix(seed_, node, kClusters) >> 11) * 0x1p-53;
  const double iteration = iteration_ * (1 + ranks_ * (2 * unit - 1));
  if (kind_ == Kind::kEven) return even(kCells, iteration);
  const std::vector<double> dense = density(seed_, node);
  const double scale = clustering_ / fullest(dense);
  auto times = std::make_shared<std::vector<Time>>();
  for (const double one : dense)
    times->push_back(picoseconds(iteration * std::max(1 + scale * one, 0.05)));
  return times;
}

}  // namespace cluster
