#include "tune/explanation.hpp"

#include <stdarg.h>
#include <stdio.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/arithmetic.hpp"
#include "base/natural.hpp"
#include "metric/objective.hpp"

namespace vicino::tune {
namespace {

using metric::Objective;

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char buffer[512];
  va_list list;
  va_start(list, format);
  vsnprintf(buffer, sizeof buffer, format, list);
  va_end(list);
  return buffer;
}

// The words for a kind of construct.
struct Words {
  std::string_view kind;
  const char* title;      // before its team
  const char* candidate;  // what its candidates are
  const char* candidates;
  const char* part = "iteration";  // of an execution; "": it has only one
};
constexpr Words kWords[] = {
    {"loop", "", "schedule", "schedules"},
    {"static", "static in the compiled code, ", "schedule", "schedules"},
    {"taskloop", "taskloop, ", "policy", "steal policies"},
    {"region", "region, ", "", "", ""},
    {"combined", "combined region, which one thread may run alone, ", "", "", ""},
    {kPages, "pages that one thread filled, ", "placement", "placements", ""},
    {kGraph, "task graph, ", "coarse string", "coarse strings", "task"},
};
constexpr Words kOther = {"", "", "candidate", "candidates"};

// The kind of construct, on one node or on several.
std::string_view kind_anywhere(const ProfileKey& key) noexcept {
  constexpr std::string_view kByNode = "_by_node";
  std::string_view construct = construct_of(key);
  if (construct.ends_with(kByNode)) construct.remove_suffix(kByNode.size());
  return construct;
}

const Words& words_of(const ProfileEntry& entry) noexcept {
  const auto found = std::ranges::find(kWords, kind_anywhere(entry.key), &Words::kind);
  return found == std::end(kWords) ? kOther : *found;
}

// The entry's objective, if this vicino knows it.
std::optional<Objective> objective_of(const ProfileEntry& entry) noexcept {
  const auto known = std::ranges::find(metric::kObjectives, entry.key.objective);
  if (known == metric::kObjectives.end()) return std::nullopt;
  return static_cast<Objective>(known - metric::kObjectives.begin());
}

std::string amount(const ProfileEntry& entry, double cost) {
  const auto objective = objective_of(entry);
  return objective ? metric::in_words(*objective, cost)
                   : text("%.3g %.100s", cost, entry.key.objective.c_str());
}

const char* noun_of(const ProfileEntry& entry) noexcept {
  const auto objective = objective_of(entry);
  return objective ? metric::noun(*objective) : "cost";
}

// A count, as printf takes it.
unsigned long long number(uint64_t count) { return count; }

double mean_trip(const ProfileEntry& entry) noexcept {
  if (entry.executions == 0) return power_of_two(static_cast<int>(entry.key.trip_bits) - 1);
  return static_cast<double>(entry.iterations) / static_cast<double>(entry.executions);
}

// A site is short if it takes little time, whatever it is tuned for.
std::string time_of_execution(const ProfileEntry& entry) {
  if (objective_of(entry) == Objective::kTime || entry.executions == 0)
    return cost_of_execution(entry, entry.by_default.cost);
  return in_words(static_cast<double>(entry.total_ns) / static_cast<double>(entry.executions));
}

std::string row(const ProfileEntry& entry, const Measured& tried) {
  std::string name = tried.with.candidate == kNoCandidate ? "" : tried.with.candidate;
  for (const std::string& more : tried.with.more) name += " " + more;
  if (tried.samples == 0)
    return text("  %-14.200s %7u %7u %10s  not tried yet\n", name.c_str(), tried.with.threads, 0,
                "-");
  return text("  %-14.200s %7u %7u %10s  %s to %s%s\n", name.c_str(), tried.with.threads,
              tried.samples, cost_of_execution(entry, tried.cost).c_str(),
              cost_of_execution(entry, tried.low).c_str(),
              cost_of_execution(entry, tried.high).c_str(), tried.beaten ? "  beaten" : "");
}

// If a site was never timed to its end, only the key tells its iterations.
std::string parts_of(const ProfileEntry& entry, const char* part) {
  if (*part == '\0') return {};
  if (entry.executions > 0) return text(", %.0f %ss", mean_trip(entry), part);
  const double first = power_of_two(static_cast<int>(entry.key.trip_bits) - 1);
  return first <= 1 ? text(", 1 %s", part) : text(", %.0f to %.0f %ss", first, 2 * first - 1, part);
}

// Only a loop's default is known even if the loop was never timed.
std::string left_as(const ProfileEntry& entry) {
  const std::string_view construct = kind_anywhere(entry.key);
  const bool is_loop = construct == "loop" || construct == "static";
  return is_loop ? "left as it is, " + in_words(entry.by_default.with) : "left as it is";
}

std::string why_left(const ProfileEntry& entry) {
  if (entry.executions == 0) return "none of its executions came to its end";
  if (entry.by_default.samples == 0 && entry.by_default.cost == 0)
    return "too few of its executions came to their end";
  return time_of_execution(entry) + " is too short to gain anything";
}

std::string paragraph(const Explained& site) {
  const ProfileEntry& entry = site.entry;
  const Words& words = words_of(entry);
  std::string told = entry.where.empty() ? text("0x%llx", number(entry.key.offset)) : entry.where;
  told += text(", %s%steam of %u, timed %llu times", words.title,
               is_inner(entry.key) ? "in an inner region, " : "", entry.key.team,
               number(entry.executions));
  told += parts_of(entry, words.part) + "\n";
  told += "  " + reason(site) + "\n";
  if (entry.explored_again > 0)
    told += text("  its %s changed, so it was explored again: %llu time%s\n", noun_of(entry),
                 number(entry.explored_again), entry.explored_again == 1 ? "" : "s");
  if (entry.tried.empty()) return told;
  told += text("  %-14s %7s %7s %10s  %s\n", words.candidate, "threads", "samples", noun_of(entry),
               "between");
  for (const Measured& tried : entry.tried) told += row(entry, tried);
  return told;
}

// Whether the configuration equals the default, wherever it comes from.
bool is_default(const Configuration& with, const ProfileEntry& entry) noexcept {
  return with.candidate == entry.by_default.with.candidate &&
         with.threads == entry.by_default.with.threads;
}

}  // namespace

std::string in_words(double ns) { return metric::in_words(Objective::kTime, ns); }

std::string in_words(const Configuration& configuration) {
  std::string words =
      configuration.candidate == kNoCandidate ? "" : configuration.candidate + " on ";
  words += std::to_string(configuration.threads);
  words += configuration.threads == 1 ? " thread" : " threads";
  for (const std::string& more : configuration.more)
    words += more.starts_with(kFirstNode) ? ", first of node " + more.substr(kFirstNode.size())
             : more.starts_with(kFirstGroup)
                 ? ", first of cache group " + more.substr(kFirstGroup.size())
             : more == kLikeHalf  ? ", as for loops of half the length"
             : more == kLikeTwice ? ", as for loops of twice the length"
                                  : ", " + more;
  return words;
}

std::string cost_of_execution(const ProfileEntry& entry, double cost) {
  return amount(entry, cost * mean_trip(entry));
}

std::string reason(const Explained& site) {
  const ProfileEntry& entry = site.entry;
  const std::string best = in_words(entry.best.with);
  const char* const source = site.remembered ? ", as the profile has it" : "";
  switch (entry.progress) {
    case Progress::kWarmUp:
    case Progress::kSchedules:
      if (entry.tried.empty()) return "nothing is known of it yet";
      return "so far " + best + "; it still tries " + words_of(entry).candidates;
    case Progress::kWidths:
      if (entry.tried.empty()) return "nothing is known of it yet";
      return "so far " + best + "; it still tries numbers of threads";
    case Progress::kLeftAlone:
      return left_as(entry) + source + ": " + why_left(entry);
    case Progress::kSettled:
      break;
  }
  if (is_default(entry.best.with, entry))
    return best + source + ": nothing that was tried is clearly better";
  return best + source + ": " + cost_of_execution(entry, entry.best.cost) + " against " +
         cost_of_execution(entry, entry.by_default.cost) + " for " +
         in_words(entry.by_default.with);
}

double gain_of(const ProfileEntry& entry) noexcept {
  if (entry.progress != Progress::kSettled) return 0;
  return std::max(entry.by_default.cost - entry.best.cost, 0.0) *
         static_cast<double>(entry.settled_iterations);
}

bool is_told_before(const Explained& a, const Explained& b) noexcept {
  if (a.entry.total_ns != b.entry.total_ns) return a.entry.total_ns > b.entry.total_ns;
  if (a.entry.where != b.entry.where) return comes_before(a.entry.where, b.entry.where);
  return a.entry.key < b.entry.key;
}

std::string explanation(std::span<const Explained> sites) {
  std::string told;
  double total = 0, explored = 0;
  std::array<std::optional<double>, metric::kObjectives.size()> gained;
  for (const Explained& site : sites) {
    told += paragraph(site);
    total += static_cast<double>(site.entry.total_ns);
    explored += static_cast<double>(site.entry.explored_ns);
    if (const auto objective = objective_of(site.entry)) {
      auto& sum = gained[static_cast<std::size_t>(*objective)];
      sum = sum.value_or(0) + gain_of(site.entry);
    }
  }
  std::string saved;
  for (std::size_t i = 0; i < gained.size(); ++i)
    if (gained[i])
      saved +=
          (saved.empty() ? "" : " and ") + metric::in_words(static_cast<Objective>(i), *gained[i]);
  return told + text("all that was timed: %s, of which trying cost %s (%.1f %%); about %s saved\n",
                     in_words(total).c_str(), in_words(explored).c_str(),
                     total > 0 ? 100 * explored / total : 0,
                     saved.empty() ? "nothing" : saved.c_str());
}

}  // namespace vicino::tune
