// The reader of a profile's text: parse_profile().
#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "tune/profile.hpp"
#include "tune/profile_fields.hpp"
#include "tune/profile_scanner.hpp"

namespace vicino::tune {
namespace {

using namespace profile_text;

constexpr std::size_t kMostMore = 16;

// Reads one entry after another until something is wrong.
class Reader : private Scanner {
 public:
  explicit Reader(std::string_view text) : Scanner(text) {}

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
  // A kind of line that describes a site, by its first word.
  struct Line {
    std::string_view name;
    void (*read)(Reader& reader, ProfileEntry& entry);
    enum : uint8_t { kMayMiss, kNeeded, kMayRepeat } often;
  };
  static const std::array<Line, 9> kLines;
  // `seen_` has a bit for each of them.
  static unsigned bit(const Line& line) noexcept {
    return 1u << static_cast<unsigned>(&line - kLines.data());
  }

  bool read_title() {
    next_line();
    if (!line_.starts_with(kTitle)) return fail("this is not a profile of vicino's");
    const auto format = number_of<int>(line_.substr(kTitle.size()));
    if (!format) return fail(line_.substr(kTitle.size()), "the number of a profile's format");
    if (*format != kFormat && *format != kFormatOfGraphs)
      return fail("its format is " + std::to_string(*format) + ", but " + std::to_string(kFormat) +
                  " and " + std::to_string(kFormatOfGraphs) + " are those that this vicino knows");
    has_graphs_ = *format == kFormatOfGraphs;
    return true;
  }

  // Checks the last line, which is a sum over all lines before it.
  bool check_sum(std::string_view whole) {
    const auto at = whole.rfind("\nchecksum ");
    if (at == whole.npos || !whole.ends_with('\n')) {
      skip_to_end();
      return fail("it ends without a checksum: it was cut short");
    }
    const std::string_view told = whole.substr(at + 1 + kChecksum.size());
    if (told != hexadecimal(fnv1a(whole.substr(0, at + 1))) + "\n") {
      skip_to_end();
      return fail("the checksum is not that of the lines before it: it was damaged or edited");
    }
    return true;
  }

  bool is_complete(const Profile& profile) {
    const auto is_missing = [&](const Line& line) {
      return line.often == Line::kNeeded && (seen_ & bit(line)) == 0;
    };
    if (!profile.empty() && std::ranges::any_of(kLines, is_missing))
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
    if (key.kind == kGraph) read_structure(key);
    end_of_line();
  }

  void read_structure(ProfileKey& key) {
    if (has_graphs_)
      digits(key.structure, value(kStructure));
    else
      fail(key.kind, "a kind of site in format " + std::to_string(kFormat));
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
    const std::string_view name = word();
    const auto line = std::ranges::find(kLines, name, &Line::name);
    if (line == kLines.end()) {
      fail_for_unknown(name);
      return;
    }
    if (line->often != Line::kMayRepeat && (seen_ & bit(*line)) != 0) {
      fail("the site says this twice");
      return;
    }
    seen_ |= bit(*line);
    line->read(*this, profile.back());
    end_of_line();
  }

  void fail_for_unknown(std::string_view name) {
    std::string known = "known here: ";
    for (const Line& line : kLines)
      known.append(&line == kLines.data() ? "" : ", ").append(line.name);
    fail(name, known);
  }

  void read_text(std::string& to) {
    to = one_line(line_);
    if (to.empty()) fail(line_, "a line of printable characters");
    line_ = {};
  }

  void read_tried(ProfileEntry& entry) {
    if (entry.tried.size() == kMostTried)
      fail("more than " + std::to_string(kMostTried) + " configurations were tried");
    else
      read_measured(entry.tried.emplace_back());
  }

  void read_state(ProfileEntry& entry) {
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
    for (const auto& [name, value] : kCounts) count(name, entry.*value);
  }

  void read_used(ProfileEntry& entry) {
    const std::string_view date = word();
    put(entry.used, day_of(date), date, "a date such as 2026-11-22");
  }

  template <std::size_t kIndex>
  static void read_text_of(Reader& reader, ProfileEntry& entry) {
    reader.read_text(entry.*kTexts[kIndex].value);
  }
  template <auto kMember>
  static void read_measured_of(Reader& reader, ProfileEntry& entry) {
    reader.read_measured(entry.*kMember);
  }
  template <auto kRead>
  static void read_by(Reader& reader, ProfileEntry& entry) {
    (reader.*kRead)(entry);
  }

  bool has_graphs_ = false;
  unsigned seen_ = 0;  // lines of the entry at hand
};

const std::array<Reader::Line, 9> Reader::kLines{
    {{kTexts[0].name, read_text_of<0>, Line::kMayMiss},
     {kTexts[1].name, read_text_of<1>, Line::kMayMiss},
     {kTexts[2].name, read_text_of<2>, Line::kMayMiss},
     {"state", read_by<&Reader::read_state>, Line::kNeeded},
     {"default", read_measured_of<&ProfileEntry::by_default>, Line::kNeeded},
     {"best", read_measured_of<&ProfileEntry::best>, Line::kNeeded},
     {"tried", read_by<&Reader::read_tried>, Line::kMayRepeat},
     {"counts", read_by<&Reader::read_counts>, Line::kNeeded},
     {"used", read_by<&Reader::read_used>, Line::kNeeded}}};

}  // namespace

Result<Profile> parse_profile(std::string_view text) {
  if (text.size() > kMostProfileBytes)
    return Error{"1: it has more than " + std::to_string(kMostProfileBytes) + " bytes"};
  return Reader(text).read();
}

}  // namespace vicino::tune
