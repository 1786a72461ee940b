#include "topo/places.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/quote.hpp"
#include "topo/priorities.hpp"

namespace vicino::topo {
namespace {

struct Name {
  std::string_view name;
  Level level;
};
constexpr std::array kNames{Name{"threads", Level::kThread}, Name{"cores", Level::kCore},
                            Name{"ll_caches", Level::kCacheGroup},
                            Name{"numa_domains", Level::kNode}, Name{"sockets", Level::kPackage}};
constexpr std::string_view kNamesInProse = "threads, cores, ll_caches, numa_domains, sockets";

// This is above any machine's CPU numbers, and low enough that a typing error does no harm.
constexpr int kMaxNumber = CpuSet::kMaxCpus - 1;
constexpr int kMostNamed = 1 << 22;  // likewise, for all places together

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Reads one character sequence from left to right. The first error stays and everything read after
// it is ignored, so the grammar's functions need not check each step.
class Parser {
 public:
  Parser(std::string_view text, const Machine& machine) : text_(text), machine_(machine) {}

  Result<PlaceList> parse() {
    skip_blanks();
    if (at_ < text_.size() && is_word(text_[at_]))
      abstract_name();
    else
      place_intervals();
    if (at_ < text_.size()) fail(at_, "\",\" or the end");
    if (error_) return Error{*error_};
    if (list_.places.empty()) return Error{"none of its CPUs may be used by this process"};
    return std::move(list_);
  }

 private:
  struct Steps {
    int count;
    int stride;
  };
  // A place that is not made yet: CPUs, and how far they are moved.
  struct Planned {
    size_t shape;
    int by;
  };

  // name | name(count)
  void abstract_name() {
    const size_t start = at_;
    std::string word;
    for (; at_ < text_.size() && is_word(text_[at_]); ++at_) word += lower(text_[at_]);
    skip_blanks();
    const auto* const name = std::ranges::find(kNames, word, &Name::name);
    if (name == kNames.end()) return fail(start, "one of " + std::string(kNamesInProse));
    list_ = places_of(machine_, name->level);
    if (!take('(')) return;
    const int count = number("the number of places, 1 or more", 1);
    if (!take(')')) fail(at_, "\")\"");
    if (error_) return;
    if (count > list_.size())
      list_.notes.push_back(word + "(" + std::to_string(count) + "): the machine has " +
                            std::to_string(list_.size()));
    list_.places.resize(static_cast<size_t>(std::min(count, list_.size())));
  }

  // interval {, interval}
  void place_intervals() {
    do place_interval();
    while (take(',') && !error_);
    if (!error_) keep_usable();
  }

  // place | place:count | place:count:stride | !place
  void place_interval() {
    skip_blanks();
    const size_t start = at_;
    const bool excluded = take('!');
    const CpuSet first = place();
    const Steps steps = excluded ? Steps{1, 0} : count_and_stride("places");
    if (error_) return;
    if (excluded) return exclude_place(start, first);
    shapes_.push_back(first);
    for (int i = 0; i < steps.count && !error_; ++i) plan(start, int64_t{i} * steps.stride);
  }

  // Adds the last shape, moved.
  void plan(size_t start, int64_t by) {
    const CpuSet& shape = shapes_.back();
    if (!shape.empty() && (shape.first() + by < 0 || shape.last() + by > kMaxNumber))
      return fail(start, "places whose CPU numbers are from 0 to " + std::to_string(kMaxNumber));
    named_ += shape.count();
    if (named_ > kMostNamed)
      return fail(start,
                  "places that name at most " + std::to_string(kMostNamed) + " CPUs together");
    planned_.push_back({shapes_.size() - 1, static_cast<int>(by)});
  }

  void exclude_place(size_t start, const CpuSet& place) {
    const auto found = std::ranges::find_if(planned_, [&](const Planned& planned) {
      const CpuSet& shape = shapes_[planned.shape];
      return shape.count() == place.count() &&
             (shape.empty() || shape.first() + planned.by == place.first()) &&
             moved(planned) == place;
    });
    if (found == planned_.end())
      return fail(start, "a place that is in the list before it, after \"!\"");
    planned_.erase(found);
  }

  // cpu | { resources {, resources} }
  CpuSet place() {
    CpuSet cpus;
    if (!take('{')) {
      cpus.set(number("a place: a CPU number, or CPU numbers in { }"));
      return cpus;
    }
    do resources(cpus);
    while (take(',') && !error_);
    if (!take('}')) fail(at_, "\",\" or \"}\"");
    return cpus;
  }

  // cpu | cpu:count | cpu:count:stride | !cpu
  void resources(CpuSet& cpus) {
    skip_blanks();
    const size_t start = at_;
    const bool excluded = take('!');
    const int first = number("a CPU number");
    const Steps steps = excluded ? Steps{1, 0} : count_and_stride("CPUs");
    if (error_) return;
    if (excluded) {
      if (!cpus.test(first))
        return fail(start, "a CPU that is in the place before it, after \"!\"");
      return cpus.clear(first);
    }
    for (int i = 0; i < steps.count; ++i) {
      const int64_t cpu = first + int64_t{i} * steps.stride;
      if (cpu < 0 || cpu > kMaxNumber)
        return fail(start, "CPU numbers from 0 to " + std::to_string(kMaxNumber));
      cpus.set(static_cast<int>(cpu));
    }
  }

  // (nothing) | :count | :count:stride
  Steps count_and_stride(const char* things) {
    Steps steps{1, 1};
    if (!take(':')) return steps;
    steps.count = number(std::string("the number of ") + things + ", 1 or more", 1);
    if (take(':')) steps.stride = number("the stride, a whole number", -kMaxNumber);
    return steps;
  }

  CpuSet moved(const Planned& planned) const {
    CpuSet cpus;
    shapes_[planned.shape].for_each([&](int cpu) { cpus.set(cpu + planned.by); });
    return cpus;
  }

  // The places are made here, of the CPUs that may be used: one CPU with a high number needs kilobytes, and a list
  // can have tens of thousands of them.
  void keep_usable() {
    CpuSet missing;
    for (const Planned& planned : planned_) {
      CpuSet usable;
      shapes_[planned.shape].for_each([&](int cpu) {
        (machine_.cpus().test(cpu + planned.by) ? usable : missing).set(cpu + planned.by);
      });
      if (!usable.empty()) list_.places.push_back(std::move(usable));
    }
    if (missing.empty()) return;
    const size_t asked = planned_.size();
    std::string note = "CPUs that this process may not use are left out: " + missing.to_list();
    if (const size_t gone = asked - list_.places.size(); gone > 0)
      note += " (" + std::to_string(gone) + " of " + std::to_string(asked) + " places)";
    list_.notes.push_back(std::move(note));
  }

  // A number with an optional sign, within [least, kMaxNumber]; `what` names the expected item.
  int number(const std::string& what, int least = 0) {
    skip_blanks();
    const size_t start = at_;
    size_t digits = start;
    if (digits < text_.size() && text_[digits] == '+') ++digits;
    int value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + digits, end, value);
    if (error != std::errc{} || value < least || value > kMaxNumber) {
      fail(start, what);
      return std::max(least, 0);
    }
    at_ = static_cast<size_t>(stop - text_.data());
    skip_blanks();
    return value;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  void fail(size_t at, const std::string& expected) {
    if (error_) return;
    const std::string_view rest = text_.substr(at);
    const std::string found = rest.empty() ? "the end" : "\"" + printable(rest) + "\"";
    error_ = "at character " + std::to_string(at + 1) + ", " + found + ": expected " + expected;
  }

  std::string_view text_;
  const Machine& machine_;
  size_t at_ = 0;
  std::vector<CpuSet> shapes_;
  std::vector<Planned> planned_;
  int named_ = 0;  // CPUs of all places
  PlaceList list_;
  std::optional<std::string> error_;
};

}  // namespace

Result<PlaceList> parse_places(std::string_view text, const Machine& machine) {
  return Parser(text, machine).parse();
}

std::string readable_places(std::string_view text, const Machine& machine) {
  const auto reads = [&](std::string_view part) {
    return static_cast<bool>(parse_places(part, machine));
  };
  if (reads(text)) return std::string(text);
  const std::string_view name = text.substr(0, text.find('('));
  const bool is_list = name.find_first_of("{!0123456789") != name.npos;
  return !is_list && reads(name) ? std::string(name) : "cores";
}

PlaceList default_places(const Machine& machine) {
  PlaceList list;
  for (const int core : priority_order(machine, machine.cpus()))
    list.places.push_back(machine.domains(Level::kCore)[static_cast<size_t>(core)].cpus);
  return list;
}

PlaceList places_of(const Machine& machine, Level level) {
  PlaceList list;
  for (const Domain& domain : machine.domains(level)) list.places.push_back(domain.cpus);
  return list;
}

}  // namespace vicino::topo
