// nich.hpp: NiCh: iCh with a range for each group of near threads, and stealing from near to far.
//
// Why    With many threads, iCh's steals and its mean cross the machine. In NiCh, threads that
//        share a cache share a range: they need not steal from each other, and there are fewer
//        ranges to look at.
// Source Booth and others, section 4; docs/design/nich.md lists the corrections to the listing.
//        A group is `group` threads of one cache group (half of them, at least 2 and at most 8,
//        unless set). It adapts once in `update` takes (as many as it has threads, unless set).
//        Its d begins at its number of threads times the team's, where a team counts as 8 at least.
//        A group with an empty range steals from
//        the nearest others: of its cache group, its node, its package, then any. It begins anew
//        after each success, and one thief of a group at a time fills the range.
// Cost   per chunk, a CAS and two additions on a line that the group shares.
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

  struct Set {
    double epsilon, group, update, grain, first, d_min;
  };
  static constexpr std::array kParameters = {
      adaptation::kEpsilon,
      Parameter{"group", "threads that share a range; 0: half a cache group", 0, 0, 1024, true},
      Parameter{"update", "takes between adaptations; 0: as many as the group has threads", 0, 0,
                1 << 20, true},
      adaptation::kGrain,
      adaptation::kFirst,
      adaptation::kLeastD};
  static constexpr std::array kPresets = {
      Preset{"paper", "NiCh as published for a machine of eight cores a cache",
             values_of(Set{.epsilon = 0.33,
                           .group = 4,
                           .update = 4,
                           .grain = 0,
                           .first = adaptation::kFirstIsThreads,
                           .d_min = 1})}};
  static constexpr std::size_t history_words(uint32_t) noexcept { return 0; }

  void start(const Plan& plan) noexcept {
    const auto set = set_of<Set>(plan.values);
    units_ = Units::of(plan.trip);
    lanes_ = plan.lanes;
    shape_ = plan.shape;
    epsilon_ = set.epsilon;
    least_ = static_cast<uint32_t>(units_.units_in(plan.chunk_or_one()));
    group_ = static_cast<uint32_t>(set.group);
    update_ = static_cast<uint32_t>(set.update);
    grain_ = static_cast<uint64_t>(set.grain);
    d_min_ = set.d_min;
    last_.start(plan.trip > 0);
    for (uint32_t p = 0; p < plan.members; ++p) lanes_[p].word.store(0, std::memory_order_relaxed);
    for (uint32_t p = 0; p < plan.members;) {
      const Interval group = group_of(p);
      Lane& lane = lanes_[p];
      fill(lane, {share_of(units_.count(), plan.members, group.begin).begin,
                  share_of(units_.count(), plan.members, group.end - 1).end});
      adaptation::start(lane, set.first, plan.members, group.end - group.begin);
      lane.count.store(0, std::memory_order_relaxed);
      lane.claimed.store(false, std::memory_order_relaxed);
      p = group.end;
    }
  }

  struct Local {
    uint32_t group;  // its lane
    uint32_t look;   // the group where the next mean begins
    uint64_t takes;  // between adaptations
    bool done = false;
    adaptation::Grain grain{};
  };

  Local enter(const Plan&, uint32_t member) noexcept {
    const Interval group = group_of(shape_ != nullptr ? shape_->position(member) : member);
    return {group.begin, group.begin, update_ != 0 ? update_ : group.size()};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.done) return {};
    const uint32_t looks = my.grain.ran(grain_);
    // Stolen units may be stolen again before this thread takes from them: then it looks once more.
    for (;;) {
      Part part = take_chunk(my);
      if (part.empty()) {
        const Found found = look_for_more(cursor, part);
        if (found == Found::kInLane) continue;
        if (found == Found::kNothing) break;
      }
      count(cursor, part, looks);
      my.grain.take(part.size(), grain_);
      return units_.range(part.begin, part.end);
    }
    my.done = true;
    return last_.take() ? units_.last() : Range{};
  }

 private:
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

  Part take_chunk(const Local& my) noexcept {
    Lane& ours = lanes_[my.group];
    const uint64_t d = ours.d.load(std::memory_order_relaxed);
    const uint64_t fast = my.grain.units(), set = least_;
    const uint32_t parts = 2 * group_of(my.group).size();
    return take(ours, [=](uint32_t left) {
      return adaptation::chunk_of(left, d, std::max(set, std::min<uint64_t>(fast, left / parts)));
    });
  }

  void count(Cursor& cursor, Part part, uint32_t looks) noexcept {
    Local& my = cursor.as<Local>();
    Lane& ours = lanes_[my.group];
    ours.k.fetch_add(part.size(), std::memory_order_relaxed);
    if (ours.count.fetch_add(1, std::memory_order_relaxed) + 1 < my.takes) return;
    if (ours.count.exchange(0, std::memory_order_relaxed) < my.takes) return;  // another adapts
    const Interval group = group_of(my.group);
    cursor.tally.adapted += adaptation::adapt(ours, k_of(group), mean(my, looks), epsilon_,
                                              adaptation::least_d(d_min_, group.size()));
  }

  // Per thread, since the last group of a cache may be smaller.
  double k_of(const Interval& group) const noexcept {
    return adaptation::load_k(lanes_[group.begin]) / group.size();
  }

  double mean(Local& my, uint32_t most_looks) noexcept {
    double sum = 0;
    uint32_t looks = 0;
    const uint32_t first = my.look;
    do {
      const Interval group = group_of(my.look);
      sum += k_of(group);
      my.look = group.end % members();
    } while (++looks < most_looks && my.look != first);
    return sum / looks;
  }

  // I5.
  Found look_for_more(Cursor& cursor, Part& chunk) noexcept {
    Local& my = cursor.as<Local>();
    Lane& ours = lanes_[my.group];
    my.grain.forget();
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
    const uint32_t own = cursor.as<Local>().group;
    const Interval all{0, members()};
    const auto rings = shape_ != nullptr ? shape_->outward(own) : std::span(&all, 1);
    for (const Interval& ring : rings) {
      const uint32_t first =
          group_of(ring.begin + static_cast<uint32_t>(plat::rnd() % ring.size())).begin;
      uint32_t at = first;
      do {
        if (at != own && ask(lanes_[at])) {
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
