// bench_facts.hpp: what a reader of figures from another machine has to know of it, and how busy it was.
//
// Not    who the user is or what the machine is called: pages are made to be sent to others.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "environment.hpp"

namespace vicino::cli {

using Facts = std::vector<std::pair<std::string, std::string>>;  // a name and a text for people

// Those that do not change while programs run.
Facts machine_facts(const Environment& environment);

// The same as JSON, with what machine_json() has.
nlohmann::ordered_json facts_json(const Facts& facts);

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
