#include "topo/hw_subset.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/quote.hpp"

namespace vicino::topo {
namespace {

struct Unit {
  std::string_view word;
  Level level;
};
constexpr std::array kUnits{Unit{"s", Level::kPackage},     Unit{"socket", Level::kPackage},
                            Unit{"n", Level::kNode},        Unit{"numa", Level::kNode},
                            Unit{"ll", Level::kCacheGroup}, Unit{"ll_cache", Level::kCacheGroup},
                            Unit{"c", Level::kCore},        Unit{"core", Level::kCore},
                            Unit{"t", Level::kThread},      Unit{"thread", Level::kThread}};
// Units of libomp's that no Machine has.
constexpr std::array<std::string_view, 5> kUnknownHere{"d", "die", "ti", "tile", "l2"};

constexpr std::string_view kInProse =
    "numbers of units from the top down, as in 2s,4c,2t; units are s, n, ll, c and t";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Takes digits off the front; none if there are none, or if no machine has so many.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number > CpuSet::kMaxCpus) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

Error wrong(std::string_view item, const std::string& why) { return {quoted(item) + ": " + why}; }

// A core's attribute: intel_core, intel_atom or effN.
bool read_kind(const std::string& word, HwUnits& units) {
  if (word == "intel_core") return units.kind = CoreKind::kMost, true;
  if (word == "intel_atom") return units.kind = CoreKind::kLeast, true;
  std::string_view rest = word;
  if (!rest.starts_with("eff")) return false;
  rest.remove_prefix(3);
  const auto number = take_number(rest);
  if (!number || !rest.empty()) return false;
  units.kind = CoreKind::kNumber;
  units.number = *number;
  return true;
}

// [count|*]unit[@offset][:attribute][@offset]
Result<HwUnits> read_units(std::string_view item) {
  std::string text;
  for (const char c : item) text += lower(c);
  std::string_view rest = text;
  HwUnits units;
  units.written = printable(item);
  if (rest.starts_with('*')) {
    rest.remove_prefix(1);
  } else if (const auto count = take_number(rest)) {
    if (*count == 0) return wrong(item, "the number of units is 1 or more, or *");
    units.count = *count;
  }
  const std::string_view word = rest.substr(0, rest.find_first_of("@:"));
  const auto* const unit = std::ranges::find(kUnits, word, &Unit::word);
  if (std::ranges::find(kUnknownHere, word) != kUnknownHere.end())
    return wrong(item, "this unit is not known here; s, n, ll, c and t are");
  if (unit == kUnits.end()) return wrong(item, "not " + std::string(kInProse));
  units.level = unit->level;
  rest.remove_prefix(word.size());
  for (bool skips = false; !rest.empty();) {
    const char mark = rest[0];
    rest.remove_prefix(1);
    if (mark == '@') {
      const auto skipped = take_number(rest);
      if (!skipped || skips)
        return wrong(item, "@ is followed by the number of units to skip, once");
      units.skipped = *skipped;
      skips = true;
    } else {
      const std::string kind(rest.substr(0, rest.find('@')));
      if (units.level != Level::kCore || units.kind != CoreKind::kAny || mark != ':' ||
          !read_kind(kind, units))
        return wrong(
            item, "only c may have one attribute: intel_core, intel_atom or eff0, eff1 and so on");
      rest.remove_prefix(kind.size());
    }
  }
  return units;
}

// Of a level that is there twice, each entry has to say which cores it means.
std::string repeated(const HwSubset& subset) {
  const auto is_same = [](const HwUnits& one, const HwUnits& other) {
    const bool both_say = one.kind != CoreKind::kAny && other.kind != CoreKind::kAny;
    return one.level == other.level &&
           (!both_say || (one.kind == other.kind && one.number == other.number));
  };
  for (auto other = subset.begin(); other != subset.end(); ++other) {
    const auto one = std::find_if(subset.begin(), other,
                                  [&](const HwUnits& before) { return is_same(before, *other); });
    if (one != other)
      return quoted(one->written) + " and " + quoted(other->written) + " are the same unit";
  }
  return {};
}

class Selection {
 public:
  Selection(const HwSubset& subset, const Machine& machine) : subset_(subset), machine_(machine) {
    most_ = machine.kinds() - 1;
  }

  Result<CpuSet> all() {
    for (const HwUnits& units : subset_)
      if (Error error = missing_kind(units); !error.text.empty()) return error;
    const CpuSet chosen = of(machine_.cpus(), 0);
    // Units that are in no part of the machine; in some part there may be fewer.
    for (size_t i = 0; i < subset_.size(); ++i)
      if (subset_[i].skipped + std::max(1, subset_[i].count) > available(i))
        return Error{quoted(subset_[i].written) + ": " + within(i) + std::to_string(available(i))};
    return chosen;
  }

 private:
  Error missing_kind(const HwUnits& units) const {
    if (units.kind == CoreKind::kAny) return {};
    if (units.kind == CoreKind::kNumber ? units.number <= most_ : most_ > 0) return {};
    return {quoted(units.written) + ": the machine has " +
            (most_ == 0 ? "one kind of core"
                        : std::to_string(most_ + 1) + " kinds of cores, from eff0")};
  }

  const char* within(size_t i) const {
    return subset_[0].level == subset_[i].level ? "the machine has " : "a unit around has at most ";
  }

  int available(size_t i) const { return i < available_.size() ? available_[i] : 0; }

  bool is_of(const HwUnits& units, const CpuSet& cpus) const {
    const int kind = machine_.pu_of(cpus.first())->kind;
    switch (units.kind) {
      case CoreKind::kAny:
        return true;
      case CoreKind::kNumber:
        return kind == units.number;
      case CoreKind::kLeast:
        return kind == 0;
      case CoreKind::kMost:
        return kind == most_;
    }
    return false;
  }

  // What the layers from `layer` on leave of `cpus`.
  CpuSet of(const CpuSet& cpus, size_t layer) {
    if (layer == subset_.size()) return cpus;
    size_t end = layer;
    while (end < subset_.size() && subset_[end].level == subset_[layer].level) ++end;
    CpuSet chosen;
    for (size_t i = layer; i < end; ++i) chosen |= units(cpus, i, end);
    return chosen;
  }

  CpuSet units(const CpuSet& cpus, size_t entry, size_t below) {
    const HwUnits& wanted = subset_[entry];
    CpuSet chosen;
    int met = 0;
    for (const Domain& domain : machine_.domains(wanted.level)) {
      const CpuSet part = domain.cpus & cpus;
      if (part.empty() || !is_of(wanted, part)) continue;
      const int number = met++ - wanted.skipped;
      if (number >= 0 && (wanted.count == HwUnits::kAll || number < wanted.count))
        chosen |= of(part, below);
    }
    if (available_.size() <= entry) available_.resize(entry + 1);
    available_[entry] = std::max(available_[entry], met);
    return chosen;
  }

  const HwSubset& subset_;
  const Machine& machine_;
  int most_ = 0;                // the number of the most powerful kind of core
  std::vector<int> available_;  // of each entry: the most units that were met in one place
};

// Gives dense numbers to those of `old` numbers that are used, in the order in which they come.
class Renumbered {
 public:
  int operator()(int old) {
    const auto found = std::ranges::find(olds_, old);
    if (found != olds_.end()) return static_cast<int>(found - olds_.begin());
    olds_.push_back(old);
    return static_cast<int>(olds_.size()) - 1;
  }
  int find(int old) const {
    const auto found = std::ranges::find(olds_, old);
    return found == olds_.end() ? -1 : static_cast<int>(found - olds_.begin());
  }
  template <class T>
  std::vector<T> pick(const std::vector<T>& from) const {
    std::vector<T> picked;
    for (const int old : olds_) picked.push_back(from[static_cast<size_t>(old)]);
    return picked;
  }
  const std::vector<int>& olds() const { return olds_; }

 private:
  std::vector<int> olds_;
};

}  // namespace

Result<HwSubset> parse_hw_subset(std::string_view text) {
  text = trimmed(text);
  const bool is_exact = text.starts_with(':');
  if (is_exact) text.remove_prefix(1);
  HwSubset subset;
  for (bool more = true; more;) {
    const size_t comma = text.find(',');
    auto units = read_units(trimmed(text.substr(0, comma)));
    if (!units) return Error{units.error()};
    subset.push_back(*std::move(units));
    more = comma != text.npos;
    if (more) text.remove_prefix(comma + 1);
  }
  const auto add = [&](Level level) {
    if (std::ranges::find(subset, level, &HwUnits::level) == subset.end())
      subset.push_back({.level = level, .written = std::string(level_name(level))});
  };
  if (!is_exact) add(Level::kPackage), add(Level::kCore);
  std::ranges::stable_sort(subset, std::greater(), &HwUnits::level);
  if (const std::string why = repeated(subset); !why.empty()) return Error{why};
  return subset;
}

Result<CpuSet> select(const HwSubset& subset, const Machine& machine) {
  return Selection(subset, machine).all();
}

Hardware part_of(const Hardware& hardware, const CpuSet& cpus) {
  Hardware part = hardware;
  std::erase_if(part.pus, [&](const Pu& pu) { return !cpus.test(pu.os_index); });
  Renumbered cores, cache_groups, nodes, packages;
  for (Pu& pu : part.pus) {
    pu.core = cores(pu.core);
    pu.cache_group = cache_groups(pu.cache_group);
    pu.node = nodes(pu.node);
    pu.package = packages(pu.package);
  }
  part.node_os = nodes.pick(hardware.node_os);
  part.package_os = packages.pick(hardware.package_os);
  for (Memory& memory : part.memories) memory.node = nodes.find(memory.node);
  part.latencies.clear();
  if (!hardware.latencies.empty())
    for (const int from : nodes.olds())
      for (const int to : nodes.olds())
        part.latencies.push_back(
            hardware.latencies[static_cast<size_t>(from) * hardware.node_os.size() +
                               static_cast<size_t>(to)]);
  return part;
}

}  // namespace vicino::topo
