// late_start.hpp: a team's primary thread runs a region alone, while its members can still be
// called up.
//
// Why    A region that hands out all of its work as threads ask for it does not need a member that
//        would come after the last piece was taken. In a region of few microseconds calling the
//        members up costs more than the work, most of all where there are more members than CPUs.
//        But the work may turn out to be long, or one piece of it may wait for another, and then
//        the members have to come.
// How    The primary thread begins alone. One idle worker, the watcher, looks now and then whether
//        the same region is still running; if it is, the watcher calls the members up in place of
//        the primary thread.
// Cost   one locked store when the region begins and one compare-exchange when it ends. While there
//        are such regions, the watcher wakes up once in kShortest to kLongest; when there are none
//        any more, it does not wake up at all.
//
// The word: the region's number (handover.hpp) << 2 | state.
// Invariants
//  L1 Only the primary thread sets the state kAlone. The thread that changes it to kCalled calls
//     the members up, once.
//  L2 No member is called up for a region that the primary thread changed from kAlone to kClosed.
//  L3 What the caller reads of the team was written before kAlone, and the primary thread does not
//     change it while the word is kAlone, nor from the call until it has gathered the members. If it
//     has changed the word to kCalled itself, it may write until it calls them up. The watcher is one
//     of the members, and gathers after it has called.
// The watcher does not rest while a region is running
//  W1 begin() writes the word, then reads `looking_`; the watcher that goes to rest clears
//     `looking_`, then reads the word. All four are sequentially consistent, so one of the two sees
//     the other's write: either begin() tells the primary thread to wake the watcher, or
//     wants_watch() holds and the watcher does not sleep.
//  W2 The watcher sleeps as members do that wait for tasks (task/sleep.hpp), and is woken as for a
//     task; it asks wants_watch() after it has set asleep_at. So either that reads the word that
//     begin() wrote, or the primary thread sees asleep_at. Other members sleep at the same event
//     count, and may set its bit again before the watcher sleeps: A3 of task/sleep.hpp.
// Memory order
//  C1 begin() is a release; it pairs with
//  C2 the load of look(), which has seen the same word that call() then changes: L3.
//  close() and call() are relaxed: after kClosed no other thread has touched the region; after
//  kCalled gather() orders what the members did before what the primary thread does next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::sync {

class LateStart {
 public:
  // In nanoseconds. A wake-up takes the watcher's CPU for some microseconds, a part of kShortest that nobody
  // feels. A region that turns out to be long gets its members within twice kLongest.
  static constexpr uint64_t kShortest = 1'000'000, kLongest = 16'000'000;

  // What the watcher remembers from one look to the next.
  struct Watch {
    uint64_t seen = 0;      // the word
    uint64_t pause_ns = 0;  // until the next look; 0: it rests
  };

  // By the primary thread, before it runs region `number`. True if the watcher rests: the caller
  // then wakes it, which costs a system call only the first time. Only the watcher sets `looking_`: a store here could come after the watcher has looked and rests
  // again.
  bool begin(uint64_t number) noexcept {
    word_.store(pack(number, kAlone), std::memory_order_seq_cst);  // C1, W1
    return !looking_.load(std::memory_order_seq_cst);              // W1
  }

  // By the primary thread at the region's end. False if the members have been called up (L2).
  bool close(uint64_t number) noexcept { return change(number, kClosed); }

  // By a thread that finds that region `number` needs its members: true if this thread has to call
  // them up (L1).
  bool call(uint64_t number) noexcept { return change(number, kCalled); }

  // By the watcher, before it sleeps: the number of the region for which it has to call up the
  // members, 0 if none.
  uint64_t look(Watch& watch) noexcept {
    const uint64_t word = word_.load(std::memory_order_acquire);  // C2
    if (word != watch.seen) {
      watch.seen = word;
      looking_.store(true, std::memory_order_relaxed);  // the next look is to come in any case
      watch.pause_ns = std::clamp(2 * watch.pause_ns, kShortest, kLongest);
      return 0;
    }
    if ((word & kStates) == kAlone) {  // the region has lasted since the last look
      watch.pause_ns = kShortest;
      return call(word >> kStateBits) ? word >> kStateBits : 0;
    }
    watch.pause_ns = 0;
    looking_.store(false, std::memory_order_seq_cst);  // W1
    return 0;
  }

  // Whether a watcher that rests has to look again.
  bool wants_watch(const Watch& watch) const noexcept {
    return watch.pause_ns == 0 && word_.load(std::memory_order_seq_cst) != watch.seen;  // W1
  }

 private:
  static constexpr int kStateBits = 2;
  static constexpr uint64_t kStates = 3;
  enum State : uint64_t { kClosed, kAlone, kCalled };
  static constexpr uint64_t pack(uint64_t number, State state) noexcept {
    return number << kStateBits | state;
  }

  bool change(uint64_t number, State to) noexcept {
    uint64_t word = pack(number, kAlone);
    return word_.compare_exchange_strong(word, pack(number, to), std::memory_order_relaxed);
  }

  plat::atomic<uint64_t> word_{0};
  plat::atomic<bool> looking_{false};
};

}  // namespace vicino::sync
