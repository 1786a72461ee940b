#include "report_json.hpp"

#include <time.h>

#include <algorithm>

namespace vicino::cli {
namespace {

using Json = nlohmann::ordered_json;

Json of_efficiency(const Lost& lost) {
  const Efficiency its = lost.efficiency();
  return {{"parallel", its.parallel},
          {"load_balance", its.load_balance},
          {"scheduling", its.scheduling},
          {"serialization", its.serialization}};
}

Json of_spread(const Lengths& spread) {
  if (spread.count == 0) return {{"count", 0}};
  return {{"count", spread.count},        {"ns", spread.sum},
          {"least", spread.least},        {"median", spread.quantile(0.5)},
          {"p99", spread.quantile(0.99)}, {"most", spread.most}};
}

Json of_doings(const Doings& ns) {
  Json its = Json::object();
  for (size_t i = 0; i < kDoings; ++i) its[std::string(kDoingNames[i])] = ns[i];
  return its;
}

Json of_construct(const TracedConstruct& one) {
  Json its = {{"kind", one.kind},
              {"place", one.place},
              {"executions", one.executions},
              {"lengths", of_spread(one.lengths)}};
  if (!one.code.empty()) its["code"] = one.code;
  if (one.pieces.count > 0) its["chunks"] = of_spread(one.pieces);
  if (one.lock_ns > 0) its["waited_for_lock"] = one.lock_ns;
  if (one.kind == "region") {
    its["team"] = one.team;
    its["efficiency"] = of_efficiency(one.lost);
    its["serial_before"] = one.serial_before;
  }
  its["by_thread"] = one.by_thread;
  return its;
}

Json of_talp_region(const Lost& lost, uint64_t elapsed_ns, uint64_t executions, int cpus) {
  const Efficiency its = lost.efficiency();
  return {{"numCpus", cpus},
          {"numMpiRanks", 0},
          {"numNodes", 1},
          {"numMeasurements", executions},
          {"elapsedTime", elapsed_ns},
          {"usefulTime", lost.useful},
          {"ompLoadImbalanceTime", lost.imbalance},
          {"ompSchedulingTime", lost.scheduling},
          {"ompSerializationTime", lost.serial},
          {"cycles", 0},
          {"instructions", 0},
          {"parallelEfficiency", its.parallel},
          {"mpiParallelEfficiency", 1},
          {"mpiCommunicationEfficiency", 1},
          {"mpiLoadBalance", 1},
          {"mpiLoadBalanceIn", 1},
          {"mpiLoadBalanceOut", 1},
          {"ompParallelEfficiency", its.parallel},
          {"ompLoadBalance", its.load_balance},
          {"ompSchedulingEfficiency", its.scheduling},
          {"ompSerializationEfficiency", its.serialization}};
}

}  // namespace

nlohmann::ordered_json talp_json(const Summary& summary) {
  char now[32];
  const time_t seconds = time(nullptr);
  tm date;
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &date));
  Json json = {{"dlbVersion", "3.7"},
               {"timestamp", now},
               {"resources",
                {{"numCpus", summary.team}, {"numNodes", 1}, {"numMpiRanks", 0}, {"numGpus", 0}}}};
  Json& regions = json["Application"];
  regions["Global"] = of_talp_region(summary.lost, summary.end - summary.begin, 1, summary.team);
  for (const TracedConstruct& one : summary.constructs) {
    if (one.kind != "region") continue;
    // A line of a template may have several regions.
    const std::string name =
        regions.contains(one.place) ? one.place + " (" + one.code + ")" : one.place;
    regions[name] =
        of_talp_region(one.lost, one.lengths.sum, one.executions, std::max(one.team, 1));
  }
  return json;
}

Json report_json(const Summary& summary, const std::vector<Diagnosis>& found) {
  Json json = {{"schema", 1},
               {"program", summary.file.program},
               {"seconds", summary.seconds()},
               {"team", summary.team},
               {"cpus", summary.cpus},
               {"events", summary.events},
               {"dropped", summary.dropped},
               {"cut_off", summary.file.is_cut_off},
               {"full", summary.is_full},
               {"efficiency", of_efficiency(summary.lost)},
               {"verdict", verdict_of(summary, found)}};
  json["diagnoses"] = Json::array();
  for (const Diagnosis& one : found)
    json["diagnoses"].push_back({{"disease", word_of(one.disease)},
                                 {"share", one.share},
                                 {"share_alone", one.alone},
                                 {"evidence", one.evidence},
                                 {"remedy", one.remedy},
                                 {"command", one.command}});
  json["threads"] = Json::array();
  for (const TracedThread& one : summary.threads)
    json["threads"].push_back({{"name", one.name},
                               {"node", one.node},
                               {"package", one.package},
                               {"ns", of_doings(one.ns)},
                               {"waited_for_core", one.core_ns},
                               {"tasks", one.tasks},
                               {"chunks", one.chunks}});
  json["constructs"] = Json::array();
  for (const TracedConstruct& one : summary.constructs)
    json["constructs"].push_back(of_construct(one));
  json["choices"] = Json::array();
  for (const TracedChoice& one : summary.choices)
    json["choices"].push_back({{"ns", one.ns},
                               {"place", one.place},
                               {"schedule", one.schedule},
                               {"threads", one.threads}});
  json["pages"] = summary.pages;
  if (!summary.memory.bytes.empty())
    json["memory"] = {{"ns", summary.memory.ns}, {"bytes", summary.memory.bytes}};
  json["steals"] = summary.steals_by_distance;
  return json;
}

}  // namespace vicino::cli
