// bandwidth.hpp: how much longer a line takes through a controller or a link that many use (R8).
//
// A resource has a capacity of lines in a cycle. Its users would ask for `demand` times as many if it
// cost them nothing. Then each line takes (1 + demand^4)^(1/4) times as long: with n users that alone
// would get b1 each, together they get ((n b1)^-4 + B^-4)^(-1/4), a knee without a corner. Each user
// past the number that saturates the resource costs `loss` of the capacity.
//
// The demand is measured in windows of a length of bw_window cycles. A line that takes f times as
// long is asked for f times less often, so a window's demand is the sum of the f of its lines. For
// users that wait for memory this is the demand at once; for others it approaches it. What earlier windows had counts half
// after each bw_window cycles. A window may be far longer, since time goes on in steps: where all CPUs wait for memory, to the
// first answer. If such a window counted as one, a burst after a barrier, whose lines are all asked for at once, would find
// nearly all of the factor of the burst before it, and each burst a larger one.
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

  // A window has ended. `share`: how much of the window one line takes up; `loss` of each user; `kept`: how much what
  // was before it still counts.
  void end_window(double share, double loss, double kept) {
    double demand = asked_ * share;
    const double users = static_cast<double>(users_.count());
    const double beyond = demand > 1 ? users - users / demand : 0;
    demand /= std::max(1 - loss * beyond, kLeast);
    const double load = demand * demand * demand * demand;
    load_ = load + (load_ - load) * kept;
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

  // A line from the memory of a node to a CPU's L3 group. Returns how many times as long as alone it takes.
  double memory(int cpu, int home) {
    const Cpu& user = machine_.cpus[cpu];
    double load = controllers_[home].load() + groups_[user.l3].load();
    if (const Resource* const link = link_to(user, home)) load += link->load();
    ask(cpu, home, factor_ = factor_of(load));
    return factor_;
  }

  // A line from a CPU's L3 group to the memory of a node, which makes room for the line that was asked for last, or follows
  // it. Nobody waits for it; but it comes as seldom as that one.
  void write_back(int cpu, int home) { ask(cpu, home, factor_); }

  // A line between two packages that no memory gives.
  double transfer(int cpu, int package) {
    Resource* const link = between(machine_.cpus[cpu].package, package);
    factor_ = link ? factor_of(link->load()) : 1;
    if (link) link->ask(cpu, factor_);
    return factor_;
  }

  // The time of the rounds has moved on.
  void drain(std::uint64_t cycles) {
    passed_ += cycles;
    if (passed_ < window_) return;
    const double length = static_cast<double>(passed_);
    const double kept = std::exp2(-length / static_cast<double>(window_));
    const auto end = [&](std::vector<Resource>& resources, double cost) {
      for (Resource& resource : resources) resource.end_window(cost / length, loss_, kept);
    };
    end(controllers_, controller_cost_);
    end(links_, link_cost_);
    end(groups_, group_cost_);
    passed_ = 0;
  }

 private:
  // Cycles that a line takes up; 0 if there is no limit.
  static double cost(std::uint64_t megabytes_per_second, const Parameters& parameters) {
    if (megabytes_per_second == 0) return 0;
    return static_cast<double>(Parameters::kLineBytes * parameters.mhz) /
           static_cast<double>(megabytes_per_second);
  }
  void ask(int cpu, int home, double factor) {
    const Cpu& user = machine_.cpus[cpu];
    controllers_[home].ask(cpu, factor);
    groups_[user.l3].ask(cpu, factor);
    if (Resource* const link = link_to(user, home)) link->ask(cpu, factor);
  }
  Resource* link_to(const Cpu& user, int home) {
    return between(user.package, machine_.nodes[home].package);
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
  double factor_ = 1;  // of the line that was asked for last
};

}  // namespace vicino::lab
