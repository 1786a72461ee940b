// job_text.cpp: a Job as text for people and as JSON.
#include <stdio.h>

#include <cinttypes>
#include <iterator>

#include "base/quote.hpp"
#include "job.hpp"

namespace vicino::pmpi {
namespace {

constexpr std::size_t kSitesInText = 12;

template <class... Values>
std::string text(const char* format, Values... values) {
  char line[512];
  snprintf(line, sizeof line, format, values...);
  return line;
}

struct Unit {
  double size;
  const char* name;
};

// Three digits and a unit. The units come largest first.
template <std::size_t kUnits>
std::string in_units(double value, const Unit (&units)[kUnits]) {
  const Unit* unit = units;
  while (value < unit->size && unit + 1 != std::end(units)) ++unit;
  return text("%.3g %s", value / unit->size, unit->name);
}

std::string in_time(double ns) {
  static constexpr Unit kTimes[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  // %.3g would write 1230 s as 1.23e+03 s.
  return ns >= 999.5e9 ? text("%.0f s", ns / 1e9) : in_units(ns, kTimes);
}
std::string in_time(uint64_t ns) { return in_time(static_cast<double>(ns)); }

std::string in_bytes(uint64_t bytes) {
  static constexpr Unit kSizes[] = {{1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"},
                                    {1e6, "MB"},  {1e3, "kB"},  {1, "bytes"}};
  return bytes == 1 ? "1 byte" : in_units(static_cast<double>(bytes), kSizes);
}

std::string counted(uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string in_percent(double share) { return text("%.0f %%", 100 * share); }
std::string in_column(double share) { return text("%3.0f %%", 100 * share); }

std::string efficiencies(const Job& job) {
  std::string lines = "  parallel efficiency       " + in_column(job.parallel_efficiency()) +
                      ": of the ranks' time, " + in_percent(1 - job.parallel_efficiency()) +
                      " was not spent computing\n";
  lines += "  load balance              " + in_column(job.load_balance()) + ": " +
           in_percent(1 - job.load_balance()) +
           " is lost because ranks compute for different times, " + in_time(job.mean_compute_ns()) +
           " in the mean and " + in_time(job.longest_compute_ns()) + " in rank " +
           std::to_string(job.longest_compute_at()) + "\n";
  lines += "  communication efficiency  " + in_column(job.communication_efficiency()) + ": " +
           in_percent(1 - job.communication_efficiency()) +
           " is lost because the job takes longer than the computing of that rank\n";
  return lines;
}

std::string table_of_ranks(const Job& job) {
  std::string lines = "  rank        time     compute      in MPI  of it waiting    calls\n";
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    const RankTimes& rank = job.ranks[i];
    lines += text("  %4zu  %10s  %10s  %10s  %13s  %7" PRIu64 "  on %.100s\n", i,
                  in_time(rank.wall_ns).c_str(), in_time(rank.compute_ns()).c_str(),
                  in_time(rank.inside_ns).c_str(), in_time(rank.waiting_ns).c_str(), rank.calls(),
                  printable(rank.host).c_str());
  }
  return lines;
}

double mean_waiting_ns(const SiteOfJob& site, const Job& job) {
  return static_cast<double>(site.all.waiting_ns) / static_cast<double>(job.ranks.size());
}

std::string paragraph(const SiteOfJob& site, const Job& job) {
  const SiteTimes& all = site.all;
  std::string lines = "  " + all.call + " at " + all.place;
  if (!all.from.empty()) lines += ", from " + all.from;
  lines += "\n    " + counted(all.calls, "call") + " in " + counted(site.ranks, "rank") + ", " +
           in_bytes(all.bytes) + ", " + in_time(all.ns) + " inside, " + in_time(all.waiting_ns) +
           " of it waiting\n";
  if (job.ranks.size() > 1 && all.waiting_ns > 0)
    lines += "    waiting of a rank: " + in_time(site.least_waiting_ns) + " at least, " +
             in_time(mean_waiting_ns(site, job)) + " in the mean, " +
             in_time(site.most_waiting_ns) + " at most, in rank " + std::to_string(site.most_at) +
             "\n";
  return lines;
}

std::string list_of_sites(const Job& job) {
  if (job.sites.empty()) return "  No rank called a function of MPI that can wait.\n";
  std::string lines = "  The call sites that waited most:\n";
  for (std::size_t i = 0; i < job.sites.size() && i < kSitesInText; ++i)
    lines += paragraph(job.sites[i], job);
  if (job.sites.size() > kSitesInText)
    lines += "  and " + counted(job.sites.size() - kSitesInText, "more site") + "\n";
  return lines;
}

std::string json_of(const RankTimes& rank, std::size_t number) {
  return text("{\"rank\": %zu, \"wall_ns\": %" PRIu64 ", \"compute_ns\": %" PRIu64
              ", \"inside_ns\": %" PRIu64 ", \"waiting_ns\": %" PRIu64 ", \"calls\": %" PRIu64
              ", \"host\": ",
              number, rank.wall_ns, rank.compute_ns(), rank.inside_ns, rank.waiting_ns,
              rank.calls()) +
         in_json(rank.host) + "}";
}

std::string json_of(const SiteOfJob& site, const Job& job) {
  const SiteTimes& all = site.all;
  return "{\"call\": " + in_json(all.call) + ", \"place\": " + in_json(all.place) +
         ", \"from\": " + in_json(all.from) +
         text(", \"ranks\": %" PRIu64 ", \"calls\": %" PRIu64 ", \"bytes\": %" PRIu64
              ", \"ns\": %" PRIu64 ", \"waiting_ns\": %" PRIu64
              ", \"waiting_ns_of_a_rank\": {\"min\": %" PRIu64 ", \"mean\": %.0f, \"max\": %" PRIu64
              ", \"max_at\": %" PRIu64 "}}",
              site.ranks, all.calls, all.bytes, all.ns, all.waiting_ns, site.least_waiting_ns,
              mean_waiting_ns(site, job), site.most_waiting_ns, site.most_at);
}

template <class Items, class ToText>
std::string json_list(const Items& items, ToText to_text) {
  std::string list = "[";
  for (std::size_t i = 0; i < items.size(); ++i)
    list += (i == 0 ? "\n    " : ",\n    ") + to_text(items[i], i);
  return list + (items.empty() ? "]" : "\n  ]");
}

}  // namespace

std::string as_text(const Job& job) {
  return "vicino: report of a job of " + counted(job.ranks.size(), "rank") + ", " +
         printable(job.program) + " (" + job.mpi + "), " + in_time(job.wall_ns()) +
         " from MPI_Init to MPI_Finalize\n" + efficiencies(job) + table_of_ranks(job) +
         list_of_sites(job);
}

std::string as_json(const Job& job) {
  std::string json =
      "{\n  \"mpi\": " + in_json(job.mpi) + ",\n  \"program\": " + in_json(job.program);
  json += text(",\n  \"wall_ns\": %" PRIu64
               ",\n  \"parallel_efficiency\": %.6f,\n  \"load_balance\": %.6f,\n"
               "  \"communication_efficiency\": %.6f,\n",
               job.wall_ns(), job.parallel_efficiency(), job.load_balance(),
               job.communication_efficiency());
  json += "  \"ranks\": " + json_list(job.ranks, [](const RankTimes& rank, std::size_t number) {
            return json_of(rank, number);
          });
  json += ",\n  \"sites\": " + json_list(job.sites, [&](const SiteOfJob& site, std::size_t) {
            return json_of(site, job);
          });
  return json + "\n}\n";
}

}  // namespace vicino::pmpi
