#include "locality/report.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace vicino::lab {
namespace {

using Json = nlohmann::ordered_json;

void put(Json& object, const Counters& counters) {
  for (std::size_t i = 0; i < kCounters; ++i)
    object[std::string(kCounterNames[i])] = counters[static_cast<Counter>(i)];
}

Json to_json(const Region& region, int run, const std::vector<Cpu>& cpus) {
  Json json = {{"region", region.number},
               {"run", run},
               {"stopped", region.stopped},
               {"machine_cycles", region.machine_cycles}};
  Counters totals;
  Json each = Json::array();
  for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu) {
    Json one = {{"cpu", cpu}, {"node", cpus[cpu].node}};
    put(one, region.cpus[cpu]);
    each.push_back(std::move(one));
    totals += region.cpus[cpu];
  }
  put(json["totals"], totals);
  json["cpus"] = std::move(each);
  return json;
}

}  // namespace

Report::Report(const std::string& path, std::vector<Cpu> cpus)
    : cpus_(std::move(cpus)), file_(path, std::ios::binary | std::ios::trunc) {
  append("{\"regions\": [", "null");
}

void Report::add(const Region& region) {
  const std::string separator = runs_ == 0 ? "\n" : ",\n";
  append(separator + to_json(region, runs_, cpus_).dump(), "null");
  ++runs_;
}

void Report::refuse(const std::string& reason) { append("", Json(reason).dump()); }

// Writes once, from the end of the last region, so that the file is whole again at once and a guest
// with many regions does not write the first ones over and over.
void Report::append(const std::string& region, const std::string& refused) {
  file_.seekp(end_);
  file_ << region + "],\n\"refused\": " + refused + "}\n" << std::flush;
  end_ += static_cast<std::streamoff>(region.size());
}

}  // namespace vicino::lab
