#include "metric/energy.hpp"

namespace vicino::metric {
namespace {

class EnergySource : public Source {
 public:
  using Open = Result<std::unique_ptr<Counter>> (*)(const std::string&);
  EnergySource(Open way, const std::string& root) : open_(way), root_(root) {}
  bool is_of_threads() const noexcept override { return false; }
  double shortest_ns() const noexcept override { return 1e7; }  // ten steps
  Result<std::unique_ptr<Counter>> open() const override { return open_(root_); }

 private:
  const Open open_;
  const std::string root_;
};

}  // namespace

Result<std::unique_ptr<Source>> energy_source(const std::string& root) {
  std::string refused;
  for (const auto open : {open_powercap, open_power_events}) {
    const auto trial = open(root);
    if (trial) return std::unique_ptr<Source>(new EnergySource(open, root));
    refused += (refused.empty() ? "" : "; ") + trial.error();
  }
  return Error{refused};
}

}  // namespace vicino::metric
