// bench_bystanders.hpp: how busy the machine was with other things than what is measured.
#pragma once

namespace vicino::cli {

// CPU time of the whole machine since the start, and who used it.
class Bystanders {
 public:
  Bystanders();

  struct Shares {       // of all CPUs
    double others = 0;  // used by processes that are not ours
    double stolen = 0;  // withheld by a hypervisor
  };
  Shares until_now() const;

 private:
  struct Count {
    double wall, busy, stolen, own;  // seconds
  };
  static Count now();

  Count start_;
};

}  // namespace vicino::cli
