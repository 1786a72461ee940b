// report_text.cpp: a Report as text for people and as JSON.
#include <stdio.h>

#include <algorithm>

#include "base/quote.hpp"
#include "base/version.hpp"
#include "region/report.hpp"
#include "tune/explanation.hpp"

namespace vicino::region {
namespace {

using tune::in_words;

std::string counted(uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

double mean_ns(const site::RegionSum& sum) {
  return static_cast<double>(sum.ns) / static_cast<double>(sum.regions);
}

// The time of all regions. A region inside of another one counts as part of that one.
uint64_t outermost_ns(const Report& report) {
  uint64_t ns = 0;
  for (const site::RegionSum& sum : report.regions)
    if (!sum.kind.inner) ns += sum.ns;
  return ns;
}

std::string in_seconds(const Report& report) {
  char text[32];
  snprintf(text, sizeof text, "%.2f s", report.seconds);
  return text;
}

// "1200 regions of 4 threads, 12.3 us each, 14.8 ms together"
std::string line_of(const site::RegionSum& sum) {
  const site::RegionKind& kind = sum.kind;
  std::string line = counted(sum.regions, "region") + " of " +
                     counted(static_cast<uint64_t>(kind.threads), "thread");
  if (kind.asked != kind.threads)
    line += " where " + std::to_string(kind.asked) + " were asked for";
  if (kind.inner) line += ", inside of others";
  if (kind.alone) line += ", begun and ended by one of them";
  line += ", " + in_words(mean_ns(sum)) + (sum.regions == 1 ? "" : " each");
  if (sum.regions > 1) line += ", " + in_words(static_cast<double>(sum.ns)) + " together";
  return line;
}

std::string line_of(const ForeignRuntime& runtime) {
  if (runtime.users.empty()) return "  " + runtime.path + ": no library is bound to it\n";
  std::string lines;
  for (const ForeignUser& user : runtime.users)
    lines += "  " + runtime.path + ": " + user.library + " is bound to it (" + user.entry +
             "); what runs there is not counted\n";
  return lines;
}

std::string line_of_vicino(const Report& report) {
  std::string line = "  " + report.vicino + " (Vicino " + version() + "): ";
  if (report.all_regions == 0) return line + "it ran no region\n";
  line += "it ran " + counted(report.all_regions, "region") + ", " +
          in_words(static_cast<double>(outermost_ns(report)));
  return line + (report.seconds > 0 ? " of " + in_seconds(report) + "\n" : "\n");
}

std::string percent(double share) {
  char text[16];
  snprintf(text, sizeof text, "%.0f %%", share * 100);
  return text;
}

// "parallel efficiency 51 % = load balance 52 % x scheduling 99 % x serialization 99 %"; within a region nothing is
// serial.
std::string line_of(const metric::Lost& lost, bool in_region) {
  const metric::Efficiency its = lost.efficiency();
  std::string line = "parallel efficiency " + percent(its.parallel) + " = load balance " +
                     percent(its.load_balance) + " x scheduling " + percent(its.scheduling);
  if (!in_region) line += " x serialization " + percent(its.serialization);
  return line;
}

// The words of a trace.
const char* word_of(ompt::Work kind) {
  switch (kind) {
    case ompt::Work::kNone:
      return "region";
    case ompt::Work::kStaticLoop:
      return "static loop";
    case ompt::Work::kDynamicLoop:
      return "dynamic loop";
    case ompt::Work::kGuidedLoop:
      return "guided loop";
    case ompt::Work::kTaskloop:
      return "taskloop";
    case ompt::Work::kTasks:
      return "tasks";
    default:
      return "loop";
  }
}

// Whether more than the load balance is known.
bool has_all(const event::ConstructUse& one) { return one.is_region() || one.is_of_tasks(); }

std::string line_of(const event::ConstructUse& one, const std::string& place) {
  std::string line = "  ";
  if (!one.is_region()) line += word_of(one.kind) + std::string(" ");
  line += "at " + place + (one.is_inner ? ", inside of others, " : ", ") +
          counted(one.executions, one.is_region() ? "region" : "time") + ", " +
          in_words(static_cast<double>(one.ns)) + ": ";
  return line +
         (has_all(one) ? line_of(one.lost, true)
                       : "load balance " + percent(one.lost.efficiency().load_balance)) +
         "\n";
}

std::string lines_of_use(const event::Use& use, const std::vector<std::string>& places) {
  constexpr int kMostShown = 10;
  if (use.team < 2) return {};
  std::string lines = use.is_known ? "the time of " + std::to_string(use.team) +
                                         " threads: " + line_of(use.lost, false) + "\n"
                                   : "the time of threads, as far as it can be told:\n";
  int regions = 0, loops = 0;
  for (size_t i = 0; i < use.constructs.size(); ++i) {
    const event::ConstructUse& one = use.constructs[i];
    if (one.team > 1 && ++(one.is_region() ? regions : loops) <= kMostShown)
      lines += line_of(one, places[i]);
  }
  return lines;
}

std::string json_of(const metric::Lost& lost) {
  const metric::Efficiency its = lost.efficiency();
  char text[256];
  snprintf(text, sizeof text,
           "{\"parallel\": %.6g, \"load_balance\": %.6g, \"scheduling\": %.6g, "
           "\"serialization\": %.6g}",
           its.parallel, its.load_balance, its.scheduling, its.serialization);
  return text;
}

// With the keys of `vicino report --json`.
std::string json_of(const event::Use& use, const std::vector<std::string>& places) {
  if (!use.is_counted) return "\"efficiency\": null, \"constructs\": []";
  std::string json = "\"efficiency\": " + (use.is_known ? json_of(use.lost) : "null") +
                     ", \"team\": " + std::to_string(use.team) + ", \"constructs\": [";
  for (size_t i = 0; i < use.constructs.size(); ++i) {
    const event::ConstructUse& one = use.constructs[i];
    char balance[48];
    snprintf(balance, sizeof balance, "{\"load_balance\": %.6g}",
             one.lost.efficiency().load_balance);
    json += std::string(i == 0 ? "\n  " : ",\n  ") + "{\"kind\": \"" + word_of(one.kind) +
            "\", \"place\": " + in_json(places[i]) +
            ", \"inner\": " + (one.is_inner ? "true" : "false") +
            ", \"executions\": " + std::to_string(one.executions) +
            ", \"ns\": " + std::to_string(one.ns) + ", \"team\": " + std::to_string(one.team) +
            ", \"efficiency\": " + (has_all(one) ? json_of(one.lost) : balance) + "}";
  }
  return json + "]";
}

std::string json_of(const site::RegionSum& sum) {
  const site::RegionKind& kind = sum.kind;
  const auto flag = [](bool is) { return is ? "true" : "false"; };
  char text[256];
  snprintf(text, sizeof text,
           "{\"threads\": %d, \"asked\": %d, \"by_clause\": %s, \"inner\": %s, \"alone\": %s, "
           "\"regions\": %llu, \"ns\": %llu}",
           kind.threads, kind.asked, flag(kind.by_clause), flag(kind.inner), flag(kind.alone),
           static_cast<unsigned long long>(sum.regions), static_cast<unsigned long long>(sum.ns));
  return text;
}

std::string json_of(const ForeignUser& user) {
  return "{\"library\": " + in_json(user.library) + ", \"entry\": " + in_json(user.entry) +
         ", \"forks\": " + (user.forks ? "true" : "false") + "}";
}

std::string json_of(const ForeignRuntime& runtime);
std::string json_of(const std::string& text) { return in_json(text); }

template <class Item>
std::string json_list(const std::vector<Item>& items) {
  std::string list = "[";
  for (const Item& item : items) list += (list.size() == 1 ? "\n  " : ",\n  ") + json_of(item);
  return list + "]";
}

std::string json_of(const ForeignRuntime& runtime) {
  return "{\"path\": " + in_json(runtime.path) + ", \"users\": " + json_list(runtime.users) + "}";
}

}  // namespace

std::string as_text(const Report& report) {
  std::string text = "vicino: report of process " + std::to_string(report.process) + ", " +
                     printable(report.program) + "\nOpenMP runtimes in it:\n" +
                     line_of_vicino(report);
  for (const ForeignRuntime& runtime : report.foreign) text += line_of(runtime);
  if (!report.regions.empty()) text += "parallel regions:\n";
  for (const site::RegionSum& sum : report.regions) text += "  " + line_of(sum) + "\n";
  text += lines_of_use(report.use, report.places);
  if (report.cpus > 0) text += "CPUs for a team: " + std::to_string(report.cpus) + "\n";
  if (!report.binding.empty()) text += "binding: " + report.binding + "\n";
  if (report.bound_by_another)
    text += "  another runtime had bound the initial thread; Vicino has undone that\n";
  if (!report.settings.empty()) text += "settings:";
  for (const std::string& setting : report.settings) text += " " + setting;
  if (!report.settings.empty()) text += "\n";
  for (const std::string& remark : report.remarks) text += "note: " + remark + "\n";
  return text;
}

std::string as_json(const Report& report) {
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%.0f", report.seconds * 1e9);
  return "{\"schema\": 1, \"version\": " + in_json(version()) +
         ", \"process\": " + std::to_string(report.process) +
         ", \"program\": " + in_json(report.program) + ", \"process_ns\": " + seconds +
         ",\n\"vicino\": " + in_json(report.vicino) +
         ", \"other_runtimes\": " + json_list(report.foreign) +
         ",\n\"regions\": " + std::to_string(report.all_regions) +
         ", \"region_ns\": " + std::to_string(outermost_ns(report)) +
         ", \"region_kinds\": " + json_list(report.regions) + ",\n" +
         json_of(report.use, report.places) + ",\n\"cpus\": " + std::to_string(report.cpus) +
         ", \"binding\": " + in_json(report.binding) +
         ", \"bound_by_another\": " + (report.bound_by_another ? "true" : "false") +
         ",\n\"settings\": " + json_list(report.settings) +
         ",\n\"remarks\": " + json_list(report.remarks) + "}\n";
}

}  // namespace vicino::region
