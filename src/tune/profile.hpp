// profile.hpp: what the tuner learnt at call sites, as text that outlives the process.
//
// Why    What executions have found is still true in the next run. The text is read by people in a
//        diff, and by this library, which links nothing that could parse another format.
// Not    trusting: a text may be cut short, or made to mislead. A wrong text is refused whole, with
//        the line and what is wrong; parsing takes no more memory than a small multiple of
//        kMostProfileBytes.
// Where  files and locks: profile_file.hpp; the process's sites: site/profile.hpp; the format:
//        docs/reference/profiles.md.
//
// Numbers are written with a point in any locale, and read back to the last bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace vicino::tune {

// A call site in any process: sites with equal keys are one site.
struct ProfileKey {
  std::string object;   // build-id of the program or library, in hexadecimal
  uint64_t offset = 0;  // of the call, in the object
  std::string kind;   // "loop", "static", "taskloop", each also with _by_node; "region"; "combined";
                      // followed by kInner if the region lies in another one; or kGraph; or kPages
  uint32_t team = 0;  // its members
  uint32_t trip_bits = 0;
  std::string objective;       // what costs measure: "time"
  std::string machine;         // topo::identity()
  std::string structure = {};  // of a task graph: a hash, in hexadecimal; empty for other kinds

  auto operator<=>(const ProfileKey&) const = default;
};

inline constexpr std::string_view kInner = "_inner";
inline constexpr std::string_view kGraph = "graph";
inline constexpr std::string_view kPages = "pages";  // of a region's arrays
inline bool is_inner(const ProfileKey& key) noexcept { return key.kind.ends_with(kInner); }
// The kind without kInner.
inline std::string_view construct_of(const ProfileKey& key) noexcept {
  const std::string_view kind = key.kind;
  return is_inner(key) ? kind.substr(0, kind.size() - kInner.size()) : kind;
}

// The candidate of constructs that have nothing to choose but threads.
inline constexpr std::string_view kNoCandidate = "-";
// Candidates of graphs that are no coarse strings: one thread runs all tasks; the empty string.
inline constexpr std::string_view kAlone = "alone", kNoPass = "none";
// Among `more` of a taskloop: the first node of its mask, as the machine counts, or the first group of CPUs that
// share a cache where crews are on some of these.
inline constexpr std::string_view kFirstNode = "first_node=", kFirstGroup = "first_group=";
// Among `more` of the best: it comes from a site at the same place whose loops are half or twice as
// long, and was only compared with the default here.
inline constexpr std::string_view kLikeHalf = "like=half";
inline constexpr std::string_view kLikeTwice = "like=twice";

struct Configuration {
  std::string candidate;  // a schedule with its parameters, as VICINO_SCHEDULE takes it; of a
                          // graph, a coarse string, as VICINO_COARSEN takes it, or kAlone
  uint32_t threads = 0;
  std::vector<std::string> more;  // words "name=value" of kinds that have more to choose

  auto operator<=>(const Configuration&) const = default;
};

// Costs are per iteration, or task of a graph, in nanoseconds when the objective is time.
struct Measured {
  Configuration with;
  double cost = 0, low = 0, high = 0;
  uint32_t samples = 0;
  bool beaten = false;  // clearly worse than another

  bool operator==(const Measured&) const = default;
};

enum class Progress : uint8_t { kWarmUp, kSchedules, kWidths, kSettled, kLeftAlone };

// Days since 1970.
using Day = int32_t;

struct ProfileEntry {
  ProfileKey key;
  // For people, as of the last time that the site was met; empty where it is not known.
  std::string binary, where, hardware;

  // What is known.
  Progress progress = Progress::kWarmUp;
  uint64_t round = 0;         // how often it was explored afresh
  Measured by_default, best;  // `best` is what is used if settled
  std::vector<Measured> tried;

  // What was seen, over all runs.
  uint64_t executions = 0, iterations = 0, settled_iterations = 0;
  uint64_t total_ns = 0, explored_ns = 0;
  uint64_t explored_again = 0;
  Day used = 0;

  bool at_rest() const noexcept {
    return progress == Progress::kSettled || progress == Progress::kLeftAlone;
  }
  bool operator==(const ProfileEntry&) const = default;
};

// Sorted by key, each key once.
using Profile = std::vector<ProfileEntry>;

inline constexpr std::size_t kMostProfileBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostProfileEntries = std::size_t{1} << 14;
inline constexpr std::size_t kMostTried = 64;          // of an entry
inline constexpr std::size_t kMostProfileLine = 8192;  // bytes

// If the text is refused, the reason begins with the line: "12: team=x: not a ...". An empty text
// is an empty profile.
Result<Profile> parse_profile(std::string_view text);

// A text that parse_profile() reads back unchanged, if the profile came from there or from merge().
std::string format_profile(const Profile& profile);

// Text that a line of a profile can hold: as it is, or empty if it cannot.
std::string one_line(std::string_view text);
// A cost to five digits, which is more than is known of any cost.
double rounded(double cost);

// Makes a profile of entries in any order: entries of one site become one, as by merge().
Profile profile_of(std::vector<ProfileEntry> entries);

// Adds the entries of `from`. For two entries of one site, what was seen is added up, and what is
// known is that of one of them. The first difference in this list decides which:
//   1 an entry that is at rest wins over one that still explores;
//   2 the higher round wins;
//   3 more samples win, of all that was tried: an entry that went on from another has those of
//     both;
//   4 the text.
// So the order of merges makes no difference.
// A profile beyond its bounds loses the entries that were used longest ago, and among these the
// entries that were executed least.
void merge(Profile& into, const Profile& from);

struct Pruning {
  uint64_t min_executions = 0;
  std::optional<Day> used_since;
  std::string machine;  // only entries of this machine stay; empty: of any
};

// Returns how many entries were taken out.
std::size_t prune(Profile& profile, const Pruning& pruning);

// "2026-11-22"
std::string date_of(Day day);

}  // namespace vicino::tune
