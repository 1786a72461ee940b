// bandwidth.hpp: how much longer a line takes through a controller or a link that many use (R8).
//
// A resource has a capacity of lines in a cycle. Its users would ask for `demand` times as many if it
// cost them nothing. Then each line takes (1 + demand^4)^(1/4) times as long: with n users that alone
// would get b1 each, together they get ((n b1)^-4 + B^-4)^(-1/4), a knee without a corner. Each user
// past the number that saturates the resource costs `loss` of the capacity.
//
// The demand is measured in windows of a length of bw_window cycles. A line that takes f times as
// long is asked for f times less often, so a window's demand is the sum of the f of its lines. For
// users that wait for memory this is the demand at once; for others it approaches it.
//
// Source  measured scaling curves (kerncraft's machine files). The shares of the
//         users are in proportion to their demands, as all lines take f times as long (Afzal, Hager,
//         Wellein, CPE e6816).
#pragma once

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <vector>

#include "locality/machine.hpp"
#include "locality/parameters.hpp"

namespace vicino::lab {

class Resource {
 public:
  // demand^4 of the last windows; what several resources add to a line's factor.
  double load() const { return load_; }

  void ask(int cpu, double factor) {
    asked_ += factor;
    users_.set(static_cast<std::size_t>(cpu));
  }

  // A window has ended. `share`: how much of the window one line takes up; `loss` of each user.
  void end_window(double share, double loss) {
    double demand = asked_ * share;
    const double users = static_cast<double>(users_.count());
    const double beyond = demand > 1 ? users - users / demand : 0;
    demand /= std::max(1 - loss * beyond, kLeast);
    const double load = demand * demand * demand * demand;
    load_ = (load_ + load) / 2;
    asked_ = 0;
    users_.reset();
  }

 private:
  static constexpr double kLeast = 0.2;  // of the capacity is left, whatever the loss

  double load_ = 0;
  double asked_ = 0;
  std::bitset<kMaxCpus> users_;
};

// One controller for each node, one link for each pair of packages, one link for each L3 group.
class Bandwidth {
 public:
  Bandwidth(const Machine& machine, const Parameters& parameters)
      : machine_(machine),
        packages_(machine.packages()),
        window_(parameters.bw_window),
        loss_(static_cast<double>(parameters.bw_loss) / 10000),
        controller_cost_(cost(parameters.bw_mc, parameters)),
        link_cost_(cost(parameters.bw_link, parameters)),
        group_cost_(cost(parameters.bw_group, parameters)),
        controllers_(machine.nodes.size()),
        links_(static_cast<std::size_t>(packages_ * packages_)),
        groups_(static_cast<std::size_t>(machine.l3_groups())) {}

  // A line between a CPU's L3 group and the memory of a node. Returns how many times as long as
  // alone it takes.
  double memory(int cpu, int home) {
    const Cpu& user = machine_.cpus[cpu];
    Resource* const link = between(user.package, machine_.nodes[home].package);
    double load = controllers_[home].load() + groups_[user.l3].load();
    if (link) load += link->load();
    const double factor = factor_of(load);
    controllers_[home].ask(cpu, factor);
    groups_[user.l3].ask(cpu, factor);
    if (link) link->ask(cpu, factor);
    return factor;
  }

  // A line between two packages that no memory gives.
  double transfer(int cpu, int package) {
    Resource* const link = between(machine_.cpus[cpu].package, package);
    if (!link) return 1;
    const double factor = factor_of(link->load());
    link->ask(cpu, factor);
    return factor;
  }

  // The time of the rounds has moved on.
  void drain(std::uint64_t cycles) {
    passed_ += cycles;
    if (passed_ < window_) return;
    const double length = static_cast<double>(passed_);
    for (Resource& controller : controllers_)
      controller.end_window(controller_cost_ / length, loss_);
    for (Resource& link : links_) link.end_window(link_cost_ / length, loss_);
    for (Resource& group : groups_) group.end_window(group_cost_ / length, loss_);
    passed_ = 0;
  }

 private:
  // Cycles that a line takes up; 0 if there is no limit.
  static double cost(std::uint64_t megabytes_per_second, const Parameters& parameters) {
    if (megabytes_per_second == 0) return 0;
    return static_cast<double>(Parameters::kLineBytes * parameters.mhz) /
           static_cast<double>(megabytes_per_second);
  }
  static double factor_of(double load) { return std::sqrt(std::sqrt(1 + load)); }
  Resource* between(int a, int b) {
    return a == b ? nullptr
                  : &links_[static_cast<std::size_t>(std::min(a, b) * packages_ + std::max(a, b))];
  }

  Machine machine_;
  int packages_;
  std::uint64_t window_;
  double loss_;
  double controller_cost_, link_cost_, group_cost_;
  std::vector<Resource> controllers_, links_, groups_;
  std::uint64_t passed_ = 0;
};

}  // namespace vicino::lab
