#include "tune/profile.hpp"

#include <stdio.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/decimal.hpp"
#include "base/hash.hpp"
#include "tune/profile_fields.hpp"

namespace vicino::tune {
namespace {

using namespace profile_text;

class Writer {
 public:
  std::string take() { return std::move(text_); }

  void add(const ProfileEntry& entry) {
    const ProfileKey& key = entry.key;
    text("site ").text(key.object).text(" 0x").number(key.offset, 16).text(" ").text(key.kind);
    word("team", key.team).word("trip_bits", key.trip_bits);
    text(" objective=").text(key.objective).text(" machine=").text(key.machine);
    if (!key.structure.empty()) text(" ").text(kStructure).text("=").text(key.structure);
    text("\n");
    for (const auto& [name, value] : kTexts) line(name, entry.*value);
    text("  state ").text(kProgress[static_cast<std::size_t>(entry.progress)]);
    word("round", entry.round).text("\n");
    measured("default", entry.by_default);
    measured("best", entry.best);
    for (const Measured& tried : entry.tried) measured("tried", tried);
    text("  counts");
    for (const auto& [name, value] : kCounts) word(name, entry.*value);
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

// The default may be in `tried` as well; then its samples count twice.
uint64_t samples_of(const ProfileEntry& entry) noexcept {
  return std::accumulate(entry.tried.begin(), entry.tried.end(), uint64_t{entry.by_default.samples},
                         [](uint64_t sum, const Measured& m) { return sum + m.samples; });
}

// The entry without what was seen: an earlier merge may have added that up, and the order of merges
// must not matter.
std::string knowledge_of(ProfileEntry entry) {
  for (const auto& seen : kCounts) entry.*seen.value = 0;
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
  for (const auto& seen : kCounts) both.*seen.value = plus(a.*seen.value, b.*seen.value);
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

std::string format_profile(const Profile& profile) {
  std::string text(kTitle);
  const bool has_graphs = std::ranges::any_of(
      profile, [](const ProfileEntry& entry) { return !entry.key.structure.empty(); });
  text += std::to_string(has_graphs ? kFormatOfGraphs : kFormat) + "\n";
  for (const ProfileEntry& entry : profile) text += text_of(entry);
  const std::string sum = hexadecimal(fnv1a(text));
  return text.append(kChecksum).append(sum).append("\n");
}

std::string one_line(std::string_view text) {
  const auto is_control = [](unsigned char c) { return c < ' ' || c == '\x7f'; };
  if (text.size() > kMostProfileLine / 2 || std::ranges::any_of(text, is_control)) return {};
  return std::string(text);
}

double rounded(double cost) {
  if (!std::isfinite(cost) || cost <= 0) return 0;
  char digits[64];
  const auto [end, error] =
      std::to_chars(digits, std::end(digits), cost, std::chars_format::general, 5);
  return parse_decimal({digits, end}).value_or(0);
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
