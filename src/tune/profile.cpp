#include "tune/profile.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/quote.hpp"

namespace vicino::tune {
namespace {

constexpr std::string_view kTitle = "vicino profile ";
constexpr int kFormat = 1;
constexpr std::string_view kChecksum = "checksum ";
constexpr std::array<std::string_view, 5> kProgress{"warm_up", "schedules", "widths", "settled",
                                                    "left_alone"};
constexpr std::size_t kLongestWord = 256;
constexpr std::size_t kMostMore = 16;

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  // Of -1 a whole number without a sign takes nothing; a fraction would take it.
  if (error != std::errc() || stop != end || text.starts_with('-')) return std::nullopt;
  return number;
}

std::optional<double> cost_of(std::string_view text) {
  const auto cost = number_of<double>(text);
  return cost && std::isfinite(*cost) ? cost : std::nullopt;
}

std::optional<uint64_t> offset_of(std::string_view text) {
  uint64_t number = 0;
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

std::optional<Day> day_of(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = number_of<int>(text.substr(0, 4));
  const auto month = number_of<unsigned>(text.substr(5, 2));
  const auto day = number_of<unsigned>(text.substr(8));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year}, std::chrono::month{*month},
                                         std::chrono::day{*day}};
  if (!date.ok()) return std::nullopt;
  return static_cast<Day>(std::chrono::sys_days{date}.time_since_epoch().count());
}

bool is_hexadecimal(std::string_view text) {
  return !text.empty() && text.size() <= 128 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kLongestWord &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

// One entry after the other, until something is wrong. What is wrong is kept, not thrown.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Profile> read() {
    Profile profile;
    if (text_.empty()) return profile;
    std::string_view body = text_;
    if (!read_title() || !check_sum(body)) return wrong_;
    while (next_line()) {
      if (line_.starts_with(kChecksum)) {
        if (!text_.empty()) fail("lines come after the checksum");
        break;
      }
      if (line_.starts_with("  "))
        read_fact(profile);
      else
        read_site(profile);
      if (is_wrong()) return wrong_;
    }
    if (is_wrong() || !is_complete(profile)) return wrong_;
    std::ranges::sort(profile, {}, &ProfileEntry::key);
    const auto twice = std::ranges::adjacent_find(profile, {}, &ProfileEntry::key);
    if (twice != profile.end())
      return Error{"the site " + twice->key.object + " " + std::to_string(twice->key.offset) +
                   " is there twice"};
    return profile;
  }

 private:
  // Facts of an entry that may come once.
  enum Fact : unsigned {
    kBinary = 1,
    kWhere = 2,
    kHardware = 4,
    kState = 8,
    kDefault = 16,
    kBest = 32,
    kCounts = 64,
    kUsed = 128,
  };
  static constexpr unsigned kNeeded = kState | kDefault | kBest | kCounts | kUsed;

  bool is_wrong() const noexcept { return !wrong_.text.empty(); }
  bool fail(std::string reason) {
    if (!is_wrong()) wrong_.text = std::to_string(number_) + ": " + std::move(reason);
    return false;
  }
  bool fail(std::string_view value, std::string_view accepted) {
    return fail(quoted(value) + " is not " + std::string(accepted));
  }

  bool next_line() {
    if (text_.empty()) return false;
    ++number_;
    line_ = take_until(text_, '\n');
    return true;
  }

  bool read_title() {
    next_line();
    if (!line_.starts_with(kTitle)) return fail("this is not a profile of vicino's");
    const auto format = number_of<int>(line_.substr(kTitle.size()));
    if (!format) return fail(line_.substr(kTitle.size()), "the number of a profile's format");
    if (*format != kFormat)
      return fail("its format is " + std::to_string(*format) + ", but " + std::to_string(kFormat) +
                  " is the one that this vicino knows");
    return true;
  }

  // The last line, over all before it.
  bool check_sum(std::string_view whole) {
    const auto at = whole.rfind("\nchecksum ");
    if (at == whole.npos || !whole.ends_with('\n')) {
      number_ += static_cast<std::size_t>(std::ranges::count(text_, '\n'));
      return fail("it ends without a checksum: it was cut short");
    }
    const std::string_view told = whole.substr(at + 1 + kChecksum.size());
    if (told != hexadecimal(fnv1a(whole.substr(0, at + 1))) + "\n") {
      number_ += static_cast<std::size_t>(std::ranges::count(text_, '\n'));
      return fail("the checksum is not that of the lines before it: it was damaged or edited");
    }
    return true;
  }

  std::string_view word() { return take_until(line_, ' '); }

  // The value of the next word, "name=value".
  std::string_view value(std::string_view name) {
    const std::string_view all = word();
    if (all.size() <= name.size() || !all.starts_with(name) || all[name.size()] != '=') {
      fail(all, std::string(name) + "=...");
      return {};
    }
    return all.substr(name.size() + 1);
  }

  template <class T>
  void put(T& to, std::optional<T> from, std::string_view text, std::string_view accepted) {
    if (is_wrong()) return;
    if (!from) {
      fail(text, accepted);
      return;
    }
    to = *from;
  }

  template <class Number>
  void count(std::string_view name, Number& to, Number least = 0) {
    const std::string_view text = value(name);
    auto number = number_of<Number>(text);
    if (number && *number < least) number.reset();
    put(to, number, text, least == 0 ? "a whole number" : "a positive whole number");
  }
  void cost(std::string_view name, double& to) {
    const std::string_view text = value(name);
    put(to, cost_of(text), text, "a number from 0");
  }
  void word(std::string& to, std::string_view text) {
    put(to, is_word(text) ? std::optional(std::string(text)) : std::nullopt, text,
        "a word of printable characters");
  }
  void digits(std::string& to, std::string_view text) {
    put(to, is_hexadecimal(text) ? std::optional(std::string(text)) : std::nullopt, text,
        "a number of up to 128 hexadecimal digits");
  }
  void end_of_line() {
    if (!is_wrong() && !line_.empty()) fail(line_, "known here");
  }

  bool is_complete(const Profile& profile) {
    if (!profile.empty() && (seen_ & kNeeded) != kNeeded)
      return fail("the site before this line lacks its state, default, best, counts or date");
    return true;
  }

  void read_site(Profile& profile) {
    if (!is_complete(profile)) return;
    const std::string_view first = word();
    if (first != "site") {
      fail(first, "known here: 'site', indented lines of one, or 'checksum'");
      return;
    }
    if (profile.size() == kMostProfileEntries) {
      fail("there are more than " + std::to_string(kMostProfileEntries) + " sites");
      return;
    }
    ProfileKey& key = profile.emplace_back().key;
    seen_ = 0;
    digits(key.object, word());
    const std::string_view offset = word();
    put(key.offset, offset_of(offset), offset, "an offset such as 0x1a2b");
    word(key.kind, word());
    count("team", key.team, 1u);
    count("trip_bits", key.trip_bits);
    word(key.objective, value("objective"));
    digits(key.machine, value("machine"));
    end_of_line();
  }

  void read_fact(Profile& profile) {
    line_.remove_prefix(2);
    if (profile.empty()) {
      fail("a line of a site comes before any site");
      return;
    }
    if (line_.size() > kMostProfileLine) {
      fail("the line is longer than " + std::to_string(kMostProfileLine) + " bytes");
      return;
    }
    ProfileEntry& entry = profile.back();
    const std::string_view name = word();
    if (name == "tried") {
      if (entry.tried.size() == kMostTried)
        fail("more than " + std::to_string(kMostTried) + " configurations were tried");
      else
        read_measured(entry.tried.emplace_back());
    } else if (name == "binary") {
      read_line(kBinary, entry.binary);
    } else if (name == "where") {
      read_line(kWhere, entry.where);
    } else if (name == "hardware") {
      read_line(kHardware, entry.hardware);
    } else if (name == "state") {
      read_state(entry);
    } else if (name == "default") {
      if (once(kDefault)) read_measured(entry.by_default);
    } else if (name == "best") {
      if (once(kBest)) read_measured(entry.best);
    } else if (name == "counts") {
      read_counts(entry);
    } else if (name == "used") {
      const std::string_view date = word();
      if (once(kUsed)) put(entry.used, day_of(date), date, "a date such as 2026-11-22");
    } else {
      fail(name, "known here: binary, where, hardware, state, default, best, tried, counts, used");
    }
    end_of_line();
  }

  bool once(Fact fact) {
    if ((seen_ & fact) != 0) return fail("the site says this twice");
    seen_ |= fact;
    return true;
  }

  void read_line(Fact fact, std::string& to) {
    if (!once(fact)) return;
    to = one_line(line_);
    if (to.empty()) fail(line_, "a line of printable characters");
    line_ = {};
  }

  void read_state(ProfileEntry& entry) {
    if (!once(kState)) return;
    const std::string_view name = word();
    const auto found = std::ranges::find(kProgress, name);
    if (found == kProgress.end()) {
      fail(name, "warm_up, schedules, widths, settled or left_alone");
      return;
    }
    entry.progress = static_cast<Progress>(found - kProgress.begin());
    count("round", entry.round);
  }

  void read_measured(Measured& to) {
    word(to.with.candidate, word());
    count("threads", to.with.threads, 1u);
    while (!is_wrong() && !line_.empty() && !line_.starts_with("cost=")) {
      if (to.with.more.size() == kMostMore) {
        fail("a configuration of more than " + std::to_string(kMostMore) + " words");
        return;
      }
      const std::string_view more = word();
      word(to.with.more.emplace_back(), more);
      if (more.find('=') == more.npos) fail(more, "of the form name=value");
    }
    cost("cost", to.cost);
    cost("low", to.low);
    cost("high", to.high);
    count("samples", to.samples);
    if (line_ == "beaten") {
      to.beaten = true;
      line_ = {};
    }
  }

  void read_counts(ProfileEntry& entry) {
    if (!once(kCounts)) return;
    count("executions", entry.executions);
    count("iterations", entry.iterations);
    count("settled_iterations", entry.settled_iterations);
    count("total_ns", entry.total_ns);
    count("explored_ns", entry.explored_ns);
    count("explored_again", entry.explored_again);
  }

  std::string_view text_, line_;
  std::size_t number_ = 0;
  unsigned seen_ = 0;
  Error wrong_;
};

class Writer {
 public:
  std::string take() { return std::move(text_); }

  void add(const ProfileEntry& entry) {
    const ProfileKey& key = entry.key;
    text("site ").text(key.object).text(" 0x").number(key.offset, 16).text(" ").text(key.kind);
    word("team", key.team).word("trip_bits", key.trip_bits);
    text(" objective=").text(key.objective).text(" machine=").text(key.machine).text("\n");
    line("binary", entry.binary);
    line("where", entry.where);
    line("hardware", entry.hardware);
    text("  state ").text(kProgress[static_cast<std::size_t>(entry.progress)]);
    word("round", entry.round).text("\n");
    measured("default", entry.by_default);
    measured("best", entry.best);
    for (const Measured& tried : entry.tried) measured("tried", tried);
    text("  counts").word("executions", entry.executions).word("iterations", entry.iterations);
    word("settled_iterations", entry.settled_iterations).word("total_ns", entry.total_ns);
    word("explored_ns", entry.explored_ns).word("explored_again", entry.explored_again);
    text("\n  used ").text(date_of(entry.used)).text("\n");
  }

 private:
  Writer& text(std::string_view words) {
    text_ += words;
    return *this;
  }
  template <class Number, class... Format>
  Writer& number(Number number, Format... format) {
    char digits[64];
    const auto [end, error] = std::to_chars(digits, std::end(digits), number, format...);
    return text({digits, static_cast<std::size_t>(end - digits)});
  }
  template <class Number>
  Writer& word(std::string_view name, Number value) {
    return text(" ").text(name).text("=").number(value);
  }
  void line(std::string_view name, std::string_view value) {
    if (!value.empty()) text("  ").text(name).text(" ").text(value).text("\n");
  }
  void measured(std::string_view name, const Measured& m) {
    text("  ").text(name).text(" ").text(m.with.candidate).word("threads", m.with.threads);
    for (const std::string& more : m.with.more) text(" ").text(more);
    word("cost", m.cost).word("low", m.low).word("high", m.high).word("samples", m.samples);
    text(m.beaten ? " beaten\n" : "\n");
  }

  std::string text_;
};

std::string text_of(const ProfileEntry& entry) {
  Writer writer;
  writer.add(entry);
  return writer.take();
}

uint64_t plus(uint64_t a, uint64_t b) noexcept {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// What it would have is among what was tried, or was tried besides.
uint64_t samples_of(const ProfileEntry& entry) noexcept {
  return std::accumulate(entry.tried.begin(), entry.tried.end(), uint64_t{entry.by_default.samples},
                         [](uint64_t sum, const Measured& m) { return sum + m.samples; });
}

// Without what was seen: an earlier merge may have added that up, and the order of merges must not
// matter.
std::string knowledge_of(ProfileEntry entry) {
  entry.executions = entry.iterations = entry.settled_iterations = 0;
  entry.total_ns = entry.explored_ns = entry.explored_again = 0;
  entry.used = 0;
  return text_of(entry);
}

bool knows_better(const ProfileEntry& a, const ProfileEntry& b) {
  const auto rank = [](const ProfileEntry& e) {
    return std::tuple(e.at_rest(), e.round, samples_of(e));
  };
  return rank(a) != rank(b) ? rank(a) > rank(b) : knowledge_of(a) > knowledge_of(b);
}

ProfileEntry merged(const ProfileEntry& a, const ProfileEntry& b) {
  ProfileEntry both = knows_better(b, a) ? b : a;
  both.executions = plus(a.executions, b.executions);
  both.iterations = plus(a.iterations, b.iterations);
  both.settled_iterations = plus(a.settled_iterations, b.settled_iterations);
  both.total_ns = plus(a.total_ns, b.total_ns);
  both.explored_ns = plus(a.explored_ns, b.explored_ns);
  both.explored_again = plus(a.explored_again, b.explored_again);
  both.used = std::max(a.used, b.used);
  return both;
}

// Room for the first and the last line.
constexpr std::size_t kAround = 64;

void keep_within_bounds(Profile& profile) {
  std::size_t bytes = kAround;
  for (const ProfileEntry& entry : profile) bytes += text_of(entry).size();
  if (profile.size() <= kMostProfileEntries && bytes <= kMostProfileBytes) return;
  std::ranges::sort(profile, std::greater(), [](const ProfileEntry& entry) {
    return std::tuple(entry.used, entry.executions, entry.key);
  });
  std::size_t kept = 0;
  bytes = kAround;
  while (kept < std::min(profile.size(), kMostProfileEntries)) {
    bytes += text_of(profile[kept]).size();
    if (bytes > kMostProfileBytes) break;
    ++kept;
  }
  profile.resize(kept);
  std::ranges::sort(profile, {}, &ProfileEntry::key);
}

}  // namespace

Result<Profile> parse_profile(std::string_view text) {
  if (text.size() > kMostProfileBytes)
    return Error{"1: it has more than " + std::to_string(kMostProfileBytes) + " bytes"};
  return Reader(text).read();
}

std::string format_profile(const Profile& profile) {
  std::string text(kTitle);
  text += std::to_string(kFormat) + "\n";
  for (const ProfileEntry& entry : profile) text += text_of(entry);
  const std::string sum = hexadecimal(fnv1a(text));
  return text.append(kChecksum).append(sum).append("\n");
}

std::string one_line(std::string_view text) {
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
  if (text.size() > kMostProfileLine / 2 || std::ranges::any_of(text, is_control)) return {};
  return std::string(text);
}

double rounded(double cost) {
  if (!std::isfinite(cost) || cost <= 0) return 0;
  char digits[64];
  const auto [end, error] =
      std::to_chars(digits, std::end(digits), cost, std::chars_format::general, 5);
  std::from_chars(digits, end, cost);
  return cost;
}

void merge(Profile& into, const Profile& from) {
  Profile both;
  both.reserve(into.size() + from.size());
  auto a = into.begin();
  auto b = from.begin();
  while (a != into.end() || b != from.end()) {
    if (b == from.end() || (a != into.end() && a->key < b->key)) {
      both.push_back(std::move(*a++));
    } else if (a == into.end() || b->key < a->key) {
      both.push_back(*b++);
    } else {
      both.push_back(merged(*a++, *b++));
    }
  }
  into = std::move(both);
  keep_within_bounds(into);
}

Profile profile_of(std::vector<ProfileEntry> entries) {
  std::ranges::sort(entries, {}, &ProfileEntry::key);
  Profile profile;
  for (ProfileEntry& entry : entries) {
    if (!profile.empty() && profile.back().key == entry.key)
      profile.back() = merged(profile.back(), entry);
    else
      profile.push_back(std::move(entry));
  }
  keep_within_bounds(profile);
  return profile;
}

std::size_t prune(Profile& profile, const Pruning& pruning) {
  return std::erase_if(profile, [&](const ProfileEntry& entry) {
    return entry.executions < pruning.min_executions ||
           (pruning.used_since && entry.used < *pruning.used_since) ||
           (!pruning.machine.empty() && entry.key.machine != pruning.machine);
  });
}

std::string date_of(Day day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  char text[32];
  snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
           static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace vicino::tune
