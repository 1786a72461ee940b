#include "pages/trial.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vicino::pages {
namespace {

using topo::Mapping;
using topo::PageRun;

// What is worth a look. To touch so much takes some 100 us, as long as the look that follows.
constexpr uint64_t kNoticed = 1 << 20;
// What is worth a place: some dozens of pages. What malloc() gives of less has no pages of its own.
constexpr uint64_t kLeast = 128 << 10;
// Between two looks, each of a microsecond: from a two-hundredth of the time to nothing.
constexpr uint64_t kFirstPause = 200'000, kLongestPause = 10'000'000;
// Two times of one stretch differ by this even on a machine that nobody disturbs.
constexpr double kNoise = 0.05;
// How often a region is met, this time included, when its arrays move: once more than is needed to see
// that they last. Where an earlier run had only first times to compare with, there are two others.
constexpr int kMovesAt = 2, kDoubtedMovesAt = 4;
// A gain that one time is enough for.
constexpr double kClear = 0.15;
// A gain that is more than chance is believed after the former, a loss or no difference after the latter: what is
// taken back or left alone is not tried again in this run.
constexpr int kFewSamples = 3, kManySamples = 16;
// Times in a row that a region is met and tells no further array, until it is asked no more: a function
// that is called for several arrays in turn tells one of them each time.
constexpr int kQuiet = 3;
// Pages of a mapping or an array that are looked up: as many as one system call finds in some microseconds.
constexpr int kSampled = 32;
// A program of more places than this has no few that decide.
constexpr size_t kMostSites = 64;
// After the first few regions since a move it is judged at one in so many: that goes over the times of all names.
constexpr int kJudged = 8;
// So many regions that do not tell whether the program gains: those that were timed come no more.
constexpr int kMostRegions = 1000;

// Whether the gain, or the loss, is more than chance.
bool is_real(const Times::Gain& gain) {
  return gain.share * gain.share >= std::max(kNoise * kNoise, 4 * gain.variance);
}

bool overlap(const Array& a, const Array& b) { return a.begin < b.end && b.begin < a.end; }

bool has_overlap(std::span<const Array> arrays, const Array& array) {
  return std::ranges::any_of(arrays, [&](const Array& other) { return overlap(other, array); });
}

int count_nodes(std::span<const PageRun> runs) {
  std::vector<int> nodes;
  for (const PageRun& run : runs)
    if (std::ranges::find(nodes, run.node) == nodes.end()) nodes.push_back(run.node);
  return static_cast<int>(nodes.size());
}

}  // namespace

Trial::Trial(Kernel& kernel, std::optional<Placement> forced, int nodes, size_t page,
             uint64_t started, Recall* recall, IsStack* is_stack)
    : kernel_(kernel),
      forced_(forced),
      nodes_(nodes),
      page_(page),
      recall_(recall),
      is_stack_(is_stack),
      pause_(kFirstPause),
      budget_(started, nodes) {}

// How many parts of the runs the budget pays for now.
int Trial::parts_paid_for(uint64_t now) const noexcept {
  const double ns = budget_.left_for_moves(now);
  const double all = budget_.cost_of(bytes_of(attempt_.runs));
  return ns <= 0 ? 0 : static_cast<int>(std::min<double>(kParts, kParts * ns / all));
}

std::vector<PageRun> Trial::begin(const Region& region, uint64_t now) {
  if (is_watching() && state_ != kReturning && was_refilled(now)) {
    if (state_ == kTrying)
      for (const Site& site : sites_)
        if (site.has_arrays) short_lived_.push_back(site.function);
    state_ = kIdle;
    has_grown_ = true;
  }
  if (state_ == kIdle) {
    if (has_grown(now))
      scan(now);
    else if (may_tell(region.function))
      resume();
  }
  if (!is_watching()) return {};
  if (stretch_ != nullptr) attempt_.times.note(stretch_, now - stretch_began_);
  stretch_ = region.function;
  stretch_began_ = now;
  ++attempt_.regions;
  return state_ == kWatching ? watch(region, now) : judge(now);
}

// Whether so much memory was touched since the last look that another one pays, and is paid for. What is not
// paid for yet waits, and nothing is asked meanwhile: else small looks would spend what the large one waits for.
bool Trial::has_grown(uint64_t now) {
  if (const uint64_t faults = has_grown_ ? faults_ : kernel_.faults(); faults != faults_) {
    const uint64_t resident = kernel_.resident();
    has_grown_ |= resident >= resident_ + kNoticed ||
                  (faults_ != kUnknown && faults >= faults_ + kNoticed / page_);
    faults_ = faults;
    resident_ = resident;
  }
  pause_ = has_grown_ ? kFirstPause : std::min(2 * pause_, kLongestPause);
  due_ = now + pause_;
  if (!has_grown_ || budget_.may_look(now)) return has_grown_;
  // Somewhat later than it is paid, for this call has to be paid, too.
  due_ = budget_.may_look_at() + kLongestPause;
  return false;
}

// Whether some memory of one node is left of which this region may tell more.
bool Trial::may_tell(const void* function) const {
  if (large_.empty()) return false;
  const auto site = std::ranges::find(sites_, function, &Site::function);
  return site == sites_.end() || site->quiet < kQuiet;
}

// Whether the program has touched much memory between two regions, while its arrays are watched.
bool Trial::was_refilled(uint64_t now) {
  counts_faults_ = now - counted_ >= kFirstPause;
  if (!counts_faults_) return false;
  counted_ = now;
  return kernel_.faults() >= faults_at_end_ + kNoticed / page_;
}

Trial::Sample Trial::sample(uintptr_t begin, uintptr_t end) {
  std::array<uintptr_t, kSampled> pages;
  std::array<int, kSampled> nodes;
  const uint64_t count = std::min<uint64_t>(kSampled, (end - begin) / page_);
  for (uint64_t i = 0; i < count; ++i)
    pages[i] = (begin + (2 * i + 1) * (end - begin) / (2 * count)) / page_ * page_;
  Sample sample{0, static_cast<int>(count)};
  const std::span found(nodes.data(), count);
  if (!kernel_.nodes_of(std::span(pages).first(count), found)) {
    state_ = kOff;
    return sample;
  }
  int most = 0;
  for (const int node : found) {
    if (node < 0) continue;
    ++sample.present;
    const auto same = static_cast<int>(std::ranges::count(found, node));
    if (same > most) most = same, sample.node = node;
  }
  if (sample.present > 0) sample.share = static_cast<double>(most) / sample.present;
  return sample;
}

// Finds the large mappings of which one node has far more than its part.
void Trial::scan(uint64_t now) {
  has_grown_ = false;
  faults_ = faults_at_end_ = kernel_.faults();
  counts_faults_ = true;
  counted_ = now;
  resident_ = kernel_.resident();
  all_ = kernel_.mappings();
  large_.clear();
  for (const Mapping& mapping : all_) {
    if (state_ == kOff) return;
    const uint64_t bytes = mapping.end - mapping.begin;
    if (!mapping.is_own || bytes < kNoticed) continue;
    if (is_stack_ != nullptr && is_stack_(mapping)) continue;
    const Sample its = sample(mapping.begin, mapping.end);
    const uint64_t present =
        its.of == 0 ? 0
                    : bytes / static_cast<uint64_t>(its.of) * static_cast<uint64_t>(its.present);
    if (present >= kNoticed && is_lopsided(its)) large_.push_back(mapping);
  }
  if (state_ == kOff) return;
  sites_.clear();
  placed_.clear();
  noticed_ = now;
  if (large_.empty())
    state_ = kIdle;
  else
    resume();
}

// Watches from now on, with nothing that is to be placed yet.
void Trial::resume() {
  attempt_ = {};
  attempt_.placement = forced_.value_or(Placement::kBlocks);
  stretch_ = nullptr;
  for (Site& site : sites_) site.has_arrays = site.was_recalled = false;
  state_ = kWatching;
  due_ = 0;
}

Trial::Site& Trial::meet(const Region& region) {
  auto site = std::ranges::find(sites_, region.function, &Site::function);
  if (site == sites_.end()) site = sites_.insert(site, {region.function});
  ++site->met;
  return *site;
}

void Trial::explore(Site& site, const Region& region) {
  ++site.quiet;
  for (const Array& array : find_arrays(kernel_, all_, large_, region.words)) {
    if (array.end - array.begin < kLeast) continue;
    if (has_overlap(settled_, array) || has_overlap(placed_, array)) continue;
    const bool is_known = has_overlap(attempt_.arrays, array);
    if (!is_known && !take(array)) continue;
    site.has_arrays = true;
    if (is_known) continue;
    site.quiet = 0;
    attempt_.runs.clear();
  }
}

// Whether one node has more of the sample than the middle between an even share (1 / nodes_) and all of it. Not
// nearly all: the thread that filled the array may have been moved to another node meanwhile.
bool Trial::is_lopsided(const Sample& its) const noexcept {
  return its.share >= (1 + 1.0 / nodes_) / 2;
}

// The array is to be placed, if it may be and lies on one node.
bool Trial::take(const Array& array) {
  const Sample its = sample(array.begin, array.end);
  if (!is_lopsided(its) || kernel_.is_claimed(array.begin)) return false;
  attempt_.arrays.push_back(array);
  attempt_.from.push_back(its.node);
  return true;
}

// No region tells where the arrays are.
void Trial::take_whole_mappings() {
  for (const Mapping& mapping : large_) {
    const Array array{mapping.begin, mapping.end};
    if (!has_overlap(settled_, array)) take(array);
  }
  attempt_.placement = forced_.value_or(Placement::kInterleaved);
}

// Whether an earlier run found that these arrays are to stay. If it found a placement, that one is
// taken.
bool Trial::is_settled_by_earlier(Site& site, const Region& region, uint64_t now) {
  if (recall_ == nullptr || forced_ || site.was_recalled || region.owners.empty()) return false;
  if (attempt_.arrays.empty() && !placed_.empty()) return false;
  site.was_recalled = true;
  const Earlier earlier = recall_(region.function, static_cast<int>(region.owners.size()));
  if (!earlier.is_known) return false;
  if (attempt_.arrays.empty()) take_whole_mappings();
  if (!earlier.placement) {
    settled_.insert(settled_.end(), attempt_.arrays.begin(), attempt_.arrays.end());
    rest(now);
    return true;
  }
  attempt_.placement = *earlier.placement;
  (earlier.is_sure ? attempt_.is_remembered : attempt_.is_doubted) = true;
  return false;
}

std::vector<PageRun> Trial::watch(const Region& region, uint64_t now) {
  Site& site = meet(region);
  if (site.quiet < kQuiet) explore(site, region);
  if (is_settled_by_earlier(site, region, now)) return {};
  const bool is_quiet = site.quiet >= kQuiet;
  if (attempt_.arrays.empty() && is_quiet && placed_.empty()) take_whole_mappings();
  if (sites_.size() > kMostSites || (attempt_.arrays.empty() && attempt_.regions > kMostRegions)) {
    rest(now);
    return {};
  }
  if (attempt_.arrays.empty() && is_quiet) {
    wait(now);
    return {};
  }
  const bool at_once = forced_ || attempt_.is_remembered;
  const bool is_repeated = site.met >= (attempt_.is_doubted ? kDoubtedMovesAt : kMovesAt) &&
                           (site.has_arrays || attempt_.placement == Placement::kInterleaved) &&
                           (site.quiet > 0 || attempt_.regions > kMostRegions);
  if (attempt_.arrays.empty() || region.owners.empty() || !(is_repeated || at_once)) return {};
  if (std::ranges::find(short_lived_, region.function) != short_lived_.end() && !at_once) return {};
  if (attempt_.runs.empty() || !std::ranges::equal(attempt_.owners, region.owners)) {
    attempt_.owners.assign(region.owners.begin(), region.owners.end());
    attempt_.runs = runs_of(attempt_.placement, attempt_.arrays, attempt_.owners, page_);
  }
  if (count_nodes(attempt_.runs) < 2) {
    rest(now);
    return {};
  }
  attempt_.function = region.function;
  return move_to(at_once ? kParts : parts_paid_for(now));
}

// Moves what is left of so many parts.
std::vector<PageRun> Trial::move_to(int parts) {
  if (parts <= attempt_.parts) return {};
  std::vector<PageRun> more = parts_of(attempt_.runs, attempt_.parts, parts, page_);
  attempt_.parts = parts;
  attempt_.regions = 0;
  attempt_.moved_bytes = bytes_of(more);
  state_ = kTrying;
  return more;
}

void Trial::moved(uint64_t began, uint64_t ended, int error) {
  if (error != 0) {
    state_ = kOff;
    return;
  }
  const uint64_t taken = ended - began;
  budget_.moved(taken, attempt_.moved_bytes);
  attempt_.move_ns += taken;
  stretch_began_ = ended;
  if (state_ == kReturning) return conclude(Outcome::kTakenBack, ended);
  if (forced_) return conclude(Outcome::kForced, ended);
  if (attempt_.is_remembered) return conclude(Outcome::kRemembered, ended);
  attempt_.times.begin_after();
}

// Some parts were moved, or all.
std::vector<PageRun> Trial::judge(uint64_t now) {
  if (attempt_.regions > kJudged && attempt_.regions % kJudged != 0) return {};
  const Times::Gain gain = attempt_.times.gain();
  const bool is_clear = gain.samples >= 1 && gain.share >= kClear;
  const bool gains = is_clear || (gain.samples >= kFewSamples && gain.share > 0 && is_real(gain));
  const bool is_known = gain.samples >= kManySamples;
  if (is_known && gain.share < 0 && is_real(gain)) return go_back(now);
  if (!is_known && attempt_.regions > kMostRegions) {
    conclude(Outcome::kNoGain, now);
    return {};
  }
  if (attempt_.parts == kParts) {
    if (gains)
      conclude(Outcome::kKept, now);
    else if (is_known)
      conclude(Outcome::kNoGain, now);
    return {};
  }
  const double rest = budget_.cost_of(bytes_of(attempt_.runs)) * (kParts - attempt_.parts) / kParts;
  const double all_would = std::min(1.0, gain.share * kParts / attempt_.parts);
  if (gains && all_would * static_cast<double>(now - noticed_) >= rest) return move_to(kParts);
  if (!gains && !is_known) return {};
  const int more = parts_paid_for(now);
  return attempt_.parts + more == kParts || more >= attempt_.parts
             ? move_to(std::min(kParts, attempt_.parts + more))
             : std::vector<PageRun>();
}

std::vector<PageRun> Trial::go_back(uint64_t now) {
  std::vector<PageRun> origins = attempt_.runs;
  for (PageRun& run : origins) run.node = origin_of(run);
  std::vector<PageRun> back = parts_of(origins, 0, attempt_.parts, page_);
  if (budget_.cost_of(bytes_of(back)) > budget_.left_for_moves(now)) return {};  // later
  attempt_.moved_bytes = bytes_of(back);
  state_ = kReturning;
  return back;
}

// The node on which the run's array lay.
int Trial::origin_of(const PageRun& run) const noexcept {
  const auto array = std::ranges::find_if(attempt_.arrays, [&](const Array& one) {
    return one.begin <= run.begin && run.begin < one.end;
  });
  return attempt_.from[static_cast<size_t>(array - attempt_.arrays.begin())];
}

void Trial::conclude(Outcome::What what, uint64_t now) {
  std::vector<int> from = attempt_.from;
  std::ranges::sort(from);
  from.erase(std::unique(from.begin(), from.end()), from.end());
  outcomes_.push_back({what, attempt_.function, attempt_.placement, bytes_of(attempt_.runs),
                       std::move(from), count_nodes(attempt_.runs), attempt_.move_ns,
                       attempt_.times.gain()});
  if (what == Outcome::kNoGain || what == Outcome::kTakenBack) {
    settled_.insert(settled_.end(), attempt_.arrays.begin(), attempt_.arrays.end());
    return rest(now);
  }
  placed_.insert(placed_.end(), attempt_.arrays.begin(), attempt_.arrays.end());
  if (bytes_of(large_) < bytes_of(placed_) + kLeast) return rest(now);
  resume();
}

void Trial::leave(uint64_t now) {
  if (!is_watching()) return;
  rest(now);
  has_grown_ = true;
}

// Nothing is left to be placed.
void Trial::rest(uint64_t now) {
  all_ = {};
  large_ = {};
  wait(now);
}

// No region that was met tells of further arrays.
void Trial::wait(uint64_t now) {
  state_ = kIdle;
  faults_ = kernel_.faults();
  resident_ = kernel_.resident();
  pause_ = kFirstPause;
  due_ = now + pause_;
}

}  // namespace vicino::pages
