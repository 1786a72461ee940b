// bench_report.hpp: a measurement of `vicino bench` as a page for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench_bystanders.hpp"
#include "bench_measure.hpp"
#include "machine_facts.hpp"

namespace vicino::cli {

struct BenchFacts {
  Facts machine;
  Bystanders::Shares shares;
  std::string date;     // UTC
  int interrupted = 0;  // the signal that ended it early
};

std::string bench_page(const BenchMeasurement& measurement, const BenchFacts& facts);

// docs/reference/bench.md describes the keys; `schema` changes when a reader of them would have to.
nlohmann::ordered_json bench_json(const BenchMeasurement& measurement, const BenchFacts& facts);

// In how many comparisons Vicino was faster, no difference was seen, Vicino was slower, or there are
// too few rounds.
struct BenchCounts {
  int better = 0, same = 0, worse = 0, too_few = 0;
};
BenchCounts bench_counts(const BenchMeasurement& measurement);

}  // namespace vicino::cli
