#include "network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cluster {

std::vector<uint32_t> grid(uint32_t nodes, uint32_t dimensions) {
  std::vector<uint32_t> sides(dimensions, 1), factors;
  for (uint32_t factor = 2; nodes > 1; nodes % factor == 0 ? nodes /= factor : ++factor)
    if (nodes % factor == 0) factors.push_back(factor);
  for (size_t i = factors.size(); i-- > 0;) *std::ranges::min_element(sides) *= factors[i];
  return sides;
}

std::vector<uint32_t> neighbours(uint32_t node, std::span<const uint32_t> grid) {
  std::vector<uint32_t> found;
  uint32_t stride = 1;
  for (const uint32_t side : grid) {
    const uint32_t at = node / stride % side;
    for (const uint32_t other : {(at + 1) % side, (at + side - 1) % side}) {
      const uint32_t there = node + (other - at) * stride;  // modulo 2^32
      if (there != node && std::ranges::find(found, there) == found.end()) found.push_back(there);
    }
    stride *= side;
  }
  return found;
}

Network::Network(uint32_t nodes, const Workload& workload, const Parameters& parameters)
    : alpha_(parameters.alpha),
      bandwidth_(parameters.bandwidth),
      halo_(workload.halo),
      reduces_every_(workload.reduces_every),
      levels_(static_cast<uint32_t>(std::bit_width(nodes - 1))),
      ready_(nodes),
      ended_(nodes),
      slack_(nodes) {
  const std::vector<uint32_t> sides = grid(nodes, workload.dimensions);
  for (uint32_t n = 0; n < nodes; ++n) neighbours_.push_back(neighbours(n, sides));
}

Network::Time Network::message(double bytes) const {
  return static_cast<Time>(std::llround((alpha_ + bytes / bandwidth_) * 1000));
}

void Network::step(std::span<const Time> loops) {
  ++steps_;
  for (size_t n = 0; n < ready_.size(); ++n) ended_[n] = ready_[n] + loops[n];
  for (size_t n = 0; n < ready_.size(); ++n) {  // N1
    Time last = ended_[n];
    for (const uint32_t other : neighbours_[n]) last = std::max(last, ended_[other]);
    slack_[n] = last - ended_[n];
    ready_[n] = neighbours_[n].empty() ? last : last + message(static_cast<double>(halo_));  // N4
  }
  if (steps_ % reduces_every_ != 0) return;
  const Time last = now();  // N2
  for (size_t n = 0; n < ready_.size(); ++n) {
    slack_[n] += last - ready_[n];
    ready_[n] = last + levels_ * message(8);
  }
}

Network::Time Network::now() const { return *std::ranges::max_element(ready_); }

}  // namespace cluster
