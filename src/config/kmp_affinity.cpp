#include "config/kmp_affinity.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "config/affinity.hpp"
#include "config/numbers.hpp"
#include "config/words.hpp"

namespace vicino::config {
namespace {

using topo::Bind;

// A place for each granularity.
constexpr Word<std::string_view> kGranularities[] = {
    {"fine", "threads"},       {"thread", "threads"},    {"core", "cores"},
    {"ll_cache", "ll_caches"}, {"llc", "ll_caches"},     {"l3", "ll_caches"},
    {"node", "numa_domains"},  {"numa", "numa_domains"}, {"numa_domain", "numa_domains"},
    {"socket", "sockets"},     {"package", "sockets"},
};

using Type = Word<Bind>;
constexpr Type kExplicit = {"explicit", Bind::kClose};
constexpr Type kTypes[] = {{"compact", Bind::kClose},   {"scatter", Bind::kSpread},
                           {"balanced", Bind::kSpread}, kExplicit,
                           {"none", Bind::kFalse},      {"disabled", Bind::kFalse}};

// Modifiers that need nothing: the process's mask is always respected.
constexpr std::string_view kAccepted = "respect,verbose,noverbose,warnings,nowarnings";
constexpr std::string_view kRefused = "norespect";
constexpr std::string_view kReset = "reset", kNoReset = "noreset";

constexpr std::string_view kGranularity = "granularity";
constexpr std::string_view kProclist = "proclist";

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::any_of(words, [&](std::string_view known) { return same_word(known, word); });
}

// The parts between commas outside of brackets.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && (text[at] == '[' || text[at] == '{')) ++depth;
    if (at < text.size() && (text[at] == ']' || text[at] == '}')) --depth;
    if (at == text.size() || (text[at] == ',' && depth == 0)) {
      parts.push_back(trim(text.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  return parts;
}

// "{1,2}" is one place of several CPUs; anything else is as in GOMP_CPU_AFFINITY.
std::optional<std::string> places_of(std::string_view list) {
  if (list.size() < 2 || list.front() != '[' || list.back() != ']') return std::nullopt;
  std::string places;
  for (const std::string_view item : parts_of(list.substr(1, list.size() - 2))) {
    if (!places.empty()) places += ',';
    if (item.starts_with('{') && item.ends_with('}')) {
      bool good = true;
      for_each_item(item.substr(1, item.size() - 2),
                    [&](std::string_view cpu) { return good = Natural::parse(cpu).has_value(); });
      if (!good) return std::nullopt;
      places += item;
    } else {
      const auto range = CpuAffinity::parse(item);
      if (!range || range->empty()) return std::nullopt;
      places += *range;
    }
  }
  return places;
}

struct Reading {
  const Type* type = nullptr;
  std::string_view granularity = "cores";
  std::string proclist;
  bool has_numbers = false;  // permute and offset
  bool resets = false;
};

// What is wrong with one part; empty if nothing is.
std::string read_part(std::string_view part, Reading& reading) {
  const Halves halves = split_first(part, '=');
  if (same_word(halves.head, kGranularity) && halves.rest) {
    if (const auto place = find_word(kGranularities, *halves.rest))
      return reading.granularity = *place, "";
    return "granularity is not thread, core, ll_cache, node or socket";
  }
  if (same_word(halves.head, kProclist) && halves.rest) {
    const auto places = places_of(trim(*halves.rest));
    if (!places) return "proclist is no list of CPUs, as in [0,3,4-15:2,{1,2}]";
    return reading.proclist = *places, "";
  }
  if (is_one_of(parts_of(kAccepted), part)) return {};
  if (same_word(kReset, part)) return reading.resets = true, "";
  if (same_word(kNoReset, part)) return reading.resets = false, "";
  if (same_word(kRefused, part))
    return quoted(part).append(" is not offered: threads stay on the CPUs of the process");
  if (reading.type != nullptr && Natural::parse(part)) return reading.has_numbers = true, "";
  for (const Type& type : kTypes)
    if (same_word(type.text, part)) {
      if (reading.type != nullptr) return "there are two types";
      return reading.type = &type, "";
    }
  return quoted(part).append(" is not ").append(KmpAffinityBind::kAccepted);
}

Result<Reading> read(std::string_view text) {
  Reading reading;
  for (const std::string_view part : parts_of(text))
    if (std::string wrong = read_part(part, reading); !wrong.empty()) return Error{wrong};
  if (reading.type == nullptr && !reading.proclist.empty()) reading.type = &kExplicit;
  const bool is_explicit = reading.type != nullptr && reading.type->text == kExplicit.text;
  if (is_explicit && reading.proclist.empty()) return Error{"explicit needs proclist=[...]"};
  if (!is_explicit && !reading.proclist.empty()) return Error{"proclist needs the type explicit"};
  return reading;
}

}  // namespace

Result<KmpAffinity> read_kmp_affinity(std::string_view text) {
  const auto reading = read(text);
  if (!reading) return Error{reading.error()};
  if (reading->type == nullptr) return KmpAffinity{std::nullopt, "", reading->resets};
  if (reading->type->value == Bind::kFalse) return KmpAffinity{Bind::kFalse, "", reading->resets};
  std::string places =
      reading->proclist.empty() ? std::string(reading->granularity) : reading->proclist;
  return KmpAffinity{reading->type->value, std::move(places), reading->resets};
}

std::optional<std::vector<Bind>> KmpAffinityBind::parse(std::string_view text) {
  const auto affinity = read_kmp_affinity(text);
  if (!affinity) return std::nullopt;
  return affinity->bind ? std::vector{*affinity->bind} : std::vector<Bind>{};
}

std::string KmpAffinityBind::remark(std::string_view text) {
  const auto reading = read(text);
  return reading && reading->has_numbers ? "permute and offset are not taken" : "";
}

std::optional<std::string> KmpAffinityPlaces::parse(std::string_view text) {
  const auto affinity = read_kmp_affinity(text);
  return affinity ? affinity->places : "";
}

std::optional<bool> KmpAffinityReset::parse(std::string_view text) {
  const auto affinity = read_kmp_affinity(text);
  return affinity ? affinity->resets : false;
}

}  // namespace vicino::config
