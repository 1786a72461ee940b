// loads.hpp: loops whose iterations take different times, on threads of different speeds.
//
// Long iterations take 10 us on average and short ones 100 ns, in loops of 20 ms; brief loops have
// 0.2 ms of work. In "one slow" one thread has half the speed of the others.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace virtual_loops {

// One loop on some threads. `ns`: by iteration; `slowness`: by thread, 1 for a whole core.
struct Load {
  std::string name;
  std::vector<double> ns;
  std::vector<double> slowness;

  double ideal() const {
    double work = 0, speed = 0;
    for (const double one : ns) work += one;
    for (const double slow : slowness) speed += 1 / slow;
    return std::max(work / speed, *std::ranges::max_element(ns));
  }
};

// Quantiles of a distribution, in growing order, with the mean that is asked for.
template <class Quantile>
std::vector<double> growing(size_t n, double mean, Quantile quantile) {
  std::vector<double> ns(n);
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += ns[i] = quantile((static_cast<double>(i) + 0.5) / static_cast<double>(n));
  for (double& one : ns) one *= mean * static_cast<double>(n) / sum;
  return ns;
}

// Work that lies together: a twentieth of the iterations, from the middle on, has two thirds of it.
inline double together(double part) { return part >= 0.5 && part < 0.55 ? 38 : 1; }

inline void add(std::vector<Load>& all, uint32_t threads, const std::string& name,
                const std::vector<double>& ns) {
  all.push_back({name, ns, std::vector<double>(threads, 1)});
  all.push_back({name + ", one slow", ns, std::vector<double>(threads, 1)});
  all.back().slowness[threads / 2] = 2;
}

inline void add_orders(std::vector<Load>& all, uint32_t threads, const std::string& name,
                       std::vector<double> ns) {
  add(all, threads, name + " up", ns);
  std::ranges::reverse(ns);
  add(all, threads, name + " down", ns);
  std::mt19937 random(7);
  for (size_t i = ns.size() - 1; i > 0; --i) std::swap(ns[i], ns[random() % (i + 1)]);
  add(all, threads, name + " shuffled", ns);
}

inline std::vector<Load> loads(uint32_t threads) {
  const auto linear = [](double q) { return q; };
  const auto exponential = [](double q) { return -std::log1p(-q); };
  const auto power = [](double q) { return std::pow(1 - q, -1 / 1.3); };  // degrees: gamma = 2.3
  std::vector<Load> all;
  for (const auto& [size, n, ns] : {std::tuple(std::string("long "), size_t{2000}, 1e4),
                                    {"short ", 200'000, 100},
                                    {"brief ", 20'000, 10}}) {
    add(all, threads, size + "uniform", growing(n, ns, [](double) { return 1.0; }));
    add(all, threads, size + "together", growing(n, ns, together));
    add_orders(all, threads, size + "linear", growing(n, ns, linear));
    add_orders(all, threads, size + "exponential", growing(n, ns, exponential));
    add_orders(all, threads, size + "power law", growing(n, ns, power));
  }
  return all;
}

}  // namespace virtual_loops
