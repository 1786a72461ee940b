// nich.hpp: NiCh: iCh with a range for each group of near threads, and stealing from near to far.
//
// Why    With many threads, iCh's steals and its mean cross the machine. In NiCh, threads that
//        share a cache share a range: they need not steal from each other, and there are fewer
//        ranges to look at.
// Source Booth and others, section 4; docs/design/nich.md lists the corrections to the listing.
//        A group is `group` threads of one cache group (half of them, at least 2 and at most 8,
//        unless set). It adapts once in `update` takes (as often as it has threads, unless set).
//        Its d begins at p, at least 8, times its threads. A group with an empty range steals from
//        the nearest others: of its cache group, its node, its package, then any. It begins anew
//        after each success, and one thief of a group at a time fills the range.
// Cost   per chunk, a CAS and two additions on a line that one cache group shares.
// Not    monotonic.
// See    docs/design/nich.md
//
// A group's lane is the one at the position of its first thread; the lanes between stay empty.
// Invariants, beside those of part.hpp and I4 of shares.hpp
//  I5 only the member that holds the claim of a group's lane fills it, and only when it is empty. A
//     member that comes while another has the claim takes one chunk from the victim's back for
//     itself, and fills nothing: no member waits for a thief that has lost its core.
// Memory order: relaxed except for the claim. Each holder must see the lane as the last holder left
// it: the release of one holder pairs with the acquire of the next (N1).
#pragma once

#include "loop/adaptation.hpp"
#include "loop/part.hpp"
#include "loop/units.hpp"

namespace vicino::loop {

class Nich {
 public:
  static constexpr std::string_view kName = "nich";
  static constexpr std::string_view kSummary =
      "iCh with a range per group of threads that share a cache; near ranges stolen from first";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;
  static constexpr std::array kParameters = {
      adaptation::kEpsilon,
      Parameter{"group", "threads that share a range; 0: half a cache group", 0, 0, 1024, true},
      Parameter{"update", "takes between adaptations; 0: as many as the group has threads", 0, 0,
                1 << 20, true},
      adaptation::kGrain,
      adaptation::kFirst,
      adaptation::kLeastD};
  static constexpr std::array kPresets = {
      Preset{"paper",
             "NiCh as published for a machine of eight cores a cache",
             {0.33, 4, 4, 0, adaptation::kFirstIsThreads, 1}}};
  static constexpr std::size_t history_words(uint32_t) noexcept { return 0; }

  void start(const Plan& plan) noexcept {
    units_ = Units::of(plan.trip);
    lanes_ = plan.lanes;
    shape_ = plan.shape;
    epsilon_ = plan.values[0];
    least_ = static_cast<uint32_t>(units_.units_in(plan.chunk_or_one()));
    group_ = static_cast<uint32_t>(plan.values[1]);
    update_ = static_cast<uint32_t>(plan.values[2]);
    grain_ = static_cast<uint64_t>(plan.values[3]);
    d_min_ = plan.values[5];
    last_.start(plan.trip > 0);
    for (uint32_t p = 0; p < plan.members; ++p) lanes_[p].word.store(0, std::memory_order_relaxed);
    for (uint32_t p = 0; p < plan.members;) {
      const Interval group = group_of(p);
      Lane& lane = lanes_[p];
      fill(lane, {share_of(units_.count(), plan.members, group.begin).begin,
                  share_of(units_.count(), plan.members, group.end - 1).end});
      adaptation::start(lane, plan.values[4], plan.members, group.end - group.begin);
      lane.count.store(0, std::memory_order_relaxed);
      lane.claimed.store(false, std::memory_order_relaxed);
      p = group.end;
    }
  }

  // a: the group's lane, b: takes between adaptations, c: the last group looked at for the mean;
  // d, e, f: Grain's.
  void enter(const Plan&, Cursor& cursor) noexcept {
    adaptation::Grain::enter(cursor);
    const Interval group =
        group_of(shape_ != nullptr ? shape_->position(cursor.member) : cursor.member);
    cursor.a = cursor.c = group.begin;
    cursor.b = update_ != 0 ? update_ : group.size();
    cursor.extra = kGoing;
  }

  Range next(Cursor& cursor) noexcept {
    if (cursor.extra == kDone) return {};
    const uint32_t looks = adaptation::Grain::ran(cursor, grain_);
    // Stolen units may be stolen again before this thread takes from them: then it looks once more.
    for (;;) {
      Part part = take_chunk(cursor);
      if (part.empty()) {
        const Found found = look_for_more(cursor, part);
        if (found == Found::kInLane) continue;
        if (found == Found::kNothing) break;
      }
      count(cursor, part, looks);
      adaptation::Grain::take(cursor, part.size(), grain_);
      return units_.range(part.begin, part.end);
    }
    cursor.extra = kDone;
    return last_.take() ? units_.last() : Range{};
  }

 private:
  enum : uint32_t { kGoing, kDone };
  enum class Found { kNothing, kInLane, kChunk };

  uint32_t members() const noexcept { return static_cast<uint32_t>(lanes_.size()); }

  // The group around a position.
  Interval group_of(uint32_t position) const noexcept {
    const Interval cache =
        shape_ != nullptr ? shape_->cache_group(position) : Interval{0, members()};
    const uint32_t size = group_ != 0 ? group_ : std::clamp(cache.size() / 2, 2u, 8u);
    const uint32_t begin = cache.begin + (position - cache.begin) / size * size;
    return {begin, std::min(begin + size, cache.end), cache.distance};
  }

  Part take_chunk(const Cursor& cursor) noexcept {
    Lane& ours = lanes_[cursor.a];
    const uint64_t d = ours.d.load(std::memory_order_relaxed);
    const uint64_t fast = adaptation::Grain::least(cursor, 0), set = least_;
    const uint32_t parts = 2 * group_of(static_cast<uint32_t>(cursor.a)).size();
    return take(ours, [=](uint32_t left) {
      return adaptation::chunk_of(left, d, std::max(set, std::min<uint64_t>(fast, left / parts)));
    });
  }

  void count(Cursor& cursor, Part part, uint32_t looks) noexcept {
    Lane& ours = lanes_[cursor.a];
    ours.k.fetch_add(part.size(), std::memory_order_relaxed);
    if (ours.count.fetch_add(1, std::memory_order_relaxed) + 1 < cursor.b) return;
    if (ours.count.exchange(0, std::memory_order_relaxed) < cursor.b) return;  // another adapts
    const Interval group = group_of(static_cast<uint32_t>(cursor.a));
    cursor.tally.adapted += adaptation::adapt(ours, k_of(group), mean(cursor, looks), epsilon_,
                                              adaptation::least_d(d_min_, group.size()));
  }

  // Per thread, since the last group of a cache may be smaller.
  double k_of(const Interval& group) const noexcept {
    return adaptation::load_k(lanes_[group.begin]) / group.size();
  }

  double mean(Cursor& cursor, uint32_t most_looks) noexcept {
    double sum = 0;
    uint32_t looks = 0;
    const uint64_t first = cursor.c;
    do {
      const Interval group = group_of(static_cast<uint32_t>(cursor.c));
      sum += k_of(group);
      cursor.c = group.end % members();
    } while (++looks < most_looks && cursor.c != first);
    return sum / looks;
  }

  // I5.
  Found look_for_more(Cursor& cursor, Part& chunk) noexcept {
    Lane& ours = lanes_[cursor.a];
    adaptation::Grain::forget(cursor);
    const bool mine = !ours.claimed.load(std::memory_order_relaxed) &&
                      !ours.claimed.exchange(true, std::memory_order_acquire);  // N1
    if (mine && !left_in(ours).empty()) {                    // the holder before filled it
      ours.claimed.store(false, std::memory_order_release);  // N1
      return Found::kInLane;
    }
    const bool found = search(cursor, [&](Lane& victim) {
      const uint64_t k = victim.k.load(std::memory_order_relaxed);
      const uint64_t d = std::max<uint64_t>(victim.d.load(std::memory_order_relaxed), 1);
      if (!mine) {
        chunk = steal(victim,
                      [=, this](uint32_t left) { return adaptation::chunk_of(left, d, least_); });
        return !chunk.empty();
      }
      const Part part = steal_half(victim);
      if (part.empty()) return false;
      adaptation::inherit(ours, k, d);
      fill(ours, part);
      return true;
    });
    if (mine) ours.claimed.store(false, std::memory_order_release);  // N1
    if (!found) return Found::kNothing;
    return mine ? Found::kInLane : Found::kChunk;
  }

  // Asks the lanes of the other groups, the nearest first; equally near ones from a random one on.
  template <class Ask>
  bool search(Cursor& cursor, Ask ask) noexcept {
    const Interval all{0, members()};
    const auto rings =
        shape_ != nullptr ? shape_->outward(static_cast<uint32_t>(cursor.a)) : std::span(&all, 1);
    for (const Interval& ring : rings) {
      const uint32_t first =
          group_of(ring.begin + static_cast<uint32_t>(plat::rnd() % ring.size())).begin;
      uint32_t at = first;
      do {
        if (at != cursor.a && ask(lanes_[at])) {
          cursor.tally.count_steal(ring.distance);
          return true;
        }
        at = group_of(at).end;
        if (at >= ring.end) at = ring.begin;
      } while (at != first);
    }
    return false;
  }

  Units units_;
  std::span<Lane> lanes_;
  const Shape* shape_ = nullptr;
  double epsilon_ = 0, d_min_ = 0;
  uint32_t least_ = 1;  // units in a chunk
  uint64_t grain_ = 0;
  uint32_t group_ = 0, update_ = 0;
  LastUnit last_;
};
static_assert(LoopScheduler<Nich>);

}  // namespace vicino::loop
