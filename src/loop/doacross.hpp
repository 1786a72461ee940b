// doacross.hpp: iterations of a loop nest that wait for earlier iterations of it: ordered(n) with
// depend(source) and depend(sink), or with doacross().
//
// Why    Each iteration of the nest has one byte, which says whether it has been posted: a post is
//        a store, and a wait polls only the byte that it needs. A thread that polls for too long
//        sleeps, for with more threads than cores the awaited one may have no core. With more threads
//        than cores it takes turns with the others on its core first (take_turns()).
// Cost   post: one store, and one load of a line that is written only when a thread goes to sleep.
//        wait: one load if the iteration has been posted. One byte of memory per iteration of the
//        nest; of huge nests one bit, and a post is an atomic RMW.
// Layout In a nest of one loop even and odd iterations lie in two cache lines. Where each iteration
//        waits for the one before, a thread has just polled the line of the one; if it posts the
//        other in the same line, which the next thread polls by then, the line changes hands more
//        often. Nests of several loops have one line after the other: where a row of iterations
//        follows another one a step behind, it took twice as long with two lines.
// Not    one counter per outer iteration: with LLVM's ABI it is not known which loops of the nest
//        are collapsed, so several threads may run parts of one outer iteration. Not bits where bytes
//        have room: a post would be an atomic RMW on a word that eight times as many iterations share.
//
// Invariants
//  D1 a byte, or bit, goes from 0 to 1 once, and never back while the nest is on.
//  D2 a thread that sleeps does so at its iteration's bell, where the post of each iteration rings that
//     has this bell: I1, I2 of sync/bell.hpp.
//  D3 no deadlock: a sink lies before its iteration in the order of the nest, and each member runs
//     its iterations in that order (the schedule is a monotonic one that claims no chunk ahead). So
//     the member at the first iteration that is not posted waits for none.
//
// Memory order
//  P1 the release by which a byte or bit is set pairs with
//  P2 the acquire loads of the byte: what an iteration did before its post is seen after the wait for it.
//  Each post rings. By R1 of sync/bell.hpp a thread about to sleep sees the post, or the ring wakes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "sync/barrier.hpp"
#include "sync/bell.hpp"

namespace vicino::loop {

// One loop of the nest: the value of its first iteration, its step, and its trip count. The step is
// not 0.
struct DoacrossLoop {
  int64_t lower;
  int64_t step;
  uint64_t trip;

  // The number of the iteration with this value; at least `trip` if the loop has no such iteration.
  uint64_t number_of(int64_t value) const noexcept {
    const uint64_t distance = static_cast<uint64_t>(value) - static_cast<uint64_t>(lower);
    if (step == 1) return distance;
    return step > 0 ? distance / static_cast<uint64_t>(step)
                    : -distance / -static_cast<uint64_t>(step);
  }
};

inline constexpr uint64_t kNoIteration = UINT64_MAX;

// Which iteration of the nest the values name, counted in the order of the nest; kNoIteration if it
// lies outside of the nest. `next` gives the values, one for each loop, of 64 bits, signed or not.
// The last `unused` iterations of each loop are outside.
template <class Next>
[[gnu::always_inline]] inline uint64_t iteration_of(std::span<const DoacrossLoop> nest, Next next,
                                                    uint64_t unused = 0) noexcept {
  uint64_t iteration = 0;
  for (const DoacrossLoop& loop : nest) {
    const uint64_t number = loop.number_of(static_cast<int64_t>(next()));
    if (number >= loop.trip - unused) return kNoIteration;
    iteration = iteration * loop.trip + number;
  }
  return iteration;
}

// How many iterations the nest has; none if they do not fit in 64 bits. None of them has the number
// kNoIteration.
inline std::optional<uint64_t> iterations_of(std::span<const DoacrossLoop> nest) noexcept {
  uint64_t iterations = 1;
  for (const DoacrossLoop& loop : nest)
    if (__builtin_mul_overflow(iterations, loop.trip, &iterations)) return std::nullopt;
  return iterations;
}

class Posts {
 public:
  using Flag = plat::atomic<uint8_t>;
  static constexpr uint64_t kTwoLines = 2 * kLine;

  // kInRow: a byte for each iteration. kAlternating: even and odd iterations lie in two lines; the number of
  // bytes is a multiple of kTwoLines, and the first begins a line. kBits: a bit for each iteration.
  enum class Layout : uint8_t { kInRow, kAlternating, kBits };
  static constexpr uint64_t kBitsInFlag = 8;

  // `flags`: zeros.
  explicit Posts(std::span<Flag> flags, Layout layout = Layout::kInRow) noexcept
      : flags_(flags), layout_(layout) {}

  void post(uint64_t iteration) noexcept {
    if (layout_ == Layout::kBits) [[unlikely]]
      flag_of(iteration).fetch_or(mask_of(iteration), std::memory_order_release);  // P1, D1
    else
      flag_of(iteration).store(1, std::memory_order_release);  // P1, D1
    bell_of(iteration).ring();                                 // D2
  }

  bool is_posted(uint64_t iteration) const noexcept {
    return (flag_of(iteration).load(std::memory_order_acquire) & mask_of(iteration)) != 0;  // P2
  }

  // Waits until the iteration is posted, or over() holds. `others_want(n)`: whether other processes want
  // the cores, if n threads sleep here. `look_again_ns`: how long it may take until a sleeping thread looks
  // at over().
  template <class Over, class Others>
  void wait(uint64_t iteration, sync::Waiting waiting, Over over, Others others_want,
            uint64_t look_again_ns = plat::kForever) noexcept {
    if (!is_posted(iteration)) poll(iteration, waiting, over, others_want, look_again_ns);
  }

 private:
  template <class Over, class Others>
  [[gnu::noinline]] void poll(uint64_t iteration, sync::Waiting waiting, Over over,
                              Others others_want, uint64_t look_again_ns) noexcept {
    const bool by_user = !waiting.limits.heeds_crowd;  // how long to poll is set by the user
    if (waiting.limits.share_core && !by_user && take_turns(iteration, over, others_want)) return;
    plat::Budget budget = waiting.patience.take_budget(waiting.limits);
    const uint64_t start_budget = budget.ns;
    for (uint8_t seen = 0;;) {
      const uint8_t found = plat::wait_on(flag_of(iteration), seen, budget, over);  // P2
      waiting.patience.polled(budget, waiting.limits);
      if ((found & mask_of(iteration)) != 0 || over()) return;
      const bool moved = found != std::exchange(seen, found);  // another iteration's bit
      if (!sync::polls_on(moved, budget, waiting.limits)) break;
    }
    const uint64_t start = plat::now();
    const auto done = [&] { return is_posted(iteration) || over(); };
    asleep_.fetch_add(1, std::memory_order_relaxed);
    while (!done()) bell_of(iteration).sleep(done, look_again_ns);  // D2
    asleep_.fetch_sub(1, std::memory_order_relaxed);
    waiting.patience.slept(start_budget + (plat::now() - start), waiting.limits);
  }

  // With more threads than cores: offers the core before each look at the byte. All threads that share the core
  // have their turn before the awaited one has, so whatever a look takes beyond the yield delays the chain once
  // for each of them: a poll before the yield, or the clock each time. False if the wait takes too long for that.
  // An outrun thread takes no turns. Here a slice counts only if another process took it, unlike in other waits
  // (plat::detail::CoreTime): while the team begins, one of its threads may run many iterations alone. Not inlined:
  // where the cores are near each other, the registers that it needs would make poll() slower by a fifth.
  template <class Over, class Others>
  [[gnu::noinline]] bool take_turns(uint64_t iteration, Over over, Others others_want) noexcept {
    const uint64_t start = plat::now();
    uint64_t now = start;
    if (outrun_.lasts(start)) return false;
    bool ended = false;
    for (int turn = 1; !ended && now < start + kTurnsNs; ++turn) {
      plat::yield();
      ended = is_posted(iteration) || over();  // P2
      if (ended || turn % kTurnsPerClock == 0) now = plat::now();
    }
    if (now - start >= plat::Outrun::kSliceNs &&
        others_want(asleep_.load(std::memory_order_relaxed)))
      outrun_.begin(now);
    return ended;
  }
  static constexpr int kTurnsPerClock = 16;
  static constexpr uint64_t kTurnsNs = 200'000;  // a wait for a coarser iteration is better slept
  static_assert(kTurnsNs < plat::Outrun::kSliceNs);
  inline static thread_local constinit plat::Outrun outrun_;

  Flag& flag_of(uint64_t iteration) const noexcept {
    if (layout_ == Layout::kBits) [[unlikely]]
      return flags_[iteration / kBitsInFlag];
    return flags_[layout_ == Layout::kAlternating ? alternating(iteration) : iteration];
  }
  uint8_t mask_of(uint64_t iteration) const noexcept {
    return layout_ == Layout::kBits ? static_cast<uint8_t>(1u << iteration % kBitsInFlag) : 1;
  }
  static uint64_t alternating(uint64_t iteration) noexcept {
    const uint64_t within = iteration % kTwoLines;
    return iteration - within + within % 2 * kLine + within / 2;
  }

  // Bells are shared by iterations that lie far apart: a post wakes few threads that wait for
  // another one.
  static constexpr uint64_t kBells = 64;
  sync::Bell& bell_of(uint64_t iteration) noexcept { return bells_[iteration % kBells]; }

  const std::span<Flag> flags_;
  const Layout layout_;
  alignas(kLinePair) std::array<sync::Bell, kBells> bells_;
  plat::atomic<int> asleep_{0};  // threads at the bells; relaxed, as only others_want() is told
};

}  // namespace vicino::loop
