// ich.hpp: iCh: private ranges with stealing, whose chunks adapt to the progress of their threads.
//
// Why    A fixed chunk is too small for a loop of even work, where each claim is overhead, and too
//        large for an uneven one, where claimed iterations cannot be stolen. With iCh nobody has to
//        know which kind a loop is: a thread that gets on faster than the mean leaves more to
//        steal, and a slower one is disturbed less.
// Source Booth and Lane, 2020; section 3 of the NiCh paper. Chunks adapt each time the thread
//        returns (adaptation.hpp). A thread that is out of work steals half of what a random other
//        has left. A chunk size that is set is the least that is taken.
// Cost   per chunk, a CAS on the thread's own word, and the mean (adaptation.hpp).
// Not    monotonic.
// See    docs/design/ich.md
//
// Invariants: those of part.hpp, and I4 of shares.hpp.
#pragma once

#include "loop/adaptation.hpp"
#include "loop/part.hpp"
#include "loop/units.hpp"

namespace vicino::loop {

class Ich {
 public:
  static constexpr std::string_view kName = "ich";
  static constexpr std::string_view kSummary =
      "chunks adapt to how fast each thread gets on, halves stolen at random";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;

  struct Set {
    double epsilon, grain, first, d_min;
  };
  static constexpr std::array kParameters = {adaptation::kEpsilon, adaptation::kGrain,
                                             adaptation::kFirst, adaptation::kLeastD};
  static constexpr std::array kPresets = {
      Preset{"paper", "iCh as published",
             values_of(Set{
                 .epsilon = 0.33, .grain = 0, .first = adaptation::kFirstIsThreads, .d_min = 1})}};
  static constexpr std::size_t history_words(uint32_t) noexcept { return 0; }

  void start(const Plan& plan) noexcept {
    const auto set = set_of<Set>(plan.values);
    units_ = Units::of(plan.trip);
    lanes_ = plan.lanes;
    shape_ = plan.shape;
    epsilon_ = set.epsilon;
    grain_ = static_cast<uint64_t>(set.grain);
    least_ = static_cast<uint32_t>(units_.units_in(plan.chunk_or_one()));
    least_d_ = adaptation::least_d(set.d_min, 1);
    last_.start(plan.trip > 0);
    for (uint32_t m = 0; m < plan.members; ++m) {
      fill(lanes_[m], share_of(units_.count(), plan.members, m));
      adaptation::start(lanes_[m], set.first, plan.members, 1);
    }
  }

  struct Local {
    // `look`: the lane where the next mean begins. kDone: nothing is left.
    uint32_t look;
    enum : uint8_t { kNew, kReturned, kDone } state = kNew;
    adaptation::Grain grain{};
  };

  Local enter(const Plan&, uint32_t member) noexcept { return {member}; }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.state == Local::kDone) return {};
    Lane& mine = lanes_[cursor.member];
    if (my.state == Local::kReturned) {
      const double mean = mean_of_lanes(my, my.grain.ran(grain_));
      cursor.tally.adapted +=
          adaptation::adapt(mine, adaptation::load_k(mine), mean, epsilon_, least_d_);
    }
    my.state = Local::kReturned;
    // Stolen units may be stolen again before this thread takes from them: then it looks once more.
    do {
      const uint64_t d = mine.d.load(std::memory_order_relaxed);
      const uint64_t least = std::max<uint64_t>(least_, my.grain.units());
      const Part part =
          take(mine, [=](uint32_t left) { return adaptation::chunk_of(left, d, least); });
      if (!part.empty()) {
        mine.k.store(mine.k.load(std::memory_order_relaxed) + part.size(),
                     std::memory_order_relaxed);
        my.grain.take(part.size(), grain_);
        return units_.range(part.begin, part.end);
      }
    } while (steal(cursor));
    my.state = Local::kDone;
    return last_.take() ? units_.last() : Range{};
  }

 private:
  uint32_t members() const noexcept { return static_cast<uint32_t>(lanes_.size()); }

  double mean_of_lanes(Local& my, uint32_t most_looks) noexcept {
    const uint32_t looks = std::min(members(), most_looks);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < looks; ++i) {
      sum += lanes_[my.look].k.load(std::memory_order_relaxed);
      if (++my.look == members()) my.look = 0;
    }
    return static_cast<double>(sum) / looks;
  }

  bool steal(Cursor& cursor) noexcept {
    const auto first = static_cast<uint32_t>(plat::rnd() % members());
    for (uint32_t i = 0; i < members(); ++i) {
      const uint32_t victim = (first + i) % members();
      if (victim == cursor.member) continue;
      const uint64_t k = lanes_[victim].k.load(std::memory_order_relaxed);
      const uint64_t d = lanes_[victim].d.load(std::memory_order_relaxed);
      const Part part = steal_half(lanes_[victim]);
      if (part.empty()) continue;
      count_steal(cursor.tally, shape_, cursor.member, victim);
      adaptation::inherit(lanes_[cursor.member], k, d);
      fill(lanes_[cursor.member], part);
      cursor.as<Local>().grain.forget();
      return true;
    }
    return false;
  }

  Units units_;
  std::span<Lane> lanes_;
  const Shape* shape_ = nullptr;
  double epsilon_ = 0;
  uint64_t grain_ = 0, least_d_ = 1;
  uint32_t least_ = 1;  // units in a chunk
  LastUnit last_;
};
static_assert(LoopScheduler<Ich>);

}  // namespace vicino::loop
