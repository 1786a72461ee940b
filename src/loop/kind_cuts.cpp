#include "loop/kind_cuts.hpp"

#include <algorithm>

#include "loop/static_block.hpp"

namespace vicino::loop {
namespace {

// A member that was shorter at work tells nothing of its core.
constexpr uint64_t kLeastNs = 1000;

// A member whose core is of another kind than that its block was cut for makes the loop longer by about
// as much as right cuts make it shorter. So cuts stay equal where that is so in more than one region of
// kChanged + 1.
constexpr int kChanged = 3, kRestless = 6, kMostUnrest = 12;

struct Site {
  explicit Site(const History& history, int kind)
      : words(history.subspan(static_cast<size_t>(kind) * (2 + KindCuts::kWindow))) {}

  uint32_t speed() const noexcept {
    const uint64_t known = words[0].load(std::memory_order_relaxed);
    return known == 0 ? KindCuts::kFull
                      : static_cast<uint32_t>(
                            std::clamp<uint64_t>(known, KindCuts::kLeast, KindCuts::kFull));
  }

  void measured(uint32_t goal) noexcept {
    const uint64_t number = words[1].load(std::memory_order_relaxed);
    words[1].store(number + 1, std::memory_order_relaxed);
    words[2 + number % KindCuts::kWindow].store(goal, std::memory_order_relaxed);
    const std::size_t known = std::min<uint64_t>(number + 1, KindCuts::kWindow);
    if (known < 2) return;
    uint64_t low = UINT64_MAX, high = 0;
    for (std::size_t i = 0; i < known; ++i) {
      const uint64_t one = words[2 + i].load(std::memory_order_relaxed);
      low = std::min(low, one);
      high = std::max(high, one);
    }
    const uint64_t old = speed();
    const uint64_t now = low > old    ? old + (low - old + 1) / 2
                         : high < old ? old - (old - high + 1) / 2
                                      : old;
    words[0].store(now, std::memory_order_relaxed);
  }

  History words;
};

}  // namespace

uint32_t KindCuts::speed_in(const History& history, int kind) noexcept {
  return Site(history, kind).speed();
}

bool KindCuts::has_measured(const History& history, int kind) noexcept {
  return Site(history, kind).words[1].load(std::memory_order_relaxed) > 1;
}

void KindCuts::fix(std::span<const int8_t> bound, KindHere* here, History history) {
  learn();
  history_ = history;
  here_ = here;
  settle(bound);
  weigh();
}

// From the rows of the last region.
void KindCuts::learn() {
  if (!measures_ || history_.empty()) return;
  double above = 0;  // the rate of the next more powerful kind
  double most = 0;
  for (int kind = kKinds - 1; kind >= 0; --kind) {
    rates_.clear();
    for (const Row& row : rows_)
      if (row.kind == kind && row.ns >= kLeastNs && row.iterations > 0)
        rates_.push_back(static_cast<double>(row.iterations) / static_cast<double>(row.ns));
    if (rates_.empty()) continue;
    const auto middle = rates_.begin() + static_cast<std::ptrdiff_t>(rates_.size() / 2);
    std::ranges::nth_element(rates_, middle);
    if (most == 0) {
      most = above = *middle;
      continue;
    }
    above = std::min(above, *middle);
    const double speed = above / most * kFull;
    Site(history_, kind).measured(std::max(static_cast<uint32_t>(speed), kLeast));
  }
}

// Where the members are now, as far as it is known.
void KindCuts::settle(std::span<const int8_t> bound) {
  rows_.resize(bound.size());
  sums_.resize(bound.size() + 1);
  bool moved = false, knows_all = true;
  uint32_t kinds = 0;  // a bit each
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    Row& row = rows_[m];
    row.iterations = row.ns = 0;
    row.is_bound = bound[m] != kUnknown;
    if (row.is_bound)
      row.kind = std::min<int8_t>(bound[m], kKinds - 1);
    else if (row.cut_for != kUnknown && row.cut_for != row.kind)
      moved = true;
    row.cut_for = row.kind;
    if (row.kind == kUnknown)
      knows_all = false;
    else
      kinds |= 1u << row.kind;
  }
  measures_ = !knows_all || (kinds & (kinds - 1)) != 0;
  unrest_ = moved ? std::min(unrest_ + kChanged, kMostUnrest) : std::max(unrest_ - 1, 0);
}

void KindCuts::weigh() {
  is_even_ = true;
  if (!measures_ || history_.empty() || unrest_ > kRestless) return;
  std::array<uint32_t, kKinds> speeds;
  for (int kind = 0; kind < kKinds; ++kind)
    speeds[static_cast<size_t>(kind)] = speed_in(history_, kind);
  uint64_t sum = 0, known = 0;
  for (const Row& row : rows_)
    if (row.kind != kUnknown) sum += speeds[static_cast<size_t>(row.kind)], ++known;
  const uint32_t mean = known == 0 ? kFull : static_cast<uint32_t>(sum / known);
  least_ = kFull;
  sums_[0] = 0;
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    const int kind = rows_[m].kind;
    const uint32_t weight = kind == kUnknown ? mean : speeds[static_cast<size_t>(kind)];
    sums_[m + 1] = sums_[m] + weight;
    least_ = std::min(least_, weight);
    is_even_ = is_even_ && weight == sums_[1];
  }
}

// The part of the trip count that `weight` is of all weights, rounded down, without an overflow.
uint64_t KindCuts::end_of(uint64_t trip, uint32_t weight) const noexcept {
  const uint64_t all = sums_.back();
  return trip / all * weight + trip % all * weight / all;
}

// Whole iterations cannot follow the weights exactly: a block is up to one longer. So blocks stay equal unless
// even the part of the slowest members, rounded up, is shorter by one.
Range KindCuts::block(uint64_t trip, uint32_t member) const noexcept {
  const auto members = static_cast<uint32_t>(rows_.size());
  if (is_even_ || end_of(trip, least_) + 1 >= trip / members)
    return static_block(trip, members, member);
  return {end_of(trip, sums_[member]), end_of(trip, sums_[member + 1])};  // I1
}

uint64_t KindCuts::began(uint32_t member) noexcept {
  if (!measures_) return 0;
  Row& row = rows_[member];
  if (!row.is_bound) {
    const auto kind = static_cast<int8_t>(std::min(here_(), kKinds - 1));
    if (kind != row.kind) row.iterations = row.ns = 0;
    row.kind = kind;
  }
  return plat::now();
}

void KindCuts::ended(uint32_t member, uint64_t iterations, uint64_t began) noexcept {
  if (!measures_) return;
  Row& row = rows_[member];
  if (!row.is_bound && std::min(here_(), kKinds - 1) != row.kind) return;
  row.iterations += iterations;
  row.ns += plat::now() - began;
}

namespace {

struct Local {
  Range block;
  uint64_t began;
  bool is_given;
  bool is_timed;
};
static_assert(FitsCursor<Local>);

// A block that may wait for another one, as in ordered loops, takes a time that tells nothing of its core.
void enter_block(void* shared, const Plan& plan, Cursor& cursor) noexcept {
  const Range block = static_cast<KindCuts*>(shared)->block(plan.trip, cursor.member);
  new (cursor.local) Local{block, 0, false, !plan.singly && !block.empty()};
}

Range next_block(void* shared, Cursor& cursor) noexcept {
  KindCuts& cuts = *static_cast<KindCuts*>(shared);
  auto& my = cursor.as<Local>();
  if (!my.is_given) {
    my.is_given = true;
    if (my.is_timed) my.began = cuts.began(cursor.member);
    return my.block;
  }
  if (my.is_timed) cuts.ended(cursor.member, my.block.size(), my.began);
  return {};
}

constexpr Row kByKinds{.name = "kinds",
                       .summary = "one block per thread, by the speed of its kind of core",
                       .ordered = true,
                       .shared = false,
                       .asks_near = false,
                       .parameters = {},
                       .presets = {},
                       .history_words = [](uint32_t) noexcept { return KindCuts::kWords; },
                       .start = [](void*, const Plan&) noexcept {},
                       .enter = enter_block,
                       .next = next_block};

}  // namespace

const Row& by_kinds() noexcept { return kByKinds; }

}  // namespace vicino::loop
