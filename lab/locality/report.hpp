// report.hpp: the counts of each region, as one JSON object in one file:
//
//   {"regions": [{"region": 3, "run": 0, "stopped": true, "machine_cycles": N,
//                 "totals": {COUNTER: N, …},
//                 "cpus": [{"cpu": 0, "node": 0, COUNTER: N, …}, …]}, …],
//    "refused": null | "reason"}
//
// The file is whole after each region, so that a guest that is killed leaves the regions until
// then. The last region has "stopped": false if the guest ended inside it.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "locality/counters.hpp"
#include "locality/machine.hpp"

namespace vicino::lab {

struct Region {
  int number;
  bool stopped;
  std::uint64_t machine_cycles;  // how far the foremost clock has come
  std::vector<Counters> cpus;
};

class Report {
 public:
  // Makes the file, without regions.
  Report(const std::string& path, std::vector<Cpu> cpus);

  void add(const Region& region);
  void refuse(const std::string& reason);

  // Whether nothing has failed so far.
  bool good() const { return file_.good(); }

 private:
  void append(const std::string& region, const std::string& refused);

  std::vector<Cpu> cpus_;
  std::ofstream file_;
  std::streamoff end_ = 0;  // of the last region: what follows is written anew each time
  int runs_ = 0;
};

}  // namespace vicino::lab
